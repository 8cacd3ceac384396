//! Errors of solving.

use std::fmt;
use std::io;

use tilebase_count::CountError;
use tilebase_gpu::GpuError;
use tilebase_index::IndexError;
use tilebase_table::TableError;
use tilebase_util::bytes_text;

/// Why a game was not solved. None of these loses anything that was stored.
#[derive(Debug)]
pub enum SolveError {
    /// The states could not be counted or read.
    Count(CountError),
    /// The GPU cannot be used, or it failed.
    Gpu(GpuError),
    /// The table could not be written or read.
    Table(TableError),
    /// A position that play should begin at is not in the table.
    Start(String),
    /// The objective needs a target tile.
    Target(&'static str),
    /// The objective cannot be solved on a GPU.
    OnProcessor(&'static str),
    /// The memory limit is too small.
    Memory {
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// Interrupted; finished layers are kept.
    Interrupted,
}

impl From<CountError> for SolveError {
    fn from(error: CountError) -> SolveError {
        match error {
            CountError::Interrupted => SolveError::Interrupted,
            CountError::Gpu(error) => SolveError::Gpu(error),
            error => SolveError::Count(error),
        }
    }
}

impl From<GpuError> for SolveError {
    fn from(error: GpuError) -> SolveError {
        SolveError::Gpu(error)
    }
}

impl From<IndexError> for SolveError {
    fn from(error: IndexError) -> SolveError {
        SolveError::Count(error.into())
    }
}

impl From<io::Error> for SolveError {
    /// The system refused memory or threads.
    fn from(error: io::Error) -> SolveError {
        SolveError::Count(error.into())
    }
}

impl From<TableError> for SolveError {
    fn from(error: TableError) -> SolveError {
        match error {
            TableError::Index(error) => SolveError::Count(error.into()),
            error => SolveError::Table(error),
        }
    }
}

impl SolveError {
    /// Whether the request was wrong, rather than the work failed.
    pub fn is_request(&self) -> bool {
        match self {
            SolveError::Count(error) => error.is_request(),
            SolveError::Gpu(error) => error.is_request(),
            SolveError::Table(error) => {
                matches!(error, TableError::Other { .. } | TableError::NotRounded(_))
            }
            SolveError::Target(_)
            | SolveError::Start(_)
            | SolveError::OnProcessor(_)
            | SolveError::Memory { .. } => true,
            SolveError::Interrupted => false,
        }
    }
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolveError::Count(error) => error.fmt(f),
            SolveError::Gpu(error) => error.fmt(f),
            SolveError::Table(error) => error.fmt(f),
            SolveError::Start(board) => {
                write!(f, "play cannot begin at {board}: its value is not known")
            }
            SolveError::Target(objective) => write!(f, "objective {objective} needs a target"),
            SolveError::OnProcessor(objective) => {
                write!(f, "objective {objective} cannot be solved on a GPU")
            }
            SolveError::Memory { needed, allowed } => write!(
                f,
                "solving needs about {} of memory, but only {} is allowed",
                bytes_text(*needed),
                bytes_text(*allowed)
            ),
            SolveError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for SolveError {}
