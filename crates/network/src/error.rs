//! Why a network cannot be loaded.

use std::fmt;
use std::io;

use crate::file::FORMAT;
use crate::patterns::WEIGHTS;
use crate::stages::STAGES;

/// Why there is no network.
#[derive(Debug)]
pub enum NetworkError {
    /// The bytes are no network file.
    Magic,
    /// The file has a format that this version does not know.
    Format(u8),
    /// The file is cut short or damaged.
    Damaged,
    /// There is not enough memory for the weights.
    Memory(io::Error),
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::Magic => {
                f.write_str("not an n-tuple network: the file must begin with TBTUPLES")
            }
            NetworkError::Format(found) => write!(
                f,
                "the network has format {found}, and this version reads format {FORMAT}: use the version that wrote it"
            ),
            NetworkError::Damaged => f.write_str("the network is damaged or cut short"),
            NetworkError::Memory(error) => write!(
                f,
                "not enough memory for {} MiB of weights: {error}",
                (STAGES * WEIGHTS * size_of::<i16>()) >> 20
            ),
        }
    }
}

impl std::error::Error for NetworkError {}
