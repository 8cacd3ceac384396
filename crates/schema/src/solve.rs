//! The answers of `solve`.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Category, Device, ProcessReport, SectionBytes, Walls};

/// A solved game, and its table.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SolveAnswer {
    /// Rows and columns.
    pub shape: String,
    /// The target tile; null if play goes on until the game is lost.
    pub to: Option<u128>,
    /// How tiles spawn.
    pub spawn: String,
    /// Tiles on the board at the start.
    pub start_tiles: u16,
    /// The walls.
    #[serde(flatten)]
    pub walls: Walls,
    /// Name of the objective.
    pub objective: &'static str,
    /// The discount; 1 for none.
    pub discount: f64,
    /// Live states.
    pub states: u64,
    /// Afterstates without the target tile.
    pub afterstates: u64,
    /// Live states that are sure wins; null without a target.
    pub sure_wins: Option<u64>,
    /// Live states that are sure losses; null without a target.
    pub sure_losses: Option<u64>,
    /// The value of the start.
    #[serde(flatten)]
    pub start: StartValue,
    /// Absolute error bound of `start_value`.
    pub error_bound: Option<f64>,
    /// Bound of the relative error of all values.
    pub relative_error_bound: f64,
    /// Moves whose values differ by at most this fraction are ties.
    pub tie_tolerance: f64,
    /// Directory of the table.
    pub table: PathBuf,
    /// Size of the table.
    pub bytes: u64,
    /// Size of the table for each live state.
    pub bytes_per_state: f64,
    /// Sizes of the sections of the table's files.
    pub sections: SectionBytes,
    /// Seconds it took.
    pub seconds: f64,
    /// Where it was solved.
    pub device: Device,
    /// Threads used.
    pub threads: usize,
    /// Most memory used at a time.
    pub peak_memory_bytes: Option<u64>,
    /// What each process did, if several shared the work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processes: Option<Vec<ProcessReport>>,
}

/// The value of the random start under optimal play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct StartValue {
    /// Mean over the start states, weighted by their probability.
    pub start_value: Option<f64>,
    /// Smallest value of a start state.
    pub start_min: Option<f64>,
    /// Largest value of a start state.
    pub start_max: Option<f64>,
    /// Probability of winning.
    pub start_win: Option<f64>,
    /// 1 minus the probability of winning, in full precision.
    pub start_complement: Option<f64>,
    /// What is certain; null without a target.
    pub category: Option<Category>,
}

/// What solving would need, by a rough estimate.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SolveDryRun {
    /// Rows and columns.
    pub shape: String,
    /// The target tile; null if play goes on until the game is lost.
    pub to: Option<u128>,
    /// Name of the objective.
    pub objective: &'static str,
    /// The walls.
    #[serde(flatten)]
    pub walls: Walls,
    /// Always true: nothing was solved.
    pub dry_run: bool,
    /// Estimated memory.
    pub memory_bytes_estimate: u64,
    /// Memory that may be used.
    pub memory_bytes: u64,
    /// Whether the memory is enough.
    pub fits: bool,
    /// Estimated disk space.
    pub disk_bytes_estimate: u64,
    /// Estimated time.
    pub seconds_estimate: f64,
    /// Estimated memory of each process, if several are to share the work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub process_bytes_estimate: Option<u64>,
}
