//! Writing a table, layer by layer, from the last tile sum down.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tilebase_index::{BoardIndex, LayerIndex};
use tilebase_util::files::Directory;

use crate::encode::EncodedLayer;
use crate::error::TableError;
use crate::home::Home;
use crate::layer::{LayerFile, LayerSets};
use crate::layer_files::LayerFiles;
use crate::manifest::{Content, LayerEntry, MANIFEST, Manifest, Start};
use crate::pages::Pages;
use crate::part::TablePart;
use crate::shard::shards_in;
use crate::table::Table;
use crate::value::StoredValue;

/// The name of a layer's file.
pub(crate) fn file_name(sum: u32) -> String {
    format!("layer-{sum:06}.table")
}

/// A table being written.
pub struct TableWriter {
    /// The directory that is written to, if the table is not in memory.
    dir: Option<Directory>,
    home: Home,
    manifest: Manifest,
    /// Layers whose files are written but not yet in the manifest.
    pending: Vec<LayerEntry>,
}

impl TableWriter {
    /// Opens or creates a directory for a table. A table, or shard, of the same game and objective
    /// that is already there is resumed: the files of its layers are checked in full, and layers from
    /// the first missing file on are dropped.
    pub fn open(dir: &Path, manifest: Manifest) -> Result<TableWriter, TableError> {
        let found = Manifest::read(dir)?;
        if manifest.shard.is_none() && found.is_none() && !shards_in(dir).is_empty() {
            return Err(TableError::Other {
                path: dir.to_owned(),
                found: "shards of a table".to_owned(),
                asked: manifest.title(),
            });
        }
        if let Some(found) = &found
            && (found.title() != manifest.title() || found.from != manifest.from)
        {
            return Err(TableError::Other {
                path: dir.to_owned(),
                found: found.title(),
                asked: manifest.title(),
            });
        }
        let mut writer = TableWriter {
            dir: Some(Directory::open(dir)?),
            home: Home::Directory(dir.to_owned()),
            manifest: found.unwrap_or(manifest),
            pending: Vec::new(),
        };
        writer.check()?;
        Ok(writer)
    }

    /// A table that is kept in memory.
    pub fn in_memory(manifest: Manifest) -> TableWriter {
        TableWriter {
            dir: None,
            home: Home::Memory(BTreeMap::new()),
            manifest,
            pending: Vec::new(),
        }
    }

    /// Whether it is kept in memory.
    pub fn is_in_memory(&self) -> bool {
        self.dir.is_none()
    }

    fn check(&mut self) -> Result<(), TableError> {
        for (i, entry) in self.manifest.layers.iter().enumerate() {
            if self.manifest.content.leaves_out(entry.sum) {
                continue;
            }
            let path = self.home.file(entry.sum);
            if !path.exists() {
                self.manifest.layers.truncate(i);
                self.manifest.complete = false;
                break;
            }
            Pages::open(&path, entry.bytes, &entry.checksum)?.check_all()?;
        }
        let again = matches!(self.manifest.content, Content::Rounded | Content::BestPlay);
        if again && !self.manifest.complete {
            // The values above were rounded, and going on from them would add to the error; or
            // what is met above is not known.
            self.manifest.layers.clear();
        }
        Ok(())
    }

    /// The manifest so far.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The directory for intermediate work.
    pub fn work(&self) -> PathBuf {
        self.home.path().join("states")
    }

    /// Sets the precision of the values to come.
    pub fn set_bounds(&mut self, relative_error_bound: f64, tie_tolerance: f64) {
        self.manifest.relative_error_bound = relative_error_bound;
        self.manifest.tie_tolerance = tie_tolerance;
    }

    /// Writes a layer. It is durable after the next commit.
    pub fn write(&mut self, layer: EncodedLayer) -> Result<(), TableError> {
        if layer.bytes.is_empty() {
            // The layer is left out.
        } else if let Some(dir) = &mut self.dir {
            dir.write(&file_name(layer.entry.sum), &layer.bytes)?;
        } else if let Home::Memory(layers) = &mut self.home {
            layers.insert(layer.entry.sum, Arc::from(layer.bytes));
        }
        self.pending.push(layer.entry);
        if self.dir.as_ref().is_some_and(Directory::is_due) {
            self.commit()?;
        }
        Ok(())
    }

    /// Makes all layers written so far durable.
    pub fn commit(&mut self) -> Result<(), TableError> {
        self.manifest.layers.append(&mut self.pending);
        // Forward passes come from below.
        self.manifest.layers.sort_by_key(|entry| Reverse(entry.sum));
        if let Some(dir) = &mut self.dir {
            dir.commit(MANIFEST, &self.manifest)?;
        }
        Ok(())
    }

    /// The lowest tile sum written so far.
    pub fn lowest(&self) -> Option<u32> {
        let layers = self.pending.iter().rev();
        let layers = layers.chain(self.manifest.layers.iter().rev());
        layers.map(|entry| entry.sum).next()
    }

    /// Drops the layers with a tile sum below this one, at once; the table is not complete any more.
    /// Processes that solve a game together go on from the last layer that all of them have.
    pub fn drop_below(&mut self, sum: u32) -> Result<(), TableError> {
        let keeps = |entry: &LayerEntry| entry.sum >= sum;
        let mut layers = self.manifest.layers.iter().chain(&self.pending);
        if layers.all(keeps) && !self.manifest.complete {
            return Ok(());
        }
        self.pending.retain(keeps);
        self.manifest.layers.retain(keeps);
        self.manifest.complete = false;
        self.manifest.start = None;
        if let Home::Memory(layers) = &mut self.home {
            *layers = layers.split_off(&sum);
        }
        self.commit()
    }

    /// The table as far as it is committed.
    pub fn table(&self) -> Result<Table, TableError> {
        self.table_of(None)
    }

    /// The table as far as it is committed, with an existing index of the game's boards.
    pub fn table_with(&self, index: BoardIndex) -> Result<Table, TableError> {
        self.table_of(Some(index))
    }

    fn table_of(&self, index: Option<BoardIndex>) -> Result<Table, TableError> {
        let part = TablePart {
            home: self.home.clone(),
            manifest: self.manifest.clone(),
        };
        Table::of(self.home.path(), vec![part], index)
    }

    /// Marks the table complete, with the value of the start.
    pub fn complete(&mut self, start: Start) -> Result<(), TableError> {
        self.manifest.start = Some(start);
        self.manifest.complete = true;
        self.commit()
    }

    /// Reads a layer back: its boards and the values of its afterstates. The index is that of the
    /// layer, or of the part of it that has all boards that were written.
    pub fn read<V: StoredValue>(
        &self,
        index: LayerIndex,
        entry: &LayerEntry,
    ) -> Result<(LayerSets, Vec<V>), TableError> {
        let path = self.home.file(entry.sum);
        let bytes = self.home.bytes(entry.sum)?;
        let content = self.manifest.content;
        let file = LayerFile::open(&path, bytes, entry, content, index)?;
        let file = LayerFiles::new(vec![file])?;
        Ok((file.sets()?, file.values()?))
    }
}
