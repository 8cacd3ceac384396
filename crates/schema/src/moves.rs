//! Slides and spawns: the answers of `moves` and of the API's `spawns`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Game, Move, Status, Value};

/// The legal moves of a position with everything that can spawn after each.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Moves {
    /// Rows and columns.
    pub shape: String,
    /// The board in hex, or as tile values where hex has no digit for a tile.
    pub board: String,
    /// The board as tile values.
    pub tiles: String,
    /// Whether play goes on.
    pub status: Status,
    /// Sum of all tiles.
    pub sum: u128,
    /// Value of the largest tile.
    pub largest: u128,
    /// How tiles spawn.
    pub spawn: String,
    /// The legal moves.
    pub moves: Vec<MoveOutcomes>,
}

/// A legal move and everything that can spawn after it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MoveOutcomes {
    /// The move.
    #[serde(flatten)]
    pub played: Move,
    /// The outcomes, cell by cell.
    pub outcomes: Vec<Outcome>,
}

/// A tile that can spawn.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Outcome {
    /// The cell, numbered from 0 row by row.
    pub cell: u16,
    /// Value of the tile.
    pub tile: u128,
    /// Probability that it spawns there.
    pub probability: f64,
    /// The board with the tile.
    pub board: String,
    /// Value of the position.
    #[serde(flatten)]
    pub value: Value,
}

/// Everything that can spawn on an afterstate.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Spawns {
    /// The game.
    #[serde(flatten)]
    pub game: Game,
    /// The afterstate.
    pub afterstate: String,
    /// The outcomes, cell by cell.
    pub outcomes: Vec<Outcome>,
}
