//! The answers of `follow` and `evaluate`: what a policy does from the start.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

/// How games go under a policy.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PolicyOutcome {
    /// Probability of reaching the target; null without one.
    pub won: Option<f64>,
    /// Mean number of moves.
    pub mean_moves: f64,
    /// Mean score.
    pub mean_score: f64,
    /// How lost games end.
    pub lost_with: Vec<LostWith>,
    /// States that can be visited.
    pub states_visited: u64,
    /// The layers by tile sum.
    pub layers: Vec<PolicyLayer>,
}

/// The probability of losing with a largest tile.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LostWith {
    /// The largest tile at the end.
    pub tile: u128,
    /// Probability of such a loss.
    pub probability: f64,
}

/// What happens in a layer under a policy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PolicyLayer {
    /// Tile sum.
    pub sum: u32,
    /// Probability that the game passes through a live state of the layer.
    pub visited: f64,
    /// States of the layer that can be visited.
    pub states: u64,
    /// Probability that a move from here wins.
    pub won: f64,
    /// Probability that the tile after a move from here loses.
    pub lost: f64,
    /// Probability that the move made here is not a best one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mistakes: Option<f64>,
    /// What the moves made here lose against the best ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub regret: Option<f64>,
}

/// Where optimal play goes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FollowAnswer {
    /// Directory of the table.
    pub table: PathBuf,
    /// The game and the objective in words.
    pub title: String,
    /// How games go.
    #[serde(flatten)]
    pub outcome: PolicyOutcome,
    /// States visited with less probability are not listed.
    pub threshold: f64,
    /// Number of listed states.
    pub listed: u64,
    /// Share of all visits that go to listed states.
    pub listed_probability: f64,
    /// File of the listed states, if one was written.
    pub csv: Option<PathBuf>,
    /// File of the packed policy, if one was written.
    pub policy: Option<PathBuf>,
    /// Size of the packed policy.
    pub policy_bytes: Option<usize>,
    /// Seconds it took.
    pub seconds: f64,
}
