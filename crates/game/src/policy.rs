//! Choices of moves that depend on the board alone, so that they can be evaluated exactly.

use crate::{Board, Move, Rules};

/// Calls a function with each of some boards.
pub type EachBoard<'a> = dyn Fn(&mut dyn FnMut(Board)) + 'a;

/// A choice of moves that depends on the board alone.
pub trait Policy: Sync {
    /// The probability of each move, by its index, in a position that is not lost. Moves
    /// that are not legal have probability 0, and all add up to 1.
    fn probabilities(&self, rules: &Rules, board: Board) -> [f64; 4];

    /// Called before the choices on some boards are asked for. `boards` calls its argument with each
    /// of them: a policy that answers faster for many boards at once prepares its answers here.
    /// `false` ends the work.
    fn prepare(&self, _boards: &EachBoard<'_>) -> bool {
        true
    }

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
