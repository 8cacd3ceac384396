//! A table, open for reading.

use std::path::Path;
use std::sync::OnceLock;

use tilebase_game::{Objective, Rules, Variant};
use tilebase_index::BoardIndex;
use tilebase_util::files::FileError;

use crate::error::TableError;
use crate::home::Home;
use crate::layer::{LayerFile, LayerSets};
use crate::manifest::{Content, LayerEntry, Manifest};
use crate::value::StoredValue;

/// A finished table, open for reading. Files are opened when they are first needed.
pub struct Table {
    home: Home,
    manifest: Manifest,
    variant: Variant,
    objective: Objective,
    rules: Rules,
    index: BoardIndex,
    /// The files of the manifest's layers.
    files: Vec<OnceLock<LayerFile>>,
}

impl Table {
    /// Opens the table in a directory.
    pub fn open(dir: &Path) -> Result<Table, TableError> {
        let manifest = Manifest::read(dir)?.ok_or_else(|| TableError::Missing(dir.to_owned()))?;
        if !manifest.complete {
            return Err(TableError::Incomplete(dir.to_owned()));
        }
        Table::of(Home::Directory(dir.to_owned()), manifest, None)
    }

    /// The table that a manifest lists. Shares an index of the game's boards, if one is given.
    pub(crate) fn of(
        home: Home,
        manifest: Manifest,
        index: Option<BoardIndex>,
    ) -> Result<Table, TableError> {
        let dir = home.path();
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
            home,
            variant,
            manifest,
        })
    }

    /// The directory of the table.
    pub fn dir(&self) -> &Path {
        self.home.path()
    }

    /// Where its files are.
    pub(crate) fn home(&self) -> &Home {
        &self.home
    }

    /// The manifest.
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

    /// The file of a layer, if there is such a layer and it is not left out.
    pub(crate) fn file(&self, sum: u32) -> Result<Option<&LayerFile>, TableError> {
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
        let path = self.home.file(sum);
        let file = self.home.bytes(sum).and_then(|bytes| {
            let (content, index) = (self.manifest.content, self.index.layer(sum));
            LayerFile::open(&path, bytes, &layers[at], content, index)
        });
        let file = file.map_err(explained)?;
        Ok(Some(self.files[at].get_or_init(|| file)))
    }
}

/// Reports a missing file as damage to the table.
fn explained(error: FileError) -> FileError {
    match error {
        FileError::System { path, error } if error.kind() == std::io::ErrorKind::NotFound => {
            FileError::Damaged {
                path,
                what: "it is not there".to_owned(),
            }
        }
        error => error,
    }
}
