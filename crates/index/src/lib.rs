//! Boards as numbers: the index that counting, solving, tables and proofs stand on.
//!
//! The boards of a layer, all with the same tile sum, are cut into a top and a bottom half.
//! Halves are ranked within their sum, so that a board has a position in its layer that is
//! found by arithmetic alone, and a layer is a table of bits. The modules follow the data:
//! `row` and `half` rank, [`space`] places boards, [`tables`] knows what slides and spawns do
//! to halves, [`layer`] holds bits, [`mark`] sets them from many threads, [`pack`] makes them
//! small, [`BoardSet`] lists and ranks them, [`Store`] keeps them on disk.
//!
//! ```
//! use tilebase_game::{Board, Variant};
//! use tilebase_index::Places;
//!
//! let variant: Variant = "3x3-to-64".parse().unwrap();
//! let places = Places::new(&variant).unwrap();
//! let board = places.canonical(Board::parse("2,4,8/.,.,2/.,.,.", variant.shape()).unwrap());
//! let layer = places.layer(board.sum());
//! assert_eq!(layer.board(layer.position(board).unwrap()), Some(board));
//! ```
//!
//! # Trade-offs
//! Tables of bits cost room for boards that are never reached: over all layers, from 17 bits a
//! state (4x4 to 64) to 53 (4x4 to 16). In return nothing is sorted, hashed or searched, and
//! whole rows of boards move at once.

mod boards;
pub mod buffer;
mod codec;
mod error;
mod extent;
pub mod half;
mod images;
pub mod layer;
pub mod mark;
mod marks;
pub mod pack;
mod places;
pub mod row;
pub mod space;
mod store;
pub mod tables;

pub use boards::{BoardSet, UnpackError};
pub use error::IndexError;
pub use extent::{largest_exponent, largest_of, start_states};
pub use images::{Images, Imaging};
pub use marks::Marks;
pub use places::{LayerPlaces, Places};
pub use space::Space;
pub use store::{
    ByLargest, FORMAT, Keep, LayerCount, LayerEntry, LayerFile, Manifest, Store, read_manifest,
};
