//! Boards as numbers: the index that counting, solving, tables and proofs are built on.
//!
//! The boards of a layer, all with the same tile sum, are cut into a top and a bottom half.
//! Halves are ranked within their sum, so that a board has a position in its layer that is
//! found by arithmetic alone, and a set of boards is a bitmap.
//!
//! - [`BoardIndex`] numbers the boards of a game, [`LayerIndex`] those of one layer.
//! - [`BoardSet`] is a set of boards with ranks, [`LayerBits`] a plain bitmap.
//! - [`Store`] keeps the sets of all layers on disk or in memory.
//! - [`Imaging`] finds the canonical forms of all boards that a spawn can make.
//!
//! ```
//! use tilebase_game::{Board, Variant};
//! use tilebase_index::BoardIndex;
//!
//! let variant: Variant = "3x3-to-64".parse().unwrap();
//! let index = BoardIndex::new(&variant).unwrap();
//! let board = index.canonical(Board::parse("2,4,8/.,.,2/.,.,.", variant.shape()).unwrap());
//! let layer = index.layer(board.sum());
//! assert_eq!(layer.board(layer.position(board).unwrap()), Some(board));
//! ```
//!
//! # For passes over whole layers
//! The public modules are the layers below, for code that makes whole layers at a time, on
//! processors or on a GPU: [`row`] ranks rows, [`space`] finds places of boards, [`tables`] has
//! what slides and spawns do to halves, [`layer`] is a bitmap in blocks, [`buffer`] its memory,
//! [`mark`] sets bits from many threads, [`pack`] compresses,
//! [`positions`] are lists and [`sparse`] are blocks for other processes.
//!
//! # Trade-offs
//! Bitmaps have room for boards that are never reached: over all layers, from 17 bits a state
//! (4x4 to 64) to 53 (4x4 to 16). In return nothing is sorted, hashed or searched, and whole
//! rows of boards move at once.

pub mod allowed;
mod bits;
mod board_index;
mod board_set;
pub mod buffer;
mod codec;
mod cut;
mod error;
mod extent;
mod half;
mod images;
pub mod layer;
pub mod mark;
pub mod pack;
pub mod positions;
pub mod row;
mod share;
pub mod space;
pub mod sparse;
mod store;
pub mod tables;

pub use bits::LayerBits;
pub use board_index::{BoardIndex, LayerIndex};
pub use board_set::{BoardSet, RankedRow, UnpackError};
pub use cut::Cut;
pub use error::IndexError;
pub use extent::{largest_exponent, largest_state_exponent, start_states};
pub use images::{Images, Imaging};
pub use share::{Shares, even_cuts};
pub use space::Space;
pub use store::{
    ByLargest, FORMAT, Keep, LayerCount, LayerEntry, LayerFile, Manifest, Store, read_manifest,
};
