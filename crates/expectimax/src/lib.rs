//! Expectimax search, and the evaluations at its leaves.
//!
//! An [`ExpectimaxSearch`] alternates max nodes, which take the best of four slides, with
//! chance nodes, which take the mean over all spawns. It searches to a fixed depth, or deepens
//! until it has seen enough positions, and values the afterstates at its leaves with an
//! [`Evaluation`]. A transposition table avoids searching the same afterstate twice.
//!
//! [`Smooth`] is a hand-written evaluation for every shape up to 4×4. The crate
//! `tilebase-network` has a trained one, an n-tuple network for 4×4.
//!
//! ```
//! use tilebase_expectimax::{ExpectimaxOptions, ExpectimaxSearch, SearchLimit, Smooth};
//! use tilebase_game::{Board, Move, Rules, Spawn};
//!
//! let shape = "3x3".parse()?;
//! let rules = Rules::new(shape)?;
//! let smooth = Smooth::new(rules, Spawn::STANDARD);
//! let options = ExpectimaxOptions::default();
//! let mut search = ExpectimaxSearch::new(rules, Spawn::STANDARD, &smooth, options);
//! let board = Board::parse("64,32,16/2,2,8/.,4,2", shape)?;
//! let advice = search.advise(board, SearchLimit::Depth(3)).ok_or("lost")?;
//! assert_eq!(advice.moves[0].m, Move::Left);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Trade-offs
//! Values are 64-bit floats, rounded so that their sums are exact: the same search gives the same
//! bits on every machine, in the browser and on a GPU. The crate uses no threads, clock or files.

mod evaluation;
mod options;
mod search;
mod smooth;
mod transposition;

pub use evaluation::{Evaluation, NO_EXTENSION};
pub use options::{ExpectimaxOptions, MAX_DEPTH, SearchLimit};
pub use search::{Advice, ExpectimaxSearch, ScoredMove, extended_depth};
pub use smooth::Smooth;
