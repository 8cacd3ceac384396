//! Solving on a GPU.
//!
//! The steps from layer to layer are those of counting, and the arithmetic is that of the
//! processor's backward pass. Layers that do not fit anywhere are made again from checkpoints
//! (see [`Checkpoints`](crate::Checkpoints)). The results are the values of the start and of chosen
//! positions, and on request a rounded table.

mod answers;
mod descent;
mod kernels;
mod queries;
mod ranked;
mod run;
mod sizes;
mod slots;
mod solve;
mod table;
mod width;

use tilebase_game::{Board, Move};
use tilebase_table::{Start, Value};

pub use sizes::{GpuEstimate, estimate_on_gpu};
pub use solve::{solve_on_gpu, solve_to_table_on_gpu};
pub use width::Width;

/// How to solve on a GPU.
#[derive(Clone, Debug, Default)]
pub struct GpuOptions {
    /// Bits of a value; as many as fit if not given.
    pub width: Option<Width>,
    /// Bytes of this machine's memory for checkpoints that do not fit the GPU.
    pub memory: u64,
    /// Bytes of the GPU's memory that may be used; all that are free if not given.
    pub gpu_bytes: Option<u64>,
    /// Positions whose values are wanted.
    pub boards: Vec<Board>,
    /// Whether afterstates are listed for a table, which takes memory of the GPU.
    pub lists: bool,
}

/// The results for one layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GpuSolvedLayer {
    /// Tile sum.
    pub sum: u32,
    /// Live states.
    pub states: u64,
    /// Afterstates without the target.
    pub afterstates: u64,
    /// States that are sure wins.
    pub sure_wins: u64,
    /// States that are sure losses.
    pub sure_losses: u64,
    /// Afterstates that are sure wins.
    pub sure_afterstates: u64,
}

/// The value of a position and of its moves.
#[derive(Clone, Debug)]
pub struct GpuAnswer {
    /// The position.
    pub board: Board,
    /// Its value; `None` if it is neither a live state of the game nor lost.
    pub value: Option<Value>,
    /// The legal moves with their afterstates, best first.
    pub moves: Vec<(Move, Board, Value)>,
}

/// A game solved on a GPU.
#[derive(Clone, Debug)]
pub struct GpuSolution {
    /// Bits of a value.
    pub width: Width,
    /// The value of the start.
    pub start: Start,
    /// All layers with a live state, by tile sum.
    pub layers: Vec<GpuSolvedLayer>,
    /// Lost states.
    pub lost: u64,
    /// The values of the positions, in the order of [`GpuOptions::boards`].
    pub answers: Vec<GpuAnswer>,
    /// The largest relative error of values.
    pub relative_error_bound: f64,
    /// Seconds for setting up and for the first way up through the layers.
    pub count_seconds: f64,
    /// Seconds for the backward pass.
    pub backward_seconds: f64,
    /// Bytes of checkpoints and runs on the GPU, and of checkpoints in this machine's memory.
    pub checkpoint_bytes: [u64; 2],
    /// Number of checkpoints.
    pub checkpoints: usize,
    /// How often a layer was made on the way up to others, on average by size, the first way up
    /// included. Making the layer to solve it comes on top.
    pub passes: f64,
    /// Bytes of sets and values on the GPU.
    pub gpu_bytes: u64,
}
