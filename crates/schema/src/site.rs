//! Static sites: the answer of `site`, and the list of tables that the page reads.

use schemars::JsonSchema;
use serde::Serialize;

use crate::TableEntry;

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

/// The tables of a static site.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SiteTables {
    /// The tables.
    pub tables: Vec<SiteTable>,
}

/// A table of a static site.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SiteTable {
    /// Name of its file.
    pub file: String,
    /// Bytes of the file.
    pub bytes: usize,
    /// The table, as the API lists it.
    pub entry: TableEntry,
}
