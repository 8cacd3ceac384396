//! Counting on a graphics card.
//!
//! The tables, the layout of bits and the steps are those of the processor, so the sets are
//! the same, bit by bit; the processor remains the reference. The driver and the compiler of
//! the kernels are looked for when they are needed, so the program builds and runs without.

mod device;
mod engine;
mod layer;
mod steps;
mod symmetric;
mod tables;

pub use device::{GROUND, card_memory, for_rows};
pub(crate) use engine::CardEngine;
pub use layer::{CardBlocks, CardLayer};
pub use steps::CardSteps;
