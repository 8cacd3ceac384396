//! Reviewed games: the answer of the API's `review`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Direction, Game, Move, Outlook, Unit, Value};

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
    /// Plies of the moves that lost something: those graded neither best nor about equal.
    pub mistakes: Vec<usize>,
    /// Sum of the losses of these moves, as far as they are of the same unit as the first.
    pub loss: f64,
    /// How near the moves come to the best ones, in percent; null without moves. It is the mean
    /// of 100·exp(−25·share), share being what a move loses of the best value, or 0 if it is
    /// graded best or about equal.
    pub accuracy: Option<f64>,
    /// The unit of the first value and of `loss`; null where the evaluation has none.
    pub unit: Option<Unit>,
    /// The last board.
    pub board: String,
    /// Value of the last position.
    #[serde(flatten)]
    pub value: Value,
    /// The rest of the game from the last position, estimated.
    #[serde(flatten)]
    pub outlook: Outlook,
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
    /// The unit of values and of the loss; null where the evaluation has none.
    pub unit: Option<Unit>,
    /// The rest of the game from the position before it, estimated.
    pub outlook_before: Outlook,
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
