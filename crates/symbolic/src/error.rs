//! Why a contest could not be decided.

use std::fmt;

/// Why a contest could not be decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolicError {
    /// The diagrams do not fit the memory they were given.
    OutOfMemory,
    /// The work was asked to stop.
    Interrupted,
}

impl fmt::Display for SymbolicError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SymbolicError::OutOfMemory => {
                "the decision diagrams do not fit the memory: give them more, or choose a \
                 smaller board or target"
            }
            SymbolicError::Interrupted => "interrupted",
        })
    }
}

impl std::error::Error for SymbolicError {}

impl From<oxidd_core::error::OutOfMemory> for SymbolicError {
    fn from(_: oxidd_core::error::OutOfMemory) -> SymbolicError {
        SymbolicError::OutOfMemory
    }
}
