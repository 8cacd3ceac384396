//! The answer of `evaluate`: the exact value of a player.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

use crate::PolicyOutcome;

/// How good a player is, exactly.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct EvaluateAnswer {
    /// Directory of the table.
    pub table: PathBuf,
    /// The game and the objective in words.
    pub title: String,
    /// Name of the player.
    pub player: &'static str,
    /// The objective.
    pub objective: String,
    /// Value of the start under the player.
    pub value: Option<f64>,
    /// Value of the start under optimal play.
    pub optimal: Option<f64>,
    /// What the player loses against optimal play, by the backward pass.
    pub regret: Option<f64>,
    /// The same as the sum over the layers, by the forward pass.
    pub regret_by_layers: Option<f64>,
    /// Mean number of moves in a game that are not best ones.
    pub mistakes_per_game: f64,
    /// States that were evaluated.
    pub states: u64,
    /// How games go.
    #[serde(flatten)]
    pub outcome: PolicyOutcome,
    /// Seconds it took.
    pub seconds: f64,
}
