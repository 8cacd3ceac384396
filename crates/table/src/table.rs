//! A table, open for reading.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tilebase_game::{Objective, Rules, Variant};
use tilebase_index::BoardIndex;

use crate::error::TableError;
use crate::layer::LayerSets;
use crate::layer_files::LayerFiles;
use crate::manifest::{Content, LayerEntry, Manifest};
use crate::part::TablePart;
use crate::shards::{survey, together};
use crate::value::StoredValue;

/// A finished table, open for reading. Files are opened when they are first needed.
pub struct Table {
    dir: PathBuf,
    /// The whole table, or its shards.
    parts: Vec<TablePart>,
    manifest: Manifest,
    variant: Variant,
    objective: Objective,
    rules: Rules,
    index: BoardIndex,
    /// The files of the manifest's layers.
    files: Vec<OnceLock<LayerFiles>>,
}

impl Table {
    /// Opens the table in a directory: a whole one, or one in shards.
    pub fn open(dir: &Path) -> Result<Table, TableError> {
        let survey = survey(dir)?;
        match survey.faults.into_iter().next() {
            Some(fault) => Err(fault),
            None => Table::of(dir, survey.parts, None),
        }
    }

    /// The table of some parts, at least one. Shares an index of the game's boards, if one is given.
    pub(crate) fn of(
        dir: &Path,
        parts: Vec<TablePart>,
        index: Option<BoardIndex>,
    ) -> Result<Table, TableError> {
        let manifest = together(&parts);
        let variant = manifest.variant(dir)?;
        Ok(Table {
            objective: manifest.objective(dir)?,
            rules: Rules::of(&variant)
                .map_err(|error| TableError::Index(tilebase_index::IndexError::Shape(error)))?,
            index: match index {
                Some(index) => index,
                None => BoardIndex::new(&variant)?,
            },
            files: manifest.layers.iter().map(|_| OnceLock::new()).collect(),
            dir: dir.to_owned(),
            parts,
            variant,
            manifest,
        })
    }

    /// The directory of the table.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The whole table, or its shards.
    pub(crate) fn parts(&self) -> &[TablePart] {
        &self.parts
    }

    /// How many shards it is in; `None` if it is whole.
    pub fn shards(&self) -> Option<u32> {
        let shard = self.parts.first().and_then(|part| part.manifest.shard);
        shard.map(|shard| shard.processes)
    }

    /// The manifest. That of a table in shards has the counts and sizes of all of them.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The game.
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// The objective.
    pub fn objective(&self) -> Objective {
        self.objective
    }

    /// The rules of the game's shape.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The index of the game's boards.
    pub fn index(&self) -> &BoardIndex {
        &self.index
    }

    /// The layers from the first tile sum up.
    pub fn layers(&self) -> impl DoubleEndedIterator<Item = &LayerEntry> {
        self.manifest.layers.iter().rev()
    }

    /// Reads the boards of a layer into memory.
    pub fn sets(&self, sum: u32) -> Result<Option<LayerSets>, TableError> {
        let Some(file) = self.file(sum)? else {
            return Ok(None);
        };
        file.sets().map(Some)
    }

    /// The values of a layer's afterstates, by rank; none if there is no such layer.
    pub fn values<V: StoredValue>(&self, sum: u32) -> Result<Vec<V>, TableError> {
        self.needs_values()?;
        match self.file(sum)? {
            None => Ok(Vec::new()),
            Some(file) => Ok(file.values()?),
        }
    }

    /// Fails if the table has not all values in full.
    pub fn needs_values(&self) -> Result<(), TableError> {
        match self.manifest.content {
            Content::Values => Ok(()),
            Content::Moves => Err(TableError::MovesOnly(self.dir().to_owned())),
            Content::Rounded | Content::BestPlay => Err(TableError::Rounded(self.dir().to_owned())),
        }
    }

    /// The files of a layer, if there is such a layer and it is not left out.
    pub(crate) fn file(&self, sum: u32) -> Result<Option<&LayerFiles>, TableError> {
        let layers = &self.manifest.layers;
        // From the last sum down.
        let Ok(at) = layers.binary_search_by(|entry| sum.cmp(&entry.sum)) else {
            return Ok(None);
        };
        if self.manifest.content.leaves_out(sum) {
            return Ok(None);
        }
        if let Some(file) = self.files[at].get() {
            return Ok(Some(file));
        }
        let parts = self.parts.iter();
        let files = parts.map(|part| part.open(at, &self.index));
        let files = LayerFiles::new(files.collect::<Result<_, _>>()?)?;
        Ok(Some(self.files[at].get_or_init(|| files)))
    }
}
