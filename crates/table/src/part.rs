//! The files of a table in one place: those of the whole table, or of a shard.

use std::io;

use tilebase_index::BoardIndex;
use tilebase_util::files::FileError;

use crate::home::Home;
use crate::layer::LayerFile;
use crate::manifest::Manifest;

/// A whole table, or a shard of one.
pub(crate) struct TablePart {
    pub home: Home,
    pub manifest: Manifest,
}

impl TablePart {
    /// Opens the file of the layer that has a place in the manifest, and is not left out.
    pub fn open(&self, at: usize, index: &BoardIndex) -> Result<LayerFile, FileError> {
        let (entry, content) = (&self.manifest.layers[at], self.manifest.content);
        let bytes = self.home.bytes(entry.sum).map_err(explained)?;
        let path = self.home.file(entry.sum);
        LayerFile::open(&path, bytes, entry, content, index.layer(entry.sum))
    }
}

/// Reports a missing file as damage to the table.
fn explained(error: FileError) -> FileError {
    match error {
        FileError::System { path, error } if error.kind() == io::ErrorKind::NotFound => {
            FileError::Damaged {
                path,
                what: "it is not there".to_owned(),
            }
        }
        error => error,
    }
}
