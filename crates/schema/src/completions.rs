//! The answer of `completions`.

use schemars::JsonSchema;
use serde::Serialize;

/// A completion script.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CompletionsAnswer {
    /// Name of the shell.
    pub shell: String,
    /// The script.
    pub script: String,
}
