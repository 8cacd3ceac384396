//! Every reachable state of a game, layer by layer.
//!
//! A slide keeps the sum of all tiles and a spawn adds 2 or 4 to it, so the states of a
//! game fall into layers, each made from the two before it. A layer is a table of bits, one
//! for each board that could be in it up to some of its symmetries: nothing is sorted,
//! hashed or searched. [`count`] goes through all layers, [`count_layers`] shows the states of
//! each, [`Store`](tilebase_index::Store) keeps them on disk, and [`Plan`] tells beforehand what all this needs.
//!
//! ```
//! use tilebase_count::{Options, count};
//! use tilebase_util::progress::Silent;
//!
//! let variant = "3x3-to-64".parse().unwrap();
//! let found = count(&variant, &Options::default(), None, &Silent).unwrap();
//! assert_eq!(found.states(), 594_046);
//! ```
//!
//! # Trade-offs
//! Tables of bits cost room for boards that are never reached: from 17 bits a state (4x4 to
//! 64) to 53 (4x4 to 16), over all layers, of which three are in memory at a time. In return each board is found by
//! arithmetic alone, and whole rows of boards move at once.

mod bounds;
mod census;
mod engine;
mod error;
mod figure;
#[cfg(not(target_family = "wasm"))]
mod gpu;
mod pass;
mod plan;
mod slide;
mod spawn;

pub use bounds::{Bounds, bounds};
pub use error::CountError;
pub use figure::{Column, layers_svg};
pub use pass::{Count, Options, count, count_layers, count_telling};
pub use plan::{Estimate, Plan};
