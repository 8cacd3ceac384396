//! Room on disk for tables that are too large for memory, where there is a disk.

#[cfg(not(target_family = "wasm"))]
pub use disk::{Files, Scratch};
#[cfg(target_family = "wasm")]
pub use none::{Files, Scratch};

#[cfg(not(target_family = "wasm"))]
mod disk {
    use std::sync::OnceLock;

    use tempfile::{Builder, TempDir};

    /// A directory of one table, removed with it.
    pub type Files = TempDir;

    /// A directory that is removed in the end, made when it is first needed.
    #[derive(Default)]
    pub struct Scratch(OnceLock<TempDir>);

    impl Scratch {
        /// A new directory in it.
        pub fn directory(&self) -> std::io::Result<Files> {
            let room = match self.0.get() {
                Some(room) => room,
                None => {
                    let made = Builder::new().prefix("tilebase-").tempdir()?;
                    // Where two made one at once, the other's is removed again.
                    self.0.get_or_init(|| made)
                }
            };
            Builder::new().tempdir_in(room.path())
        }
    }
}

#[cfg(target_family = "wasm")]
mod none {
    /// There are no files.
    pub enum Files {}

    /// There is no disk.
    #[derive(Default)]
    pub struct Scratch;

    impl Scratch {
        /// There is no room.
        pub fn directory(&self) -> std::io::Result<Files> {
            Err(std::io::ErrorKind::Unsupported.into())
        }
    }

    impl Files {
        /// Where they would be.
        pub fn path(&self) -> &std::path::Path {
            match *self {}
        }
    }
}
