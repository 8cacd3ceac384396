//! What `train` and `prune` answer.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

use crate::Device;

/// A trained n-tuple network.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TrainAnswer {
    /// The network file.
    pub file: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Games that ran in lockstep.
    pub games: u32,
    /// Steps done, those before a checkpoint included.
    pub steps: u64,
    /// Moves in all games.
    pub moves: u64,
    /// Where the network was trained.
    pub device: Device,
    /// Weights stored in the file.
    pub weights: u64,
    /// How play improved.
    pub progress: Vec<TrainingProgress>,
    /// Moves a second of wall-clock time.
    pub moves_per_second: f64,
    /// Wall-clock time.
    pub seconds: f64,
    /// Whether the user stopped training early.
    pub interrupted: bool,
}

/// The games that ended since the entry before.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TrainingProgress {
    /// Steps so far.
    pub steps: u64,
    /// Games that ended.
    pub games: u64,
    /// Their mean score.
    pub mean_score: Option<f64>,
    /// The share of them with a 2048.
    pub reached_2048: f64,
    /// The share of them with an 8192.
    pub reached_8192: f64,
    /// The share of them with a 16384.
    pub reached_16384: f64,
    /// The share of them with a 32768.
    pub reached_32768: f64,
}

/// A pruned and quantized n-tuple network.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PruneAnswer {
    /// The network file.
    pub file: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// Weights stored in the file that was read.
    pub before: u64,
    /// Of these, weights that the games looked up.
    pub looked_up: u64,
    /// Weights stored in the file that was written.
    pub weights: u64,
    /// Games played to count lookups.
    pub games: u64,
    /// Their mean score.
    pub mean_score: Option<f64>,
    /// Wall-clock time.
    pub seconds: f64,
}
