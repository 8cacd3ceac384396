//! Tables of solved games: the value of every live state under optimal play, on disk.
//!
//! A table stores the value of every afterstate in full precision. The value of a state is that
//! of its best move, so a probe looks up at most four afterstates; there are fewer afterstates
//! than states, so tables are small without rounding. Smaller ones have values in 16 bits, or only
//! what best play meets: see [`Content`]. [`Table`] probes, [`TableWriter`] writes,
//! [`verify()`] checks. docs/tables.md describes the files.
//!
//! # Trade-offs
//! Values are read through a memory map, and a page is checked against its checksum when it is
//! touched for the first time: the first probe of a page takes microseconds longer, and a
//! damaged page is an error rather than a wrong answer.

mod bytes;
mod encode;
mod error;
mod home;
mod join;
mod keys;
mod layer;
mod layer_files;
mod manifest;
mod packed;
mod pages;
mod part;
pub mod policy;
mod probability;
mod probe;
pub mod rounded;
mod shard;
mod shards;
mod table;
mod value;
mod verify;
mod writer;

pub use encode::{EncodedLayer, LayerData, LayerFacts, encode_layer};
pub use error::{ShardFault, TableError};
pub use layer::{LayerBytes, LayerSets};
pub use manifest::{Content, FORMATS, LayerEntry, MANIFEST, Manifest, Start};
pub use probability::Probability;
pub use probe::{Probe, ProbedMove};
pub use shard::{Shard, shard_dir};
pub use shards::is_table;
pub use table::Table;
pub use tilebase_game::{Category, Objective, Status, ValueKind};
pub use value::{ExpectedReturn, FastestWin, FastestWinSum, ReturnSum, StoredValue, Value};
pub use verify::{VerifyReport, verify};
pub use writer::TableWriter;
