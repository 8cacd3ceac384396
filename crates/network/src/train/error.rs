//! Why training failed.

use std::fmt;
use std::io;

use tilebase_gpu::GpuError;

/// Why training could not begin or go on.
#[derive(Debug)]
pub enum TrainError {
    /// There is not enough memory for the weights.
    Memory(io::Error),
    /// The GPU is missing or failed.
    Gpu(GpuError),
}

impl fmt::Display for TrainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrainError::Memory(error) => write!(f, "not enough memory for training: {error}"),
            TrainError::Gpu(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TrainError {}

impl From<GpuError> for TrainError {
    fn from(error: GpuError) -> TrainError {
        TrainError::Gpu(error)
    }
}
