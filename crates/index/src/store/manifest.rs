//! The manifest of a directory of layers.

use std::path::Path;

use serde::{Deserialize, Serialize};
use tilebase_game::Variant;
use tilebase_util::files::{SealError, read_if_there, unseal};

use crate::error::IndexError;

/// Numbers of boards by the exponent of their largest tile.
pub type ByLargest = [u64; 16];

/// What was found in a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerCount {
    /// Tile sum.
    pub sum: u32,
    /// Live states, by the exponent of their largest tile.
    pub states: ByLargest,
    /// Lost states, by the exponent of their largest tile.
    pub lost: ByLargest,
    /// Afterstates without a target tile.
    pub afterstates: u64,
}

/// The format of the manifest. The first had no checksum of its own, so nothing vouches for its
/// numbers, and it is not read any more.
pub const FORMAT: u32 = 2;
pub(super) const MANIFEST: &str = "manifest.json";

/// What a directory holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// [`FORMAT`] when it was written.
    pub format: u32,
    /// The version of the program that wrote it.
    pub version: String,
    /// The variant's name.
    pub variant: String,
    /// Whether all layers are there.
    pub complete: bool,
    /// Whether afterstates are kept beside the states.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub with_afterstates: bool,
    /// The layers by tile sum.
    pub layers: Vec<LayerEntry>,
}

impl Manifest {
    /// The manifest of a store without a layer.
    pub(super) fn fresh(variant: &Variant, keep: Keep) -> Manifest {
        Manifest {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            variant: variant.to_string(),
            complete: false,
            with_afterstates: keep == Keep::Afterstates,
            layers: Vec::new(),
        }
    }
}

/// A layer in the manifest.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LayerEntry {
    /// Tile sum.
    pub sum: u32,
    /// Live states, by the exponent of their largest tile.
    pub states: ByLargest,
    /// Lost states, by the exponent of their largest tile.
    pub lost: ByLargest,
    /// Afterstates without a target tile.
    pub afterstates: u64,
    /// Size of the file.
    pub bytes: u64,
    /// XXH3 (64 bits) of the file, in hex.
    pub checksum: String,
    /// The file of the afterstates, where they are kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<LayerFile>,
}

/// A file in the manifest.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LayerFile {
    /// Size of the file.
    pub bytes: u64,
    /// XXH3 (64 bits) of the file, in hex.
    pub checksum: String,
}

/// The sets that a store keeps of each layer, or one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keep {
    /// The live states.
    States,
    /// The live states and the afterstates.
    Afterstates,
}

impl LayerEntry {
    /// The layer's numbers.
    pub fn count(&self) -> LayerCount {
        LayerCount {
            sum: self.sum,
            states: self.states,
            lost: self.lost,
            afterstates: self.afterstates,
        }
    }

    /// The layer's files.
    pub(super) fn files(&self) -> impl Iterator<Item = (Keep, LayerFile)> {
        let states = LayerFile {
            bytes: self.bytes,
            checksum: self.checksum.clone(),
        };
        let after = self.after.clone().map(|file| (Keep::Afterstates, file));
        std::iter::once((Keep::States, states)).chain(after)
    }
}

/// Reads a directory's manifest, if it has one.
pub fn read_manifest(dir: &Path) -> Result<Option<Manifest>, IndexError> {
    let path = dir.join(MANIFEST);
    let Some(text) = read_if_there(&path)? else {
        return Ok(None);
    };
    let manifest = unseal(&text, FORMAT..=FORMAT).map_err(|error| match error {
        SealError::Format(found) => IndexError::Format {
            path,
            found,
            known: FORMAT,
        },
        SealError::Damaged(what) => IndexError::Manifest { path, what },
    })?;
    Ok(Some(manifest))
}
