//! Errors as JSON.

use schemars::JsonSchema;
use serde::Serialize;

/// Why a request has no answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Error")]
pub struct ErrorAnswer {
    /// What is wrong, in one line.
    pub error: String,
}

/// Why one board of several has no answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "BoardError")]
pub struct BoardErrorAnswer {
    /// The board as it was given.
    pub board: String,
    /// What is wrong with it, in one line.
    pub error: String,
}
