//! Errors of tables.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use tilebase_index::IndexError;
use tilebase_util::files::FileError;

use crate::shard::Shard;

/// Why a table could not be read or written.
#[derive(Debug)]
pub enum TableError {
    /// A file could not be read or written, is damaged, or is in use.
    File(FileError),
    /// There is no table.
    Missing(PathBuf),
    /// The table was not finished.
    Incomplete(PathBuf),
    /// The table was written in a format that this version does not know.
    Format {
        /// Which file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The last format known here.
        known: u32,
    },
    /// The directory holds another table.
    Other {
        /// Which directory.
        path: PathBuf,
        /// What it holds.
        found: String,
        /// What was requested.
        asked: String,
    },
    /// The table is in shards that are not one table.
    Shards {
        /// Which directory.
        path: PathBuf,
        /// What is wrong.
        fault: ShardFault,
    },
    /// The table has best moves only, no values.
    MovesOnly(PathBuf),
    /// The table has rounded values, or only some.
    Rounded(PathBuf),
    /// The table has best play only, which does not meet a position.
    NotMet(PathBuf),
    /// Values of the objective cannot be rounded.
    NotRounded(&'static str),
    /// The game's boards could not be indexed, or its states could not be read.
    Index(IndexError),
    /// The system refused memory or threads.
    System(io::Error),
}

/// Why shards are not one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShardFault {
    /// The directory is that of one shard.
    Alone(Shard),
    /// A shard is not there.
    Missing(Shard),
    /// Shards of this and of that many are together.
    Numbers(u32, u32),
    /// The directory holds something else.
    Other {
        /// What it holds.
        found: String,
        /// What it should hold.
        expected: String,
    },
    /// A shard does not go with the first one.
    Differs {
        /// Which shard.
        shard: Shard,
        /// What is different.
        what: &'static str,
    },
}

impl ShardFault {
    /// Writes what is wrong with the shards of a table, or with one, in a directory.
    fn write(&self, path: &Path, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dir = path.display();
        match self {
            ShardFault::Alone(shard) => match path.parent() {
                Some(parent) if parent != Path::new("") => {
                    write!(f, "{dir} is {shard} of a table: open {}", parent.display())
                }
                _ => write!(f, "{dir} is {shard} of a table: open the directory above"),
            },
            ShardFault::Missing(shard) => {
                write!(f, "{shard} of the table in {dir} is missing")
            }
            ShardFault::Numbers(one, other) => write!(
                f,
                "{dir} has shards of a table in {one} and of one in {other}: keep those of one table"
            ),
            ShardFault::Other { found, expected } => {
                write!(f, "{dir} holds {found}, not {expected}")
            }
            ShardFault::Differs { shard, what } => write!(
                f,
                "{shard} of the table in {dir} has another {what} than the first: they were not written together"
            ),
        }
    }
}

impl From<FileError> for TableError {
    fn from(error: FileError) -> TableError {
        TableError::File(error)
    }
}

impl From<IndexError> for TableError {
    fn from(error: IndexError) -> TableError {
        TableError::Index(error)
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::File(error) => error.fmt(f),
            TableError::Missing(path) => write!(f, "there is no table in {}", path.display()),
            TableError::Incomplete(path) => {
                write!(f, "the table in {} is not finished", path.display())
            }
            TableError::Format { path, found, known } => write!(
                f,
                "{} has format {found}, and this program knows formats up to {known}: use the version that wrote it",
                path.display()
            ),
            TableError::Other { path, found, asked } => {
                write!(f, "{} holds {found}, not {asked}", path.display())
            }
            TableError::Shards { path, fault } => fault.write(path, f),
            TableError::MovesOnly(path) => write!(
                f,
                "the table in {} has moves only, no values",
                path.display()
            ),
            TableError::Rounded(path) => write!(
                f,
                "the table in {} has rounded values: this needs a table with all values in full",
                path.display()
            ),
            TableError::NotMet(path) => write!(
                f,
                "best play by the table in {} does not meet this position",
                path.display()
            ),
            TableError::NotRounded(objective) => write!(
                f,
                "values of the objective {objective} cannot be rounded: write a full table"
            ),
            TableError::Index(error) => error.fmt(f),
            TableError::System(error) => write!(f, "the system refused memory or threads: {error}"),
        }
    }
}

impl std::error::Error for TableError {}
