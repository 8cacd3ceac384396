//! What can go wrong while counting.

use std::fmt;
use std::io;

use tilebase_game::TooLarge;
use tilebase_index::IndexError;
use tilebase_util::bytes_text;

/// Why a count did not come about. Nothing that was stored is lost by any of these.
#[derive(Debug)]
pub enum CountError {
    /// The game has no index, or stored layers cannot be used.
    Index(IndexError),
    /// The memory allowed is too little.
    Memory {
        /// Bytes needed at least.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// The GPU has too little memory.
    GpuMemory {
        /// Bytes needed.
        needed: u64,
        /// Bytes that are free.
        free: u64,
        /// Which GPU.
        name: String,
    },
    /// The memory allowed of the GPU is too little.
    GpuAllowance {
        /// Bytes needed at least.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// Layers do not fit the GPU, and this machine's memory is too little for them.
    GpuHost {
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// There is no GPU to be used, or it failed.
    Gpu(String),
    /// It was asked to stop; finished layers are kept where there is a directory.
    Interrupted,
}

impl CountError {
    /// Whether the request was wrong, rather than the work failed.
    pub fn is_request(&self) -> bool {
        match self {
            CountError::Index(error) => error.is_request(),
            CountError::Memory { .. }
            | CountError::GpuAllowance { .. }
            | CountError::GpuHost { .. } => true,
            CountError::GpuMemory { .. } | CountError::Gpu(_) | CountError::Interrupted => false,
        }
    }
}

#[cfg(not(target_family = "wasm"))]
impl From<tilebase_gpu::GpuError> for CountError {
    fn from(error: tilebase_gpu::GpuError) -> CountError {
        CountError::Gpu(error.to_string())
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
            CountError::GpuMemory { needed, free, name } => write!(
                f,
                "the GPU {name} has {} of memory free, and {} are needed: use --device cpu, or take a smaller target",
                bytes_text(*free),
                bytes_text(*needed)
            ),
            CountError::GpuAllowance { needed, allowed } => write!(
                f,
                "{} of the GPU's memory are allowed, and {} are needed: allow more with --gpu-memory, or take a smaller target",
                bytes_text(*allowed),
                bytes_text(*needed)
            ),
            CountError::GpuHost { needed, allowed } => write!(
                f,
                "layers do not fit the GPU, and in parts they need {} of this machine's memory, where {} are allowed: allow more with --memory, or use --device cpu",
                bytes_text(*needed),
                bytes_text(*allowed)
            ),
            CountError::Gpu(why) => f.write_str(why),
            CountError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for CountError {}
