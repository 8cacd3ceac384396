//! The explicit Markov decision process of a small game: every state, every action, every
//! outcome with its exact probability.
//!
//! A [`Model`] lists a game; [`values`] and [`odds`] solve it plainly; [`write_drn`] hands it
//! to a model checker, [`write_dot`] to Graphviz, and [`write_svg`] draws it.
//!
//! # Example
//! ```
//! use tilebase_model::{Model, Objective, Reduction, start_value, values};
//!
//! let model = Model::build(&"2x2-to-32".parse().unwrap(), Reduction::Actions, 1000)?;
//! assert_eq!((model.states().len(), model.actions()), (57, 93));
//! let win = start_value(&model, &values(&model, Objective::Win));
//! assert!((win - 0.0829).abs() < 1e-4);
//! # Ok::<(), tilebase_model::ModelError>(())
//! ```
//!
//! # Trade-offs
//! Every outcome is kept, so a model takes some hundred bytes a state: right for games that
//! one wants to see, or to hand to other programs, up to a few million states.

mod chance;
mod diagram;
mod dot;
mod drn;
mod error;
mod model;
mod policy;
mod reference;
mod style;
mod view;
mod walk;

pub use chance::Chance;
pub use diagram::write_svg;
pub use dot::write_dot;
pub use drn::write_drn;
pub use error::ModelError;
pub use model::{Action, Model, Outcome, Reduction, State, StateId};
pub use policy::{Objective, PolicyLine};
pub use reference::{Odds, odds, solve, start_value, values};
pub use view::{Drawing, Grouping, Policy, Ties};
