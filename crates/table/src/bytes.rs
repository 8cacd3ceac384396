//! The content of a file: mapped where it is on disk, or in memory.

use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use tilebase_util::files::FileError;

/// Bytes that do not change.
#[derive(Clone)]
pub(crate) enum Bytes {
    /// In memory, shared by all who read them.
    Memory(Arc<[u8]>),
    /// On disk.
    #[cfg(not(target_family = "wasm"))]
    Map(Arc<memmap2::Mmap>),
}

impl Bytes {
    /// The content of a file.
    #[cfg(not(target_family = "wasm"))]
    #[allow(unsafe_code, reason = "a mapped file can be changed by others")]
    pub fn read(path: &Path) -> Result<Bytes, FileError> {
        let file = std::fs::File::open(path).map_err(FileError::system(path))?;
        // SAFETY: files of a table are written once under another name and never changed
        // after, and every page is checked before it is used. A process that changes one
        // all the same changes plain bytes, which no reader here takes for valid without
        // looking; one that cuts it short ends this process with a signal.
        let map = unsafe { memmap2::Mmap::map(&file) }.map_err(FileError::system(path))?;
        Ok(Bytes::Map(Arc::new(map)))
    }

    /// The content of a file.
    #[cfg(target_family = "wasm")]
    pub fn read(path: &Path) -> Result<Bytes, FileError> {
        let bytes = std::fs::read(path).map_err(FileError::system(path))?;
        Ok(Bytes::Memory(bytes.into()))
    }
}

impl Deref for Bytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Memory(bytes) => bytes,
            #[cfg(not(target_family = "wasm"))]
            Bytes::Map(map) => map,
        }
    }
}
