//! What `play` answers, and the statistics of games that `replay` shares with it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Device, SearchSettings};

/// A series of games by one player.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PlayAnswer {
    /// Rows and columns.
    pub shape: String,
    /// The target tile; null if games are played until lost.
    pub to: Option<u128>,
    /// The spawn rule.
    pub spawn: String,
    /// Tiles on the board at the start.
    pub start_tiles: u16,
    /// Name of the player; `human` for the user.
    pub player: String,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The games summed up.
    #[serde(flatten)]
    pub games: GameStatistics,
    /// Moves a second of wall-clock time.
    pub moves_per_second: f64,
    /// Moves a second of one thread's playing time.
    pub moves_per_second_per_thread: f64,
    /// Median time from a game's start to its first 2048.
    pub seconds_to_2048: Option<f64>,
    /// Wall-clock time.
    pub seconds: f64,
    /// Threads that played.
    pub threads: usize,
    /// Where the player searched.
    pub device: Device,
    /// Name of the GPU, if it searched on one.
    pub gpu: Option<String>,
    /// Whether the user stopped the series early.
    pub interrupted: bool,
    /// The games that were not finished because of that; null if there are none. They are not among
    /// the others, which are then the shorter ones.
    pub unfinished: Option<UnfinishedGames>,
    /// The file with the moves of all games, if one was written.
    pub record: Option<PathBuf>,
    /// Size of that file.
    pub record_bytes: Option<u64>,
    /// How the player searched, if it did.
    pub search: Option<SearchSettings>,
    /// What the player lost against optimal play, if a table was given.
    pub regret: Option<RegretAnswer>,
}

/// Games that were interrupted, as far as they got.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct UnfinishedGames {
    /// Number of games.
    pub games: u64,
    /// The mean score so far.
    pub mean_score: Option<f64>,
    /// The mean number of moves so far.
    pub mean_moves: Option<f64>,
    /// Games by their largest tile so far.
    pub max_tile: BTreeMap<u128, u64>,
}

/// Many games summed up.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct GameStatistics {
    /// Number of games.
    pub games: u64,
    /// Games that reached the target; 0 without a target.
    pub won: u64,
    /// The mean score.
    pub mean_score: Option<f64>,
    /// The lowest score.
    pub min_score: Option<u128>,
    /// The highest score.
    pub max_score: Option<u128>,
    /// The mean number of moves.
    pub mean_moves: Option<f64>,
    /// Games by their largest tile at the end.
    pub max_tile: BTreeMap<u128, u64>,
    /// Standard deviation of the score.
    pub score_deviation: Option<f64>,
    /// Lower end of the 95 % confidence interval of the mean score.
    pub mean_score_low: Option<f64>,
    /// Upper end of that interval.
    pub mean_score_high: Option<f64>,
    /// Quantiles of the score.
    pub score_quantiles: Option<ScoreQuantiles>,
    /// For each tile, the games that reached at least it.
    pub reached: Vec<ReachedTile>,
    /// Median number of moves up to the first 2048, over the games that made one.
    pub moves_to_2048: Option<u64>,
}

/// Quantiles of the score: the smallest score that this share of the games do not exceed.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ScoreQuantiles {
    /// The lowest score.
    pub min: u128,
    /// 5 %.
    pub p5: u128,
    /// 25 %.
    pub p25: u128,
    /// The median.
    pub p50: u128,
    /// 75 %.
    pub p75: u128,
    /// 95 %.
    pub p95: u128,
    /// The highest score.
    pub max: u128,
}

/// The games that reached at least a tile.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ReachedTile {
    /// The tile.
    pub tile: u128,
    /// Number of games.
    pub games: u64,
    /// Their share of all games.
    pub share: f64,
    /// Lower end of the share's 95 % confidence interval (Wilson).
    pub low: f64,
    /// Upper end of that interval.
    pub high: f64,
}

/// Regret: what moves lose against optimal play, by a table.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RegretAnswer {
    /// Objective of the table.
    pub objective: String,
    /// Sum of the losses of a game's moves, the mean over the games.
    pub per_game: Option<f64>,
    /// Moves that lost something, the mean over the games.
    pub mistakes_per_game: Option<f64>,
    /// Moves in positions that the table covers.
    pub moves: u64,
}
