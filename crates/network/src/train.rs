//! Learns what positions of 4x4 are worth by playing.
//!
//! Many games are played in step by a player that looks one move ahead with the weights
//! learned so far. After each move the board before is known to be worth what was gained
//! plus the board now: the difference to what the weights said is their error, and each
//! weight moves by the mean of the errors it had in this step (temporal differences of
//! afterstates: Szubert and Jaśkowski 2014).
//!
//! A seed, a number of games and a number of steps give the same weights, bit by bit, on
//! every processor and GPU.

mod course;
mod cuda;
mod game;
mod learner;
mod stage;
mod state;

pub use course::{Course, Learn};
pub use cuda::CudaLearner;
pub use learner::Learner;
pub use state::{Plan, State};
