//! Temporary files for tables that are too large for memory. In a browser there are none.

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

    /// A temporary directory, made on first use and removed at the end.
    #[derive(Default)]
    pub struct Scratch(OnceLock<TempDir>);

    impl Scratch {
        /// Makes a new directory in it.
        pub fn directory(&self) -> std::io::Result<Files> {
            let root = match self.0.get() {
                Some(root) => root,
                None => {
                    let made = Builder::new().prefix("tilebase-").tempdir()?;
                    // If two threads made one at once, the other's is removed again.
                    self.0.get_or_init(|| made)
                }
            };
            Builder::new().tempdir_in(root.path())
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
        /// Fails: there is no disk.
        pub fn directory(&self) -> std::io::Result<Files> {
            Err(std::io::ErrorKind::Unsupported.into())
        }
    }

    impl Files {
        /// Their directory.
        pub fn path(&self) -> &std::path::Path {
            match *self {}
        }
    }
}
