//! Errors of layers and their files.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use tilebase_game::{Shape, TooLarge, tile_value};
use tilebase_util::files::FileError;

/// Why a game has no index, or a stored layer cannot be used.
#[derive(Debug)]
pub enum IndexError {
    /// The shape does not fit a packed board.
    Shape(TooLarge),
    /// The target is above what a packed board's states can lead to.
    Target {
        /// Exponent of the target.
        target: u8,
        /// Exponent of the largest target.
        most: u8,
    },
    /// The shape can never hold the target.
    Unreachable {
        /// The shape.
        shape: Shape,
        /// Its cells without a wall.
        free: u16,
        /// Exponent of the target.
        target: u8,
        /// Exponent of the largest tile that those cells can hold.
        largest: u16,
    },
    /// Without a target that counts everywhere, the game goes on beyond what a packed board can
    /// hold.
    Endless {
        /// The shape.
        shape: Shape,
        /// Its cells without a wall.
        free: u16,
    },
    /// The system refused memory or threads.
    System(io::Error),
    /// A file could not be read or written.
    File {
        /// Which file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// A stored file is not what was written.
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The list of all stored files is not what was written.
    Manifest {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The directory holds another game.
    OtherVariant {
        /// Which directory.
        path: PathBuf,
        /// The game that it holds.
        found: String,
        /// The game that was expected.
        expected: String,
    },
    /// The directory was written in a format that this version does not know.
    Format {
        /// Which file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The format known here.
        known: u32,
    },
    /// Another process is working in the directory.
    Busy(PathBuf),
}

impl IndexError {
    /// An error of a file operation.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> IndexError {
        |error| IndexError::File {
            path: path.to_owned(),
            error,
        }
    }

    /// Whether the request was wrong, rather than the work failed.
    pub fn is_request(&self) -> bool {
        matches!(
            self,
            IndexError::Shape(_)
                | IndexError::Target { .. }
                | IndexError::Unreachable { .. }
                | IndexError::Endless { .. }
                | IndexError::OtherVariant { .. }
        )
    }
}

impl From<FileError> for IndexError {
    fn from(error: FileError) -> IndexError {
        match error {
            FileError::System { path, error } => IndexError::File { path, error },
            FileError::Damaged { path, what } => IndexError::Damaged { path, what },
            FileError::Busy(path) => IndexError::Busy(path),
        }
    }
}

impl fmt::Display for IndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IndexError::Shape(error) => error.fmt(f),
            IndexError::Target { target, most } => write!(
                f,
                "target {} is too large: at most {}",
                tile_value(*target),
                tile_value(*most)
            ),
            IndexError::Unreachable {
                shape,
                free,
                target,
                largest,
            } => write!(
                f,
                "{} can never hold the target {}, at most a {}",
                cells(*shape, *free),
                tile_value(*target),
                1u128 << largest
            ),
            IndexError::Endless { shape, free } if *free == shape.cells() => write!(
                f,
                "the whole game on {shape} is too large without a target tile"
            ),
            IndexError::Endless { free, .. } => write!(
                f,
                "the whole game on {free} cells without a wall is too large: use a target that \
                 counts on every cell, or more walls"
            ),
            IndexError::System(error) => write!(f, "the system refused memory or threads: {error}"),
            IndexError::File { path, error } => write!(f, "{}: {error}", path.display()),
            IndexError::Damaged { path, what } => write!(
                f,
                "{} is damaged ({what}): delete it to count it and all layers after it again",
                path.display()
            ),
            IndexError::Manifest { path, what } => write!(
                f,
                "{} is damaged ({what}): delete it to count all layers again",
                path.display()
            ),
            IndexError::OtherVariant {
                path,
                found,
                expected,
            } => write!(
                f,
                "{} holds {found}, not {expected}: use another directory",
                path.display()
            ),
            IndexError::Format { path, found, known } => write!(
                f,
                "{} has format {found}, and this program reads format {known}: use the version that \
                 wrote it, or delete it to count all layers again",
                path.display()
            ),
            IndexError::Busy(path) => write!(
                f,
                "another process is using {}: wait for it, or use another directory",
                path.display()
            ),
        }
    }
}

impl std::error::Error for IndexError {}

/// A board, or its cells without a wall.
fn cells(shape: Shape, free: u16) -> String {
    if free == shape.cells() {
        format!("a {shape} board")
    } else {
        format!("{free} cells without a wall")
    }
}
