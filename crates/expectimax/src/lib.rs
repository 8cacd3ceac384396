//! Looks moves ahead: expectimax search and the evaluations at its leaves.
//!
//! A [`Search`] takes the best of the four slides, the mean over the tiles that may fall,
//! again the best slide and so on, to a depth or until enough was seen, and asks an
//! [`Evaluation`] what the positions there are worth. Two evaluations are here: [`Smooth`],
//! which any shape up to 4×4 can use, and [`NTupleNetwork`], learned for 4×4.
//!
//! ```
//! use tilebase_expectimax::{Effort, Options, Search, Smooth};
//! use tilebase_game::{Board, Move, Rules, Spawn};
//!
//! let shape = "3x3".parse()?;
//! let rules = Rules::new(shape)?;
//! let smooth = Smooth::new(rules, Spawn::STANDARD);
//! let mut search = Search::new(rules, Spawn::STANDARD, &smooth, Options::default());
//! let board = Board::parse("64,32,16/2,2,8/.,4,2", shape)?;
//! let advice = search.advise(board, Effort::Depth(3)).ok_or("lost")?;
//! assert_eq!(advice.moves[0].m, Move::Left);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Trade-offs
//! Values are floats of 64 bits, added in a fixed order: the same search gives the same
//! bits on every machine, in a browser too. The crate uses no threads, clock or files.

mod evaluation;
mod search;
mod smooth;
mod transposition;

pub use evaluation::{Evaluation, NO_CROWD};
pub use search::{Advice, DEEPEST, Effort, Options, ScoredMove, Search};
pub use smooth::Smooth;
