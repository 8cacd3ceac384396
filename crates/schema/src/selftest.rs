//! The answer of `selftest`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::Device;

/// Small games counted, and on a GPU solved, in two ways.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SelftestAnswer {
    /// The tested device.
    pub device: Device,
    /// Name of the GPU.
    pub gpu: Option<String>,
    /// The games.
    pub games: Vec<SelftestGame>,
    /// Games that were played on the GPU, compared with the processor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub play: Option<SelftestPlay>,
    /// Whether all numbers agree.
    pub same: bool,
}

/// A game of the self-test.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SelftestGame {
    /// The game, such as `3x3-to-512`.
    pub variant: String,
    /// Live states.
    pub states: u64,
    /// Layers with a state.
    pub layers: usize,
    /// Whether all numbers agree.
    pub same: bool,
    /// Tile sum of the first layer that differs.
    pub differs_at: Option<u32>,
    /// Seconds of the reference.
    pub reference_seconds: f64,
    /// Seconds of the tested device or method.
    pub seconds: f64,
    /// The game solved on the GPU, compared with the processor.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<SelftestValues>,
}

/// Searches on the GPU, compared with the processor.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SelftestPlay {
    /// Games that were played to their end.
    pub games: u64,
    /// Moves in these games.
    pub moves: u64,
    /// Positions that were searched deeper.
    pub positions: usize,
    /// Positions whose values differ.
    pub different: usize,
    /// Whether all moves are the same, and all values to the last bit.
    pub same: bool,
    /// Seconds on the processor.
    pub reference_seconds: f64,
    /// Seconds on the GPU.
    pub seconds: f64,
}

/// A game solved in one way on the GPU, compared with the processor.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SelftestValues {
    /// The objective.
    pub objective: String,
    /// Bits of a value.
    pub bits: u64,
    /// How often a layer was made again, on average by size.
    pub passes: f64,
    /// Number of compared values.
    pub values: usize,
    /// The largest relative difference.
    pub largest_difference: f64,
    /// The largest relative difference that is allowed.
    pub allowed: f64,
    /// Whether values differ by no more than that, and sure wins and losses not at all.
    pub same: bool,
}
