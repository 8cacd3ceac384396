//! The rules of 2048 and its relatives: the vocabulary that every other part of tilebase
//! speaks.
//!
//! A [`Variant`] says which game is played: a [`Shape`], a target, a [`Spawn`] rule and a
//! number of start tiles. A position of at most 4×4 cells is a [`Board`], one machine
//! word, and [`Rules`] moves it; a position of any shape up to 32×32 is a [`Grid`], which
//! moves itself. Both follow one set of rules and are tested by one set of tests.
//!
//! # The rules
//! A slide moves every tile as far as it goes towards a wall. Two equal tiles that meet
//! merge into their sum; pairs form from the wall, and a tile merges at most once a slide.
//! A slide that changes nothing is not legal. After a slide one new tile falls into an
//! empty cell. A position without a legal slide is lost.
//!
//! # Example
//! ```
//! use tilebase_game::{Board, Move, Rules, Shape, Spawn};
//!
//! let shape: Shape = "3x3".parse()?;
//! let rules = Rules::new(shape)?;
//! let board = Board::parse("2,2,4/.,.,./.,.,8", shape)?;
//!
//! // Slide: 2 and 2 merge, the new 4 does not merge again with the old one.
//! let after = rules.slide(board, Move::Left);
//! assert_eq!(after.unpack(shape).to_string(), "4,4,./.,.,./8,.,.");
//!
//! // Spawn: six cells are empty, each gets a 2 or a 4.
//! let outcomes: Vec<_> = rules.spawns(after, Spawn::STANDARD).collect();
//! assert_eq!(outcomes.len(), 12);
//! assert!((outcomes[0].probability - 0.9 / 6.0).abs() < 1e-15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Trade-offs
//! A `Board` holds tiles up to 32768. Only on 4×4 boards can play pass that, and
//! [`Board::slides_exactly`] is false where a slide might need a larger tile; `Grid` goes up to
//! 2^100 at about a fortieth of the speed. The row tables add 385 KiB to a program.
//!
//! The crate has no dependencies and uses no threads, clock or files, so that it also
//! builds for the browser.

mod board;
mod canonical;
mod cell_set;
mod formation;
mod grid;
mod halving;
mod matching;
mod moves;
mod notation;
mod objective;
mod policy;
mod rng;
mod row;
mod rules;
mod shape;
mod spawn;
mod status;
mod symmetry;
mod variant;

pub use board::{Board, MAX_PACKED_EXPONENT};
pub use canonical::{Afterstate, Afterstates, Representative};
pub use cell_set::CellSet;
pub use formation::{Formation, FormationError};
pub use grid::{Grid, MAX_EXPONENT, tile_value};
pub use matching::{Fit, WalledPosition};
pub use moves::{Move, MoveError, MoveSet};
pub use notation::{BoardError, TileError, parse_tile};
pub use objective::{Objective, ObjectiveDescriptor, Reward, ValueKind};
pub use policy::{EachBoard, Policy, deterministic};
pub use rng::Rng;
pub use rules::{Rules, TooLarge};
pub use shape::{Shape, ShapeError};
pub use spawn::{Outcome, Spawn, SpawnError};
pub use status::{Category, Status};
pub use symmetry::Symmetry;
pub use variant::{Variant, VariantError};

/// The examples of docs/library.md, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
struct LibraryPage;
