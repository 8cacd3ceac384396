//! Where the files of a table are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tilebase_util::files::FileError;

use crate::bytes::Bytes;
use crate::writer::file_name;

/// A directory, or memory.
#[derive(Clone)]
pub(crate) enum Home {
    Directory(PathBuf),
    /// Layers by tile sum.
    Memory(BTreeMap<u32, Arc<[u8]>>),
}

impl Home {
    /// The location, for messages.
    pub fn path(&self) -> &Path {
        match self {
            Home::Directory(path) => path,
            Home::Memory(_) => Path::new("memory"),
        }
    }

    /// The location of a layer's file, for messages.
    pub fn file(&self, sum: u32) -> PathBuf {
        self.path().join(file_name(sum))
    }

    /// The content of a layer's file.
    pub fn bytes(&self, sum: u32) -> Result<Bytes, FileError> {
        match self {
            Home::Directory(_) => Bytes::read(&self.file(sum)),
            Home::Memory(layers) => match layers.get(&sum) {
                Some(bytes) => Ok(Bytes::Memory(Arc::clone(bytes))),
                None => Err(FileError::Damaged {
                    path: self.file(sum),
                    what: "it is not there".to_owned(),
                }),
            },
        }
    }
}
