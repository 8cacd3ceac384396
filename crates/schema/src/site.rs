//! The answer of `site`.

use schemars::JsonSchema;
use serde::Serialize;

/// A static site that was written.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SiteAnswer {
    /// Its directory.
    pub out: String,
    /// Number of files.
    pub files: usize,
    /// Bytes of all files.
    pub bytes: usize,
    /// Ids of the tables in it.
    pub tables: Vec<String>,
}
