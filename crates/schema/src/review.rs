//! Reviewed games: the answer of the API's `review`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Direction, Game, Move, Value};

/// A game, reviewed move by move.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Review {
    /// The game.
    #[serde(flatten)]
    pub game: Game,
    /// The first board.
    pub start: String,
    /// The moves.
    pub moves: Vec<ReviewedMove>,
    /// Plies of the moves that were not best.
    pub mistakes: Vec<usize>,
    /// Sum of all known losses.
    pub loss: f64,
    /// The last board.
    pub board: String,
    /// Value of the last position.
    #[serde(flatten)]
    pub value: Value,
}

/// A move that was played.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReviewedMove {
    /// Number of the move, from 0.
    pub ply: usize,
    /// The board before it.
    pub board: String,
    /// Value of the position before it.
    pub before: Value,
    /// The move.
    #[serde(flatten)]
    pub played: Move,
    /// The best move, or the first of several.
    pub best: Option<Direction>,
    /// All best moves.
    pub best_moves: Vec<Direction>,
    /// Ply of the next mistake, this move included.
    pub next_mistake: Option<usize>,
}
