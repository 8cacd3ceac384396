//! Whether a table is whole.

use std::path::Path;

use tilebase_util::progress::{Progress, Unit};

use crate::error::TableError;
use crate::manifest::Manifest;
use crate::table::Table;

/// What was found.
#[derive(Debug)]
pub struct Report {
    /// What the table says about itself.
    pub manifest: Manifest,
    /// Bytes that were read and found whole.
    pub bytes: u64,
    /// What is broken, file by file.
    pub broken: Vec<TableError>,
    /// Whether it was asked to stop before the end.
    pub interrupted: bool,
}

impl Report {
    /// Whether nothing is broken and all was looked at.
    pub fn is_ok(&self) -> bool {
        self.broken.is_empty() && !self.interrupted
    }
}

/// Reads a whole table and checks all of its checksums and keys.
pub fn verify(dir: &Path, progress: &dyn Progress) -> Result<Report, TableError> {
    let table = Table::open(dir)?;
    let mut report = Report {
        manifest: table.manifest().clone(),
        bytes: 0,
        broken: Vec::new(),
        interrupted: false,
    };
    progress.begin(Unit::States, Some(table.manifest().states()));
    for entry in table.layers() {
        if progress.interrupted() {
            report.interrupted = true;
            break;
        }
        progress.stage(&format!("layer {}", entry.sum));
        let whole = table.file(entry.sum).and_then(|file| match file {
            Some(file) => file.check(),
            None => Ok(()),
        });
        match whole {
            Ok(()) => report.bytes += entry.bytes,
            Err(error) => report.broken.push(error),
        }
        progress.advance(entry.states);
    }
    progress.finish();
    Ok(report)
}
