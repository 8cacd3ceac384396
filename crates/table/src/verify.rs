//! Checks that a table is intact.

use std::path::Path;

use tilebase_util::progress::{Progress, Unit};

use crate::error::TableError;
use crate::manifest::Manifest;
use crate::table::Table;

/// The result of a check.
#[derive(Debug)]
pub struct VerifyReport {
    /// The table's manifest.
    pub manifest: Manifest,
    /// Bytes that were read and found intact.
    pub bytes: u64,
    /// What is broken, file by file.
    pub broken: Vec<TableError>,
    /// Whether the check was interrupted.
    pub interrupted: bool,
}

impl VerifyReport {
    /// Whether everything was read and nothing is broken.
    pub fn is_ok(&self) -> bool {
        self.broken.is_empty() && !self.interrupted
    }
}

/// Reads a whole table and checks all checksums and keys.
pub fn verify(dir: &Path, progress: &dyn Progress) -> Result<VerifyReport, TableError> {
    let table = Table::open(dir)?;
    let mut report = VerifyReport {
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
