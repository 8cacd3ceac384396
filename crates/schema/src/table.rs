//! The answer of `table info`, `table verify` and `table strip`.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Content, StartValue, Walls};

/// A table on disk.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TableAnswer {
    /// Whether the table is intact, as far as it was read.
    pub ok: bool,
    /// What is broken, one message for each file.
    pub broken: Vec<String>,
    /// Directory of the table.
    pub table: PathBuf,
    /// How many shards the table is in; `null` if it is whole.
    pub shards: Option<u32>,
    /// The game and the objective in words.
    pub title: String,
    /// The game, such as `3x3-to-512`.
    pub variant: String,
    /// The walls.
    #[serde(flatten)]
    pub walls: Walls,
    /// Name of the objective.
    pub objective: String,
    /// The discount; 1 for none.
    pub discount: f64,
    /// What is stored.
    pub content: Content,
    /// Version of the program that wrote the table.
    pub written_by: String,
    /// Format of the files.
    pub format: u32,
    /// Live states.
    pub states: u64,
    /// Afterstates without the target tile.
    pub afterstates: u64,
    /// The value of the start.
    #[serde(flatten)]
    pub start: StartValue,
    /// Bound of the relative error of all values.
    pub relative_error_bound: f64,
    /// Moves whose values differ by at most this fraction are ties.
    pub tie_tolerance: f64,
    /// Size of the table.
    pub bytes: u64,
    /// Size of the table for each live state.
    pub bytes_per_state: f64,
    /// Sizes of the sections of all files.
    pub sections: SectionBytes,
    /// The layers, from the last tile sum down.
    pub layers: Vec<TableLayer>,
}

/// Sizes of the sections of layers' files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SectionBytes {
    /// Which boards are states.
    pub states: u64,
    /// Which boards are afterstates.
    pub afterstates: u64,
    /// Values of the afterstates.
    pub values: u64,
    /// Best moves of the states.
    pub moves: u64,
    /// Headers and checksums.
    pub other: u64,
}

/// A layer of a table.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TableLayer {
    /// Tile sum.
    pub sum: u32,
    /// Live states.
    pub states: u64,
    /// Live states that are sure wins.
    pub sure_wins: u64,
    /// Live states that are sure losses.
    pub sure_losses: u64,
    /// Afterstates without the target tile.
    pub afterstates: u64,
    /// Sizes of the sections of the file.
    pub sections: SectionBytes,
    /// Size of the file.
    pub bytes: u64,
    /// Checksum of the file's page checksums, XXH3 in hex.
    pub checksum: String,
}
