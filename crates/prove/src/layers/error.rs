//! Errors of solving by layers.

use std::fmt;
use std::io;

use tilebase_count::CountError;
use tilebase_game::{Variant, tile_value};
use tilebase_index::IndexError;
use tilebase_util::bytes_text;

/// Why a contest was not solved by layers. Layers already stored are kept.
#[derive(Debug)]
pub enum LayersError {
    /// The target is too small for the counter.
    Target(u8),
    /// The layers are too large to be kept in memory, and no directory was given.
    Directory {
        /// Bytes on disk, roughly.
        disk: u64,
    },
    /// The memory allowed is too little.
    Memory {
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// The states could not be counted or read.
    Count(CountError),
    /// The work was interrupted. Counted layers are kept if there is a directory.
    Interrupted,
}

impl LayersError {
    /// Wraps a refusal of memory or threads by the system.
    pub(super) fn system(error: io::Error) -> LayersError {
        LayersError::Count(error.into())
    }

    /// Whether the request was wrong, rather than the work failed.
    pub fn is_request(&self) -> bool {
        match self {
            LayersError::Target(_) | LayersError::Directory { .. } | LayersError::Memory { .. } => {
                true
            }
            LayersError::Count(error) => error.is_request(),
            LayersError::Interrupted => false,
        }
    }
}

impl From<IndexError> for LayersError {
    fn from(error: IndexError) -> LayersError {
        LayersError::Count(error.into())
    }
}

impl From<CountError> for LayersError {
    fn from(error: CountError) -> LayersError {
        match error {
            CountError::Interrupted => LayersError::Interrupted,
            error => LayersError::Count(error),
        }
    }
}

impl fmt::Display for LayersError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LayersError::Target(target) => write!(
                f,
                "target {} is too small to be solved by layers: it must be at least {}",
                tile_value(*target),
                tile_value(Variant::MIN_TARGET)
            ),
            LayersError::Directory { disk } => write!(
                f,
                "the layers are too large to be kept in memory: they take about {} on disk",
                bytes_text(*disk)
            ),
            LayersError::Memory { needed, allowed } => write!(
                f,
                "solving by layers needs about {1} of memory, and {0} is allowed",
                bytes_text(*allowed),
                bytes_text(*needed)
            ),
            LayersError::Count(error) => error.fmt(f),
            LayersError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for LayersError {}
