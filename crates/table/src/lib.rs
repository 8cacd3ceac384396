//! Tables of solved games: what every live state is worth under optimal play, on disk.
//!
//! A table keeps the worth of every afterstate, in full precision. A state is worth its best
//! move, so a probe looks up at most four of them; there are fewer afterstates than states,
//! and nothing has to be rounded to make a table small. [`Table`] probes, [`TableWriter`]
//! writes, [`verify()`] checks. docs/tables.md describes the files.
//!
//! # Trade-offs
//! Values are read through a memory map, and a page is checked against its checksum when it
//! is touched for the first time: the first probes of a page cost microseconds more, and a
//! damaged page is an error rather than a wrong answer.

mod bytes;
mod chance;
mod error;
mod home;
mod keys;
mod layer;
mod manifest;
mod objective;
mod packed;
mod pages;
pub mod policy;
mod probe;
mod table;
mod value;
mod verify;
mod writer;

pub use chance::Chance;
pub use error::TableError;
pub use layer::{EncodedLayer, LayerBytes, LayerSets, encode_layer};
pub use manifest::{Content, FORMAT, LayerEntry, MANIFEST, Manifest, Start};
pub use objective::{Category, Objective};
pub use probe::{Probe, ProbedMove, Status};
pub use table::Table;
pub use value::{Soonest, SoonestSum, StoredValue, Tagged, TaggedSum, Value};
pub use verify::{Report, verify};
pub use writer::TableWriter;
