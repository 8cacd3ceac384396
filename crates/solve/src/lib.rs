//! Optimal play, provably: the backward pass through the layers of a game.
//!
//! [`solve`] counts a game, works backward from its last layer, and leaves a table.
//! docs/solving.md has the equations, the errors and the costs.

mod backward;
mod checkpoints;
mod error;
mod evaluate;
mod flow;
mod follow;
#[cfg(not(target_family = "wasm"))]
mod gpu;
mod pass;
mod plan;
mod strip;

pub use backward::Game;
pub use checkpoints::{Action, Backward, Checkpoints, carry_out};
pub use error::SolveError;
pub use evaluate::{Evaluation, evaluate};
pub use follow::{Course, LayerFlow, Visit, follow};
#[cfg(not(target_family = "wasm"))]
pub use gpu::{
    GpuAnswer, GpuEstimate, GpuOptions, GpuSolution, GpuSolvedLayer, Width, estimate_on_gpu,
    solve_on_gpu,
};
pub use pass::{SolveOptions, solve, solve_in_memory};
pub use plan::{SolveEstimate, estimate};
pub use strip::strip;
