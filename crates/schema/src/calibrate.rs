//! What `calibrate` answers, and the lines of its files of samples.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Direction;

/// Games that were played and sampled.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SamplesAnswer {
    /// The file of samples.
    pub file: PathBuf,
    /// Games played.
    pub games: u64,
    /// Positions sampled.
    pub samples: u64,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Wall-clock time.
    pub seconds: f64,
}

/// A line of a file of samples: a position and how its game went on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CalibrationSample {
    /// Number of the game, from 0.
    pub game: u64,
    /// The board as tile values.
    pub tiles: String,
    /// The moves as the usual search values them, best first.
    pub moves: Vec<SampledMove>,
    /// The moves as a deeper search values them; empty for most samples.
    pub deeper: Vec<SampledMove>,
    /// Points that the game went on to score.
    pub further_score: u64,
    /// The largest tile at the end of the game.
    pub largest: u64,
}

/// A move of a sampled position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SampledMove {
    /// The move.
    #[serde(rename = "move")]
    pub direction: Direction,
    /// Its value by the search.
    pub value: f64,
}
