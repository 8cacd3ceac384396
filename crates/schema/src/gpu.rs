//! The answers of `solve` on a GPU.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Category, Device, Direction, StartValue, Walls};

/// A game solved on a GPU without a table.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GpuSolveAnswer {
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
    /// Lost states.
    pub lost: u64,
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
    /// Bits of a value.
    pub bits: u64,
    /// Always null: `positions` has the values of the request.
    pub table: Option<String>,
    /// The positions of the request, in its order.
    pub positions: Vec<GpuPosition>,
    /// All layers with a live state, by tile sum.
    pub layers: Vec<GpuSolveLayer>,
    /// Seconds it took.
    pub seconds: f64,
    /// Seconds for setting up and for the first way up through the layers.
    pub count_seconds: f64,
    /// Seconds for the backward pass.
    pub backward_seconds: f64,
    /// Number of checkpoints.
    pub checkpoints: usize,
    /// Bytes of checkpoints on the GPU.
    pub checkpoint_gpu_bytes: u64,
    /// Bytes of checkpoints in the machine's memory.
    pub checkpoint_host_bytes: u64,
    /// How often a layer was made on the way up to others, on average by size.
    pub passes: f64,
    /// Bytes of sets and values on the GPU.
    pub gpu_bytes: u64,
    /// Where it was solved.
    pub device: Device,
}

/// A layer of a solved game.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GpuSolveLayer {
    /// Tile sum.
    pub sum: u32,
    /// Live states.
    pub states: u64,
    /// Afterstates without the target tile.
    pub afterstates: u64,
    /// Live states that are sure wins.
    pub sure_wins: u64,
    /// Live states that are sure losses.
    pub sure_losses: u64,
}

/// A position of the request. Its values are null if it is not a live state.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GpuPosition {
    /// The board in hex, or as tile values where hex has no digit for a tile.
    pub board: String,
    /// The board as tile values.
    pub tiles: String,
    /// The objective's number: a probability, points or moves.
    pub value: Option<f64>,
    /// 1 minus the probability of winning, in full precision.
    pub complement: Option<f64>,
    /// What is certain; null without a target.
    pub category: Option<Category>,
    /// The legal moves, best first.
    pub moves: Vec<GpuMove>,
}

/// A legal move of a position.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GpuMove {
    /// Direction of the slide.
    #[serde(rename = "move")]
    pub direction: Direction,
    /// The objective's number: a probability, points or moves.
    pub value: Option<f64>,
    /// 1 minus the probability of winning, in full precision.
    pub complement: Option<f64>,
    /// What is certain; null without a target.
    pub category: Option<Category>,
    /// The board after the slide, before a tile spawns.
    pub afterstate: String,
}

/// What solving on a GPU would need, by a rough estimate.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GpuSolveDryRun {
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
    /// Bits of a value.
    pub bits: u64,
    /// Bytes of sets and values on the GPU.
    pub gpu_bytes: u64,
    /// Name of the GPU; null if none can be used.
    pub gpu_name: Option<String>,
    /// Free bytes of its memory.
    pub gpu_free_bytes: Option<u64>,
    /// Whether the GPU's memory is enough.
    pub fits: bool,
    /// Why no GPU can be used.
    pub missing: Option<String>,
    /// Number of checkpoints.
    pub checkpoints: usize,
    /// Bytes of checkpoints on the GPU.
    pub checkpoint_gpu_bytes: u64,
    /// Bytes of checkpoints in the machine's memory.
    pub checkpoint_host_bytes: u64,
    /// How often a layer is made on the way up to others, on average by size.
    pub passes: f64,
    /// Memory of the machine that may be used.
    pub memory_bytes: u64,
    /// Estimated time on an H200.
    pub seconds_estimate: f64,
}
