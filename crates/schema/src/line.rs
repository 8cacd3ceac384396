//! Lines of best play: the answer of the API's `line`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Game, Move, SpawnRule, Value};

words! {
    /// Why a line ends.
    LineEnd {
        /// The target is on the board.
        Won = "won",
        /// No slide changes the board.
        Lost = "lost",
        /// It has as many moves as were asked for.
        Plies = "plies",
        /// The table does not know the position.
        Unknown = "unknown",
    }
}

/// A line of best play.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Line {
    /// The game.
    #[serde(flatten)]
    pub game: Game,
    /// The first board.
    pub start: String,
    /// Who says what spawns.
    pub spawn_rule: SpawnRule,
    /// Seed of the dice.
    pub seed: u64,
    /// The moves.
    pub moves: Vec<LineMove>,
    /// The last board.
    pub board: String,
    /// Value of the last position.
    #[serde(flatten)]
    pub value: Value,
    /// Why the line ends.
    pub end: LineEnd,
    /// Points of all slides.
    pub score: u128,
}

/// A move of a line, and the tile that spawned after it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LineMove {
    /// Number of the move, from 0.
    pub ply: usize,
    /// The board before it.
    pub board: String,
    /// The move.
    #[serde(flatten)]
    pub played: Move,
    /// The cell of the new tile, numbered from 0 row by row; null after a winning slide.
    pub cell: Option<u16>,
    /// Value of the new tile.
    pub tile: Option<u128>,
}
