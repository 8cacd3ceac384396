//! Layers on disk: a manifest and a file or two for each layer.
//!
//! docs/state-sets.md describes the format.

mod file;
mod manifest;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tilebase_game::Variant;
use tilebase_util::files::{Directory, checksum, verify, verify_content};

use crate::board_index::{BoardIndex, LayerIndex};
use crate::board_set::{BoardSet, UnpackError};
use crate::error::IndexError;
use crate::pack::{Section, SetData};

pub use manifest::{
    ByLargest, FORMAT, Keep, LayerCount, LayerEntry, LayerFile, Manifest, read_manifest,
};

use file::{file_name, parse, serialize};
use manifest::MANIFEST;

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
    /// Sets by sum, for a game that is solved at once.
    Memory(Mutex<HashMap<(u32, Keep), SetData>>),
}

impl Home {
    /// Where a file is, for messages.
    fn path(&self, name: &str) -> PathBuf {
        match self {
            Home::Directory(dir) => dir.file(name),
            Home::Memory(_) => PathBuf::from(name),
        }
    }
}

fn lock<T>(sets: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic elsewhere leaves the sets as they were.
    sets.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Store {
    /// Opens or creates the directory of a variant.
    ///
    /// The files of all layers in its manifest are checked in full. Layers from the first
    /// missing file on are dropped; so are all of them if afterstates are wanted and were not
    /// kept.
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
                    expected: variant.to_string(),
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
            home: Home::Memory(Mutex::default()),
            manifest: Manifest::fresh(variant, keep),
            pending: Vec::new(),
        }
    }

    /// Whether nothing is written to disk.
    pub fn is_in_memory(&self) -> bool {
        matches!(self.home, Home::Memory(_))
    }

    /// Checks all files, and drops the layers from the first missing one on.
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
        index: &BoardIndex,
        entry: &LayerEntry,
        what: Keep,
    ) -> Result<BoardSet, IndexError> {
        self.boards_in(index.layer(entry.sum), entry, what)
    }

    /// The same for a store that has a part of each layer, whose index is given.
    pub fn boards_in(
        &self,
        layer: LayerIndex,
        entry: &LayerEntry,
        what: Keep,
    ) -> Result<BoardSet, IndexError> {
        let unpack = |sections: &[Section]| {
            BoardSet::unpack(layer.clone(), sections).map_err(|error| match error {
                UnpackError::Memory(error) => IndexError::System(error),
                UnpackError::Invalid => self.damaged(entry),
            })
        };
        match &self.home {
            Home::Directory(_) => unpack(&self.read(entry, what)?),
            Home::Memory(sets) => match lock(sets).get(&(entry.sum, what)) {
                Some(SetData::Bits(bits)) => {
                    BoardSet::copy(layer, bits.words()).map_err(IndexError::System)
                }
                Some(SetData::Packed(sections)) => unpack(sections),
                None => unpack(&[]),
            },
        }
    }

    /// The states or afterstates of a layer, which will not be asked for again: a store in memory gives
    /// them away instead of copying them.
    pub fn take_boards(
        &self,
        index: &BoardIndex,
        entry: &LayerEntry,
        what: Keep,
    ) -> Result<BoardSet, IndexError> {
        if let Home::Memory(sets) = &self.home {
            // Not held while ranks are counted: that is done by many threads.
            let taken = lock(sets).remove(&(entry.sum, what));
            match taken {
                Some(SetData::Bits(bits)) => {
                    return Ok(BoardSet::ranked(index.layer(entry.sum), bits));
                }
                Some(packed) => {
                    lock(sets).insert((entry.sum, what), packed);
                }
                None => {}
            }
        }
        self.boards(index, entry, what)
    }

    /// The error of a layer whose file has the right checksum but invalid content.
    pub fn damaged(&self, entry: &LayerEntry) -> IndexError {
        IndexError::Damaged {
            path: self.home.path(&file_name(entry.sum, Keep::States)),
            what: "its content is invalid".to_owned(),
        }
    }

    /// Adds a layer. It survives a crash after the next [`Store::commit`].
    pub fn write(
        &mut self,
        count: &LayerCount,
        states: SetData,
        afterstates: SetData,
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

    fn keep_set(&mut self, sum: u32, what: Keep, set: SetData) -> Result<LayerFile, IndexError> {
        match (&mut self.home, set) {
            (Home::Directory(dir), SetData::Packed(sections)) => {
                let bytes = serialize(sum, &sections);
                dir.write(&file_name(sum, what), &bytes)?;
                Ok(LayerFile {
                    bytes: bytes.len() as u64,
                    checksum: checksum(&bytes),
                })
            }
            // Only stores in memory are given bits.
            (Home::Directory(_), SetData::Bits(_)) => Err(IndexError::System(
                std::io::Error::other("a set is not packed"),
            )),
            (Home::Memory(sets), set) => {
                lock(sets).insert((sum, what), set);
                Ok(LayerFile {
                    bytes: 0,
                    checksum: String::new(),
                })
            }
        }
    }

    /// Puts all layers written so far into the manifest.
    pub fn commit(&mut self) -> Result<(), IndexError> {
        self.manifest.layers.append(&mut self.pending);
        match &mut self.home {
            Home::Directory(dir) => Ok(dir.commit(MANIFEST, &self.manifest)?),
            Home::Memory(_) => Ok(()),
        }
    }

    /// Drops all layers with this tile sum or a larger one.
    pub fn truncate(&mut self, sum: u32) -> Result<(), IndexError> {
        self.manifest.layers.retain(|layer| layer.sum < sum);
        self.manifest.complete = false;
        self.commit()
    }

    /// Records that all layers are there.
    pub fn complete(&mut self) -> Result<(), IndexError> {
        self.manifest.complete = true;
        self.commit()
    }
}
