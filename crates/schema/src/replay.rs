//! What `replay` answers.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Direction, GameStatistics, Review};

/// A record of games, checked.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReplayAnswer {
    /// The record file.
    pub file: PathBuf,
    /// Whether the file is whole and every game follows the rules.
    pub ok: bool,
    /// What is wrong with it.
    pub broken: Option<String>,
    /// The variant; null if the header cannot be read.
    pub variant: Option<String>,
    /// Name of the player.
    pub player: Option<String>,
    /// The seed of all random numbers.
    pub seed: Option<u64>,
    /// The games before the first error, summed up.
    #[serde(flatten)]
    pub games: GameStatistics,
    /// Moves in all games.
    pub moves: u64,
    /// Whether all spawns are those of the seed.
    pub spawns_match_seed: Option<bool>,
    /// The first spawn that is not the seed's.
    pub first_mismatch: Option<SpawnMismatch>,
    /// Bytes that were read.
    pub bytes: u64,
    /// Bytes for each move.
    pub bytes_per_move: Option<f64>,
    /// Wall-clock time.
    pub seconds: f64,
}

/// Where a spawn differs from the seed's.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct SpawnMismatch {
    /// The game, from 1.
    pub game: u64,
    /// The move that the tile follows, from 1; 0 for the start tiles.
    pub ply: u64,
}

words! {
    /// How a recorded game ended.
    GameEnding {
        /// The target tile is on the board.
        Won = "won",
        /// No move is left.
        Lost = "lost",
        /// The player stopped.
        GivenUp = "given_up",
    }
}

/// One game of a record, position by position.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReplayedGame {
    /// The record file.
    pub file: PathBuf,
    /// The variant.
    pub variant: String,
    /// Name of the player.
    pub player: String,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Number of the game, from 1.
    pub game: u64,
    /// Number of moves.
    pub moves: u64,
    /// The final score.
    pub score: u128,
    /// How it ended.
    pub ending: GameEnding,
    /// The requested positions.
    pub positions: Vec<ReplayedPosition>,
}

/// One game of a record, reviewed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReplayedReview {
    /// The record file.
    pub file: PathBuf,
    /// Name of the player.
    pub player: String,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Number of the game, from 1.
    pub game: u64,
    /// The final score.
    pub score: u128,
    /// Number of moves with each grade.
    pub grades: BTreeMap<String, usize>,
    /// The review. Its plies are counted from 0.
    #[serde(flatten)]
    pub review: Review,
}

/// A position of a game, and the slide and spawn that led to it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReplayedPosition {
    /// Moves so far; 0 for the start.
    pub ply: u64,
    /// Direction of the slide.
    #[serde(rename = "move")]
    pub direction: Option<Direction>,
    /// The cell of the new tile, numbered from 0 row by row.
    pub cell: Option<u16>,
    /// Value of the new tile.
    pub tile: Option<u128>,
    /// Score so far.
    pub score: u128,
    /// The board in hex where it fits, as tile values otherwise.
    pub board: String,
}
