//! Errors of exports.

use std::fmt;
use std::io;

use tilebase_model::ModelError;
use tilebase_table::TableError;

/// Why a table was not exported.
#[derive(Debug)]
pub enum ExportError {
    /// The table could not be read, or has moves only.
    Table(TableError),
    /// The game could not be listed as a model.
    Model(ModelError),
    /// The output could not be written.
    Write(io::Error),
    /// The Parquet encoder failed.
    Parquet(String),
    /// Interrupted.
    Interrupted,
}

impl ExportError {
    /// Whether the request was wrong, rather than the work failed.
    pub fn is_request(&self) -> bool {
        match self {
            ExportError::Model(_) => true,
            ExportError::Table(_)
            | ExportError::Write(_)
            | ExportError::Parquet(_)
            | ExportError::Interrupted => false,
        }
    }
}

impl From<TableError> for ExportError {
    fn from(error: TableError) -> ExportError {
        ExportError::Table(error)
    }
}

impl From<ModelError> for ExportError {
    fn from(error: ModelError) -> ExportError {
        ExportError::Model(error)
    }
}

impl From<io::Error> for ExportError {
    fn from(error: io::Error) -> ExportError {
        ExportError::Write(error)
    }
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExportError::Table(error) => error.fmt(f),
            ExportError::Model(error) => error.fmt(f),
            ExportError::Write(error) => error.fmt(f),
            ExportError::Parquet(error) => write!(f, "writing Parquet failed: {error}"),
            ExportError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for ExportError {}
