//! The answer of `export`.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

words! {
    /// A format that tables are exported to.
    ExportFormat {
        /// A row for each live state.
        Parquet = "parquet",
        /// The same as text.
        Csv = "csv",
        /// The game as a Markov decision process, for the model checker Storm.
        Drn = "drn",
        /// A diagram for Graphviz.
        Dot = "dot",
        /// A diagram, drawn.
        Svg = "svg",
    }
}

/// What was exported.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ExportAnswer {
    /// Directory of the table.
    pub table: PathBuf,
    /// The game and the objective in words.
    pub title: String,
    /// The format.
    pub format: ExportFormat,
    /// The file that was written.
    pub out: Option<PathBuf>,
    /// Rows, of Parquet and CSV.
    pub rows: Option<u64>,
    /// Live states of the model, of the other formats.
    pub states: Option<u64>,
    /// Bytes written.
    pub bytes: u64,
    /// Seconds it took.
    pub seconds: f64,
}
