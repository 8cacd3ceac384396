//! Choices of moves that depend on the board alone, so that they can be evaluated exactly.

use crate::{Board, Move, Rules};

/// A choice of moves that depends on the board alone.
pub trait Policy: Sync {
    /// The probability of each move, by its index, in a position that is not lost. Moves
    /// that are not legal have probability 0, and all add up to 1.
    fn probabilities(&self, rules: &Rules, board: Board) -> [f64; 4];

    /// Whether the choice turns and mirrors with the board.
    fn is_symmetric(&self) -> bool {
        false
    }
}

/// The distribution that has one move for sure.
pub fn deterministic(m: Move) -> [f64; 4] {
    let mut weights = [0.0; 4];
    weights[m.index()] = 1.0;
    weights
}
