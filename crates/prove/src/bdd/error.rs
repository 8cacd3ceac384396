//! Errors of the decision diagrams.

use std::fmt;

/// Why a contest could not be decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BddError {
    /// The diagrams do not fit the memory allowed.
    OutOfMemory {
        /// The sweep line that had been reached, if any.
        line: Option<String>,
    },
    /// The work was interrupted.
    Interrupted,
}

impl fmt::Display for BddError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = match self {
            BddError::OutOfMemory { line } => line,
            BddError::Interrupted => return f.write_str("interrupted"),
        };
        f.write_str("the decision diagrams do not fit the memory allowed")?;
        match line {
            Some(line) => write!(f, " (reached sweep line: {line})"),
            None => Ok(()),
        }
    }
}

impl BddError {
    /// The same, with the sweep line that had been reached.
    pub(crate) fn at(self, reached: Option<String>) -> BddError {
        match self {
            BddError::OutOfMemory { line } => BddError::OutOfMemory {
                line: line.or(reached),
            },
            BddError::Interrupted => BddError::Interrupted,
        }
    }
}

impl std::error::Error for BddError {}

impl From<oxidd_core::error::OutOfMemory> for BddError {
    fn from(_: oxidd_core::error::OutOfMemory) -> BddError {
        BddError::OutOfMemory { line: None }
    }
}
