//! The content of a file: memory-mapped, or in memory.

use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use tilebase_util::files::FileError;

/// Bytes that do not change.
#[derive(Clone)]
pub(crate) enum Bytes {
    /// In memory, shared by all readers.
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
        // afterwards, and every page is checked before it is used. If another process changes
        // one anyway, only plain bytes change, which readers validate; if it truncates one,
        // this process ends with a signal.
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
