//! Layers on disk: a manifest and a file or two for each layer.
//!
//! docs/state-sets.md describes the format.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tilebase_game::Variant;
use tilebase_util::files::{Directory, checksum, read_json, verify, verify_content};

use crate::boards::{BoardSet, UnpackError};
use crate::error::IndexError;
use crate::pack::{Kept, Section};
use crate::places::Places;

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

/// The format of the manifest and the layers' files.
pub const FORMAT: u32 = 1;
const MAGIC: &[u8; 8] = b"TBSTATES";
const MANIFEST: &str = "manifest.json";

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
    fn fresh(variant: &Variant, keep: Keep) -> Manifest {
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

/// What a store keeps of each layer.
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
    fn files(&self) -> impl Iterator<Item = (Keep, LayerFile)> {
        let states = LayerFile {
            bytes: self.bytes,
            checksum: self.checksum.clone(),
        };
        let after = self.after.clone().map(|file| (Keep::Afterstates, file));
        std::iter::once((Keep::States, states)).chain(after)
    }
}

/// Layers that are kept, in a directory or in memory.
pub struct Store {
    home: Home,
    manifest: Manifest,
    /// Layers whose files are written but not yet in the manifest.
    pending: Vec<LayerEntry>,
}

/// Where layers are kept.
enum Home {
    Directory(Directory),
    /// Sets by sum, for games that are counted again in a moment.
    Memory(HashMap<(u32, Keep), Kept>),
}

impl Home {
    /// Where a file is, for people.
    fn path(&self, name: &str) -> PathBuf {
        match self {
            Home::Directory(dir) => dir.file(name),
            Home::Memory(_) => PathBuf::from(name),
        }
    }
}

fn file_name(sum: u32, what: Keep) -> String {
    match what {
        Keep::States => format!("layer-{sum:06}.states"),
        Keep::Afterstates => format!("layer-{sum:06}.afterstates"),
    }
}

impl Store {
    /// Opens a directory for a variant, or makes it. Files of layers that it lists are
    /// checked in full; from the first missing one on they are forgotten, and so are all if
    /// afterstates are to be kept and were not.
    pub fn open(dir: &Path, variant: &Variant, keep: Keep) -> Result<Store, IndexError> {
        let directory = Directory::open(dir)?;
        let fresh = Manifest::fresh(variant, keep);
        let manifest = match read_manifest(dir)? {
            None => fresh,
            Some(manifest) if manifest.variant == fresh.variant => {
                if manifest.with_afterstates || keep == Keep::States {
                    manifest
                } else {
                    fresh
                }
            }
            Some(manifest) => {
                return Err(IndexError::OtherVariant {
                    path: dir.to_owned(),
                    found: manifest.variant,
                    asked: variant.to_string(),
                });
            }
        };
        let mut store = Store {
            home: Home::Directory(directory),
            manifest,
            pending: Vec::new(),
        };
        store.check()?;
        Ok(store)
    }

    /// A store in memory.
    pub fn in_memory(variant: &Variant, keep: Keep) -> Store {
        Store {
            home: Home::Memory(HashMap::new()),
            manifest: Manifest::fresh(variant, keep),
            pending: Vec::new(),
        }
    }

    /// Whether nothing is written to disk.
    pub fn is_in_memory(&self) -> bool {
        matches!(self.home, Home::Memory(_))
    }

    /// Checks all files, and forgets the layers from the first missing one on.
    fn check(&mut self) -> Result<(), IndexError> {
        for (i, entry) in self.manifest.layers.iter().enumerate() {
            let files = entry
                .files()
                .map(|(what, file)| (self.home.path(&file_name(entry.sum, what)), file));
            let files: Vec<(PathBuf, LayerFile)> = files.collect();
            if files.iter().any(|(path, _)| !path.exists()) {
                self.manifest.layers.truncate(i);
                self.manifest.complete = false;
                break;
            }
            for (path, file) in files {
                verify(&path, file.bytes, &file.checksum)?;
            }
        }
        Ok(())
    }

    /// What is kept of each layer.
    pub fn keep(&self) -> Keep {
        if self.manifest.with_afterstates {
            Keep::Afterstates
        } else {
            Keep::States
        }
    }

    /// What the directory holds.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Size of all layers' files.
    pub fn bytes(&self) -> u64 {
        let entries = self.manifest.layers.iter().chain(&self.pending);
        let files = entries.flat_map(LayerEntry::files);
        files.map(|(_, file)| file.bytes).sum()
    }

    /// Reads the packed states or afterstates of a layer.
    pub fn read(&self, entry: &LayerEntry, what: Keep) -> Result<Vec<Section>, IndexError> {
        let path = self.home.path(&file_name(entry.sum, what));
        let Some((_, file)) = entry.files().find(|&(kind, _)| kind == what) else {
            return Err(self.damaged(entry));
        };
        let bytes = fs::read(&path).map_err(IndexError::file(&path))?;
        verify_content(&path, &bytes, file.bytes, &file.checksum)?;
        parse(&bytes, entry.sum).ok_or_else(|| self.damaged(entry))
    }

    /// The states or afterstates of a layer in memory.
    pub fn boards(
        &self,
        places: &Places,
        entry: &LayerEntry,
        what: Keep,
    ) -> Result<BoardSet, IndexError> {
        let layer = places.layer(entry.sum);
        let unpack = |sections: &[Section]| {
            BoardSet::unpack(layer.clone(), sections).map_err(|fault| match fault {
                UnpackError::System(error) => IndexError::System(error),
                UnpackError::Misfit => self.damaged(entry),
            })
        };
        match &self.home {
            Home::Directory(_) => unpack(&self.read(entry, what)?),
            Home::Memory(sets) => match sets.get(&(entry.sum, what)) {
                Some(Kept::Bits(bits)) => {
                    BoardSet::copy(layer, bits.words()).map_err(IndexError::System)
                }
                Some(Kept::Packed(sections)) => unpack(sections),
                None => unpack(&[]),
            },
        }
    }

    /// The error of a layer whose file has the right checksum but makes no sense.
    pub fn damaged(&self, entry: &LayerEntry) -> IndexError {
        IndexError::Damaged {
            path: self.home.path(&file_name(entry.sum, Keep::States)),
            what: "its content makes no sense".to_owned(),
        }
    }

    /// Keeps a layer. It is safe after the next [`Store::commit`].
    pub fn write(
        &mut self,
        count: &LayerCount,
        states: Kept,
        afterstates: Kept,
    ) -> Result<(), IndexError> {
        let file = self.keep_set(count.sum, Keep::States, states)?;
        let after = match self.keep() {
            Keep::States => None,
            Keep::Afterstates => Some(self.keep_set(count.sum, Keep::Afterstates, afterstates)?),
        };
        self.pending.push(LayerEntry {
            sum: count.sum,
            states: count.states,
            lost: count.lost,
            afterstates: count.afterstates,
            bytes: file.bytes,
            checksum: file.checksum,
            after,
        });
        match &self.home {
            Home::Directory(dir) if !dir.is_due() => Ok(()),
            _ => self.commit(),
        }
    }

    fn keep_set(&mut self, sum: u32, what: Keep, set: Kept) -> Result<LayerFile, IndexError> {
        match (&mut self.home, set) {
            (Home::Directory(dir), Kept::Packed(sections)) => {
                let bytes = serialize(sum, &sections);
                dir.write(&file_name(sum, what), &bytes)?;
                Ok(LayerFile {
                    bytes: bytes.len() as u64,
                    checksum: checksum(&bytes),
                })
            }
            // Bits are handed out to a store in memory only.
            (Home::Directory(_), Kept::Bits(_)) => Err(IndexError::System(std::io::Error::other(
                "a set is not packed",
            ))),
            (Home::Memory(sets), set) => {
                sets.insert((sum, what), set);
                Ok(LayerFile {
                    bytes: 0,
                    checksum: String::new(),
                })
            }
        }
    }

    /// Makes all layers written so far safe.
    pub fn commit(&mut self) -> Result<(), IndexError> {
        self.manifest.layers.append(&mut self.pending);
        match &mut self.home {
            Home::Directory(dir) => Ok(dir.commit(MANIFEST, &self.manifest)?),
            Home::Memory(_) => Ok(()),
        }
    }

    /// Notes that all layers are there.
    pub fn complete(&mut self) -> Result<(), IndexError> {
        self.manifest.complete = true;
        self.commit()
    }
}

/// Reads a directory's manifest, if it has one.
pub fn read_manifest(dir: &Path) -> Result<Option<Manifest>, IndexError> {
    let path = dir.join(MANIFEST);
    #[derive(Deserialize)]
    struct FormatOnly {
        format: u32,
    }
    match read_json::<FormatOnly>(&path)? {
        None => Ok(None),
        Some(found) if found.format != FORMAT => Err(IndexError::Format {
            path,
            found: found.format,
            known: FORMAT,
        }),
        Some(_) => Ok(read_json(&path)?),
    }
}

/// A layer's file: a head, the sections' heads, the sections' codes.
fn serialize(sum: u32, sections: &[Section]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(FORMAT.to_le_bytes());
    bytes.extend(sum.to_le_bytes());
    bytes.extend((sections.len() as u64).to_le_bytes());
    for section in sections {
        bytes.extend(section.top_units.to_le_bytes());
        bytes.extend(section.first_row.to_le_bytes());
        bytes.extend(section.count.to_le_bytes());
        bytes.extend((section.bytes.len() as u64).to_le_bytes());
    }
    sections
        .iter()
        .for_each(|section| bytes.extend(&section.bytes));
    bytes
}

fn parse(bytes: &[u8], sum: u32) -> Option<Vec<Section>> {
    fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
        let (head, tail) = rest.split_first_chunk()?;
        *rest = tail;
        Some(*head)
    }
    let rest = &mut &bytes[..];
    if take(rest)? != *MAGIC || u32::from_le_bytes(take(rest)?) != FORMAT {
        return None;
    }
    if u32::from_le_bytes(take(rest)?) != sum {
        return None;
    }
    let number = u64::from_le_bytes(take(rest)?);
    let mut heads = Vec::new();
    for _ in 0..number {
        let top_units = u32::from_le_bytes(take(rest)?);
        let first_row = u32::from_le_bytes(take(rest)?);
        let count = u64::from_le_bytes(take(rest)?);
        let length = usize::try_from(u64::from_le_bytes(take(rest)?)).ok()?;
        heads.push((top_units, first_row, count, length));
    }
    let mut sections = Vec::new();
    for (top_units, first_row, count, length) in heads {
        let (codes, tail) = rest.split_at_checked(length)?;
        *rest = tail;
        sections.push(Section {
            top_units,
            first_row,
            count,
            bytes: codes.to_vec(),
        });
    }
    rest.is_empty().then_some(sections)
}
