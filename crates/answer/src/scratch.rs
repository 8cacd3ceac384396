//! Room on disk for tables that are too large for memory, where there is a disk.

use std::sync::OnceLock;

/// A directory that is removed in the end, made when it is first needed.
#[derive(Default)]
pub struct Scratch(OnceLock<Room>);

#[cfg(not(target_family = "wasm"))]
type Room = tempfile::TempDir;
#[cfg(target_family = "wasm")]
type Room = ();

/// A directory of one table, removed with it.
#[cfg(not(target_family = "wasm"))]
pub type Files = tempfile::TempDir;
/// There are no files.
#[cfg(target_family = "wasm")]
pub enum Files {}

impl Scratch {
    /// A new directory in it.
    #[cfg(not(target_family = "wasm"))]
    pub fn directory(&self) -> std::io::Result<Files> {
        let room = match self.0.get() {
            Some(room) => room,
            None => {
                let made = tempfile::Builder::new().prefix("tilebase-").tempdir()?;
                // Where two made one at once, the other's is removed again.
                self.0.get_or_init(|| made)
            }
        };
        tempfile::Builder::new().tempdir_in(room.path())
    }

    /// There is no room.
    #[cfg(target_family = "wasm")]
    pub fn directory(&self) -> std::io::Result<Files> {
        Err(std::io::ErrorKind::Unsupported.into())
    }
}

#[cfg(target_family = "wasm")]
impl Files {
    /// Where it would be.
    pub fn path(&self) -> &std::path::Path {
        match *self {}
    }
}
