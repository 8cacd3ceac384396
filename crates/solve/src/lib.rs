//! Optimal play: the backward pass through the layers of a game.
//!
//! [`solve`] counts a game, works backward from its last layer, and writes a table; [`evaluate()`]
//! computes the exact value of any policy, [`follow()`] where it leads, and [`strip()`] makes a
//! smaller table for play.
//! docs/solving.md has the equations, the errors and the costs.

mod backward;
mod best_play;
mod by_rows;
mod checkpoints;
#[cfg(not(target_family = "wasm"))]
mod cluster;
mod continuation;
mod descent;
mod error;
mod evaluate;
mod flow;
mod follow;
#[cfg(not(target_family = "wasm"))]
mod gpu;
mod pass;
mod plan;
mod strip;

pub use backward::LayerSolver;
pub use best_play::{check_best_play, keep_best_play};
pub use checkpoints::{Action, Backward, Checkpoints, carry_out};
#[cfg(not(target_family = "wasm"))]
pub use cluster::solve_together;
pub use continuation::Continuation;
pub use error::SolveError;
pub use evaluate::{Evaluation, evaluate};
pub use follow::{LayerFlow, PolicyFlow, Visit, follow};
#[cfg(not(target_family = "wasm"))]
pub use gpu::{
    GpuAnswer, GpuEstimate, GpuOptions, GpuSolution, GpuSolvedLayer, Width, estimate_on_gpu,
    solve_on_gpu, solve_to_table_on_gpu,
};
pub use pass::{SolveOptions, solve, solve_in_memory};
pub use plan::{SolveEstimate, estimate};
pub use strip::strip;
