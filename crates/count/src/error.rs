//! Errors of counting.

use std::fmt;
use std::io;

#[cfg(not(target_family = "wasm"))]
use tilebase_cluster::ClusterError;
use tilebase_game::TooLarge;
use tilebase_gpu::GpuError;
use tilebase_index::IndexError;
use tilebase_util::bytes_text;

/// Why a count failed. None of these loses what was stored.
#[derive(Debug)]
pub enum CountError {
    /// The game has no index, or stored layers cannot be used.
    Index(IndexError),
    /// Too little memory is allowed.
    Memory {
        /// Bytes needed at least.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// The GPU cannot be used, or it failed.
    Gpu(GpuError),
    /// Another process failed, or cannot be reached.
    #[cfg(not(target_family = "wasm"))]
    Cluster(ClusterError),
    /// The count was interrupted. Finished layers stay in the store.
    Interrupted,
}

impl CountError {
    /// Whether the request was wrong, rather than the work failed.
    pub fn is_request(&self) -> bool {
        match self {
            CountError::Index(error) => error.is_request(),
            CountError::Memory { .. } => true,
            CountError::Gpu(error) => error.is_request(),
            #[cfg(not(target_family = "wasm"))]
            CountError::Cluster(error) => error.is_request(),
            CountError::Interrupted => false,
        }
    }
}

#[cfg(not(target_family = "wasm"))]
impl From<ClusterError> for CountError {
    fn from(error: ClusterError) -> CountError {
        match error {
            ClusterError::Interrupted => CountError::Interrupted,
            error => CountError::Cluster(error),
        }
    }
}

impl From<GpuError> for CountError {
    fn from(error: GpuError) -> CountError {
        CountError::Gpu(error)
    }
}

impl From<IndexError> for CountError {
    fn from(error: IndexError) -> CountError {
        CountError::Index(error)
    }
}

impl From<TooLarge> for CountError {
    fn from(error: TooLarge) -> CountError {
        CountError::Index(IndexError::Shape(error))
    }
}

impl From<io::Error> for CountError {
    /// The system refused memory or threads.
    fn from(error: io::Error) -> CountError {
        CountError::Index(IndexError::System(error))
    }
}

impl fmt::Display for CountError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CountError::Index(error) => error.fmt(f),
            CountError::Memory { needed, allowed } => write!(
                f,
                "counting needs at least {} of memory, but only {} is allowed",
                bytes_text(*needed),
                bytes_text(*allowed)
            ),
            CountError::Gpu(error) => error.fmt(f),
            #[cfg(not(target_family = "wasm"))]
            CountError::Cluster(error) => error.fmt(f),
            CountError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for CountError {}
