//! Why a contest could not be decided.

use std::fmt;

/// Why a contest could not be decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SymbolicError {
    /// The diagrams do not fit the memory they were given.
    OutOfMemory {
        /// The sweep line that had been reached, if any.
        line: Option<String>,
    },
    /// The work was asked to stop.
    Interrupted,
}

impl fmt::Display for SymbolicError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = match self {
            SymbolicError::OutOfMemory { line } => line,
            SymbolicError::Interrupted => return f.write_str("interrupted"),
        };
        f.write_str("the decision diagrams do not fit the memory")?;
        if let Some(line) = line {
            write!(f, " (reached sweep line: {line})")?;
        }
        f.write_str(": give them more, or choose a smaller board or target")
    }
}

impl SymbolicError {
    /// The same, with the sweep line that had been reached.
    pub(crate) fn at(self, reached: Option<String>) -> SymbolicError {
        match self {
            SymbolicError::OutOfMemory { line } => SymbolicError::OutOfMemory {
                line: line.or(reached),
            },
            SymbolicError::Interrupted => SymbolicError::Interrupted,
        }
    }
}

impl std::error::Error for SymbolicError {}

impl From<oxidd_core::error::OutOfMemory> for SymbolicError {
    fn from(_: oxidd_core::error::OutOfMemory) -> SymbolicError {
        SymbolicError::OutOfMemory { line: None }
    }
}
