//! How many moves a tile needs at least, whoever plays and on whatever board.
//!
//! Tiles are kept in a bag instead of on a board: a move merges every pair of equal
//! tiles, and one new tile falls. Nothing is left to choose, so the number of moves to the
//! target depends on the tiles that fall alone, and it is never more than on a board where
//! the same tiles fall. [`lower_bound`] gives its exact distribution.
//!
//! ```
//! use tilebase_plan::lower_bound::{BoundGoal, lower_bound};
//! use tilebase_game::Spawn;
//! use tilebase_util::progress::Silent;
//!
//! let goal = BoundGoal::new(11, Spawn::STANDARD, 2)?;
//! let bound = lower_bound(&goal, &Silent)?;
//! assert_eq!(bound.mean, 938.8099173553719);
//! assert_eq!((bound.fewest, bound.most), (519, 1032));
//! # Ok::<(), tilebase_plan::lower_bound::BoundError>(())
//! ```
//!
//! # Exactness
//! [`LowerBound::fewest`] and [`LowerBound::most`] are exact. The mean is computed in whole
//! multiples of 2^-70 and rounded once at the end: it is off by at most 2^-50 and half a
//! unit of its last place. The variance and the probabilities are sums of positive
//! products in `f64`, with a relative error of the order of 10^-16 for each move.
//! [`LowerBound::distribution`] leaves out what is less likely than [`LEAST_LISTED`].

mod bag;
mod bound;
mod chain;
mod distribution;
mod goal;
mod moments;

pub use bound::{LowerBound, lower_bound};
pub use distribution::LEAST_LISTED;
pub use goal::{BoundError, BoundGoal};
