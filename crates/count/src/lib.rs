//! Every reachable state of a game, layer by layer.
//!
//! A slide keeps the sum of all tiles and a spawn adds 2 or 4 to it, so the states of a
//! game fall into layers, each made from the two before it. A layer is a table of bits, one
//! for each board that could be in it up to some of its symmetries: nothing is sorted,
//! hashed or searched. [`count`] goes through all layers, [`count_layers`] shows the states of
//! each, [`Store`] keeps them on disk, and [`Plan`] tells beforehand what all this needs.
//!
//! ```
//! use tilebase_count::{Options, count};
//! use tilebase_progress::Silent;
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

mod awake;
mod boards;
mod bounds;
mod buffer;
#[cfg(not(target_family = "wasm"))]
mod card;
mod census;
mod codec;
mod engine;
mod error;
mod figure;
mod half;
mod images;
mod layer;
mod mark;
mod marks;
mod pack;
mod pass;
mod places;
mod plan;
mod row;
mod slide;
mod space;
mod spawn;
mod store;
mod tables;

pub use awake::{keep_awake, on_threads};
pub use boards::BoardSet;
pub use bounds::{Bounds, bounds, largest_exponent};
#[cfg(not(target_family = "wasm"))]
pub use card::{
    CardBlocks, CardLayer, CardSteps, GROUND, card_memory, for_rows, usable_card_memory,
};
pub use census::ByLargest;
pub use error::{CountError, bytes_text};
pub use figure::{Column, layers_svg};
pub use images::{Images, Imaging};
pub use marks::Marks;
pub use pass::{Count, Device, LayerCount, Options, count, count_layers, count_telling};
pub use places::{LayerPlaces, Places};
pub use plan::{Estimate, Plan};
pub use store::{FORMAT, Keep, LayerEntry, LayerFile, Manifest, Store, read_manifest};
