//! Positions and their moves: what `probe`, `advise` and the API's `position` answer.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Category, Direction, Source, Status};

/// What a position or a move is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Value {
    /// The objective's number: a probability, points or moves.
    pub value: Option<f64>,
    /// What the probability of winning lacks to 1, in full precision.
    pub complement: Option<f64>,
    /// The probability of winning.
    pub win: Option<f64>,
    /// What is certain.
    pub category: Option<Category>,
    /// Where the value comes from.
    pub source: Option<Source>,
    /// How far off an estimate may be, in the unit of `value`.
    pub uncertainty: Option<f64>,
}

/// A position and its legal moves.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Position {
    /// The game, such as `3x3-to-512`.
    pub variant: Option<String>,
    /// The board in hex where it fits, as tile values otherwise.
    pub board: String,
    /// The board as tile values.
    pub tiles: String,
    /// Whether play goes on.
    pub status: Status,
    /// Whether the value is the true one, up to the error bound of its table.
    pub exact: bool,
    /// What the value is, such as `win`.
    pub objective: Option<String>,
    /// What the position is worth.
    #[serde(flatten)]
    pub value: Value,
    /// The best move, or the first of several.
    pub best: Option<Direction>,
    /// The legal moves, best first.
    pub moves: Vec<Move>,
    /// How the position was searched, if it was.
    pub search: Option<Search>,
}

/// A legal move.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Move {
    /// Where the tiles slide.
    #[serde(rename = "move")]
    pub direction: Direction,
    /// What the move is worth.
    #[serde(flatten)]
    pub value: Value,
    /// How much less it is worth than the best move.
    pub loss: Option<f64>,
    /// Whether it is a best move, up to rounding.
    pub best: bool,
    /// Whether it makes the target tile.
    pub wins_now: bool,
    /// Points of the slide itself.
    pub score: u128,
    /// The board after the slide, before the new tile.
    pub afterstate: String,
    /// An earlier move that leads to the same position up to symmetry.
    pub same_as: Option<Direction>,
}

/// How a position was searched.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Search {
    /// The evaluation at the leaves.
    pub evaluation: String,
    /// Slides looked ahead.
    pub depth: u8,
    /// Positions evaluated.
    pub positions: u64,
    /// The board with halved tiles that was searched in its place, if one was.
    pub searched_as: Option<String>,
}
