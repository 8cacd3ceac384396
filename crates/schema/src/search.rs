//! Searches: their settings, and what one search did.

use schemars::JsonSchema;
use serde::Serialize;

/// Settings of an expectimax search.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SearchSettings {
    /// Name of the evaluation at the leaves.
    pub evaluation: String,
    /// Slides to look ahead; null where another limit applies.
    pub max_depth: Option<u8>,
    /// Positions after which no deeper search is begun.
    pub max_positions: Option<u64>,
    /// Milliseconds after which the search is stopped.
    pub max_milliseconds: Option<u64>,
    /// Spawns below this probability are not searched further.
    pub cutoff: f64,
    /// Moves that are worse than the best by more points than this are not searched further;
    /// null if all are.
    pub pruning_margin: Option<f64>,
    /// Boards with more distinct tiles than this are searched deeper; null if none are.
    pub extend_above: Option<u8>,
}

/// A search of a position.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Search {
    /// Its settings.
    #[serde(flatten)]
    pub settings: SearchSettings,
    /// Slides looked ahead.
    pub depth: u8,
    /// Positions visited.
    pub visited: u64,
    /// The board with halved tiles that was searched in place of one with tiles above 32768.
    pub searched_as: Option<String>,
}
