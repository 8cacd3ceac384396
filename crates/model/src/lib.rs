//! The explicit Markov decision process of a small game: every state, every action, every
//! outcome with its exact probability.
//!
//! A [`Model`] lists a game; [`values`] and [`odds`] solve it plainly; [`write_drn`] hands it
//! to a model checker.

mod chance;
mod drn;
mod error;
mod model;
mod policy;
mod reference;
mod walk;

pub use chance::Chance;
pub use drn::write_drn;
pub use error::ModelError;
pub use model::{Action, Model, Outcome, Reduction, State, StateId};
pub use policy::{Objective, PolicyLine};
pub use reference::{Odds, odds, solve, start_value, values};
