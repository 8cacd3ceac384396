//! Every reachable state of a game, layer by layer.
//!
//! A slide keeps the sum of all tiles and a spawn adds 2 or 4 to it, so the states of a
//! game fall into layers, each made from the two before it. A layer is a bitmap, with a bit for
//! each board that could be in it, up to some of its symmetries.
//!
//! - [`count()`] counts all layers, [`count_reporting`] reports each as soon as it is known,
//!   [`count_layers`] passes on the states of each.
//! - [`CountPlan`] computes beforehand how much memory a count needs.
//! - [`Store`](tilebase_index::Store) keeps layers on disk.
//! - [`LayerEngine`] is what computes layers, and [`ForwardPass`] drives it: the place for
//!   engines of other kinds.
//!
//! ```
//! use tilebase_count::{CountOptions, count};
//! use tilebase_util::progress::Silent;
//!
//! let variant = "3x3-to-64".parse().unwrap();
//! let found = count(&variant, &CountOptions::default(), None, &Silent).unwrap();
//! assert_eq!(found.states(), 594_046);
//! ```
//!
//! # Trade-offs
//! Bitmaps have room for boards that are never reached: from 17 bits a state (4x4 to 64) to 53
//! (4x4 to 16) over all layers; three layers are in memory at a time. In return each board is
//! found by arithmetic alone, and whole rows of boards move at once.

mod bounds;
mod census;
#[cfg(not(target_family = "wasm"))]
mod cluster;
mod count;
mod engine;
mod error;
mod figure;
#[cfg(not(target_family = "wasm"))]
mod gpu;
mod layer_engine;
mod lost;
mod pass;
mod plan;
mod slide;
mod spawn;

pub use bounds::{Bounds, bounds};
pub use census::Tally;
#[cfg(not(target_family = "wasm"))]
pub use cluster::{
    SharedLayer, Wanted, agree, count_together, gather, round_words, share_bytes, shares,
};
pub use count::{Count, CountOptions, count, count_layers, count_reporting};
pub use error::CountError;
pub use figure::{Column, layers_svg};
pub use layer_engine::{LayerEngine, LayerRequest, LayerResult};
pub use pass::{ForwardPass, LayerObserver};
pub use plan::{BlockSizes, CountPlan, Estimate};
