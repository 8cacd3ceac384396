//! The explicit Markov decision process of a small game: every state, every action, every
//! outcome with its exact probability.
//!
//! [`Model`] lists a game; [`values`] and [`win_values`] solve it by plain value iteration;
//! [`write_drn`] exports it to a model checker, [`write_dot`] to Graphviz, and [`write_svg`]
//! draws it.
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
//! Every outcome is stored, so a model takes a few hundred bytes a state: good for games to look
//! at, or to pass to other programs, up to a few million states.

mod diagram;
mod dot;
mod drn;
mod error;
mod fraction;
mod model;
mod policy;
mod reference;
mod style;
mod view;
mod walk;

pub use diagram::write_svg;
pub use dot::write_dot;
pub use drn::write_drn;
pub use error::ModelError;
pub use fraction::Fraction;
pub use model::{Action, Model, Outcome, Reduction, State, StateId};
pub use policy::StatePolicy;
pub use reference::{WinValue, solve, start_value, values, win_values};
pub use tilebase_game::Objective;
pub use view::{Drawing, Grouping, Policy, Ties};
