//! The answers of `count`.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Device, ProcessReport, Walls};

/// The states of a game, layer by layer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CountAnswer {
    /// Rows and columns, such as `3x3`.
    pub shape: String,
    /// Value of the target tile; null for the whole game.
    pub to: Option<u128>,
    /// Spawn rule, such as `2:0.9,4:0.1`.
    pub spawn: String,
    /// Number of start tiles.
    pub start_tiles: u16,
    /// The walls.
    #[serde(flatten)]
    pub walls: Walls,
    /// Number of live states.
    pub states: u64,
    /// Number of reachable lost states.
    pub lost: u64,
    /// Number of canonical afterstates without a target tile.
    pub afterstates: u64,
    /// Layers that have states, by tile sum.
    pub layers: Vec<CountLayer>,
    /// Upper bounds, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<CountBounds>,
    /// Seconds from start to end.
    pub seconds: f64,
    /// Seconds without setting up tables and a GPU's kernels.
    pub pass_seconds: Option<f64>,
    /// Where the states were counted.
    pub device: Device,
    /// Number of threads.
    pub threads: usize,
    /// Whether layers were split into parts because memory was short.
    pub in_parts: bool,
    /// Most memory that the program had in use.
    pub peak_memory_bytes: Option<u64>,
    /// Directory of the states, if they are kept.
    pub dir: Option<PathBuf>,
    /// Size of the files in it.
    pub bytes: Option<u64>,
    /// Bits on disk for each live state.
    pub bits_per_state: Option<f64>,
    /// What each process did, if several shared the work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processes: Option<Vec<ProcessReport>>,
}

/// The states with one tile sum.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CountLayer {
    /// Sum of the tiles.
    pub sum: u32,
    /// Number of live states.
    pub states: u64,
    /// Number of reachable lost states.
    pub lost: u64,
    /// Number of canonical afterstates without a target tile.
    pub afterstates: u64,
    /// The same states by largest tile, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_largest: Option<Vec<LargestTile>>,
}

/// The states of a layer that have the same largest tile.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LargestTile {
    /// Value of the largest tile.
    pub largest: u128,
    /// Number of live states.
    pub states: u64,
    /// Number of reachable lost states.
    pub lost: u64,
}

/// Upper bounds on the number of states, by combinatorics alone.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct CountBounds {
    /// Boards with tiles below the target, at least two tiles and a 2 or a 4 among them.
    pub baseline: u128,
    /// The same boards in layers that play can reach.
    pub layer_reachability: u128,
    /// Value of the largest tile that the shape can hold in play.
    pub largest_tile: u128,
}

/// What a count would need.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CountDryRun {
    /// Rows and columns, such as `3x3`.
    pub shape: String,
    /// Value of the target tile; null for the whole game.
    pub to: Option<u128>,
    /// The walls.
    #[serde(flatten)]
    pub walls: Walls,
    /// Always true.
    pub dry_run: bool,
    /// Most layers that there can be.
    pub layers: u64,
    /// Size of the largest layer.
    pub largest_layer_bytes: u64,
    /// Size of the tables.
    pub table_bytes: u64,
    /// Memory that whole layers need.
    pub whole_bytes: u64,
    /// Memory that layers in parts need at least.
    pub least_bytes: u64,
    /// Memory that is allowed.
    pub memory_bytes: u64,
    /// Whether the memory is enough.
    pub fits: bool,
    /// Whether layers would be split into parts.
    pub in_parts: bool,
    /// Rough size of the states on disk.
    pub disk_bytes_estimate: u64,
    /// Rough time in seconds.
    pub seconds_estimate: f64,
    /// The same for a GPU, if one was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpu: Option<CountGpuNeed>,
    /// Upper bounds, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<CountBounds>,
    /// Bytes of memory that each process needs, if several share the work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub process_bytes: Option<Vec<u64>>,
}

/// What a count on a GPU would need.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CountGpuNeed {
    /// GPU memory that whole layers need.
    pub needed_bytes: u64,
    /// GPU memory that layers in parts need at least.
    pub least_bytes: u64,
    /// Memory of this machine that layers in parts need.
    pub host_bytes: u64,
    /// Rough time in seconds on an H200.
    pub seconds_estimate: f64,
    /// Name of the GPU, if there is one.
    pub name: Option<String>,
    /// Its free memory.
    pub free_bytes: Option<u64>,
    /// GPU memory that is allowed; null for all that is free.
    pub allowed_bytes: Option<u64>,
    /// Whether the memory is enough.
    pub fits: bool,
    /// Whether layers would be split into parts.
    pub in_parts: bool,
    /// Why there is no usable GPU.
    pub missing: Option<String>,
}

/// A game that cannot be counted, but has bounds.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct UncountableGame {
    /// Rows and columns, such as `5x5`.
    pub shape: String,
    /// Value of the target tile; null for the whole game.
    pub to: Option<u128>,
    /// The walls.
    #[serde(flatten)]
    pub walls: Walls,
    /// Always true.
    pub dry_run: bool,
    /// Always false.
    pub fits: bool,
    /// Why it cannot be counted.
    pub reason: String,
    /// Upper bounds.
    pub bounds: CountBounds,
}
