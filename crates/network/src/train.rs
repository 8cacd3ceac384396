//! Training of a network by temporal-difference learning of afterstates.
//!
//! Many games run in lockstep, played greedily (one ply) with the weights so far. After each
//! move the afterstate before it should have the value of the points just scored plus that of
//! the new afterstate. The difference to the network's output is the TD error, and each weight
//! moves by the mean of its errors in this step: TD(0) of afterstates (Szubert and Jaśkowski
//! 2014).
//!
//! - Optimistic initialization: [`TrainingConfig::initial_value`] makes unknown positions look
//!   good, so that the player explores (Guei, Chen and Wu 2021).
//! - TC learning: each weight has its own learning rate, by the temporal coherence of its errors
//!   (Beal and Smith 1999, Jaśkowski 2017), from the start or after a phase with a fixed rate.
//! - Stages with weight promotion: [`TrainingState::add_stage`].
//!
//! The same seed, number of games and number of steps give the same weights, bit by bit, on
//! every CPU and GPU.
//!
//! ```no_run
//! use tilebase_game::Rules;
//! use tilebase_network::train::{CpuTrainer, Trainer, TrainingConfig, TrainingState};
//!
//! let rules = Rules::new("4x4".parse()?)?;
//! let config = TrainingConfig {
//!     seed: 1,
//!     games: 256,
//!     initial_value: 0.0,
//!     learning_rate: 0.0,
//! };
//! let mut trainer = CpuTrainer::new(rules, TrainingState::new(&rules, config)?)?;
//! trainer.step(1_000)?;
//! println!("mean score {:?}", trainer.take_stats()?.mean_score());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod checkpoint;
mod cpu;
mod cuda;
mod error;
mod game;
mod stage;
mod state;
mod stats;

pub use cpu::CpuTrainer;
pub use cuda::GpuTrainer;
pub use error::TrainError;
pub use state::{TrainingConfig, TrainingState};
pub use stats::EpisodeStats;

/// Trains step by step: in a step every game makes one move.
pub trait Trainer {
    /// Runs this many steps.
    fn step(&mut self, steps: u64) -> Result<(), TrainError>;

    /// Calls `visitor` with the whole state, which it may change.
    fn visit_state(
        &mut self,
        visitor: &mut dyn FnMut(&mut TrainingState),
    ) -> Result<(), TrainError>;

    /// The games that ended since the last call.
    fn take_stats(&mut self) -> Result<EpisodeStats, TrainError>;
}
