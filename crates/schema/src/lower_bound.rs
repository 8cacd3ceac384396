//! The fewest moves to a tile: the answer of `lower-bound`.

use schemars::JsonSchema;
use serde::Serialize;

/// The number of moves to a tile when every pair of equal tiles merges in every move. No player
/// on any board is faster.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LowerBoundAnswer {
    /// The target tile.
    pub to: u128,
    /// How tiles spawn.
    pub spawn: String,
    /// Tiles at the start.
    pub start_tiles: u16,
    /// Mean number of moves.
    pub mean: f64,
    /// Variance of the number of moves.
    pub variance: f64,
    /// Standard deviation of the number of moves.
    pub standard_deviation: f64,
    /// The fewest moves, with the luckiest tiles.
    pub fewest: u32,
    /// The most moves, with the unluckiest tiles.
    pub most: u32,
    /// Quantiles of the number of moves.
    pub quantiles: MoveQuantiles,
    /// Multisets of tiles that can arise before the target.
    pub bags: usize,
    /// Transitions between them, and to the target.
    pub transitions: usize,
    /// Time it took.
    pub seconds: f64,
    /// The probability of each number of moves; absent unless asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distribution: Option<Vec<MovesProbability>>,
}

/// The fewest moves within which the target is made with a probability of 1 %, 5 %, ….
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MoveQuantiles {
    /// 1 %.
    pub p1: u32,
    /// 5 %.
    pub p5: u32,
    /// 25 %.
    pub p25: u32,
    /// 50 %: the median.
    pub p50: u32,
    /// 75 %.
    pub p75: u32,
    /// 95 %.
    pub p95: u32,
    /// 99 %.
    pub p99: u32,
}

/// The probability of a number of moves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MovesProbability {
    /// Number of moves.
    pub moves: u32,
    /// Its probability.
    pub probability: f64,
}
