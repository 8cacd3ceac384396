//! Errors as Python exceptions: the same one line.

use std::fmt::Display;

use pyo3::PyErr;
use pyo3::exceptions::{
    PyKeyboardInterrupt, PyMemoryError, PyOSError, PyRuntimeError, PyValueError,
};
use tilebase_count::CountError;
use tilebase_export::ExportError;
use tilebase_solve::SolveError;
use tilebase_table::TableError;

/// A wrong request.
pub fn request(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Something that failed although the request was right.
pub fn work(error: impl Display) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

/// An error of a table's files.
pub fn table(error: TableError) -> PyErr {
    match error {
        TableError::MovesOnly(_)
        | TableError::Rounded(_)
        | TableError::NotMet(_)
        | TableError::NotRounded(_) => request(error),
        error => PyOSError::new_err(error.to_string()),
    }
}

/// The error for more than there is memory for.
pub fn memory(what: impl Display) -> PyErr {
    PyMemoryError::new_err(format!("no memory for {what}"))
}

/// An error of solving.
pub fn solve(error: SolveError) -> PyErr {
    match error {
        SolveError::Interrupted => PyKeyboardInterrupt::new_err("interrupted"),
        SolveError::Memory { .. } | SolveError::Count(CountError::Memory { .. }) => {
            PyMemoryError::new_err(error.to_string())
        }
        error if error.is_request() => request(error),
        SolveError::Table(error) => table(error),
        error => work(error),
    }
}

/// An error of an export.
pub fn export(error: ExportError) -> PyErr {
    match error {
        ExportError::Interrupted => PyKeyboardInterrupt::new_err("interrupted"),
        error => work(error),
    }
}
