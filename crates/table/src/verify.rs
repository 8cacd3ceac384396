//! Checks that a table is intact.

use std::path::Path;

use tilebase_util::progress::{Progress, Unit};

use crate::error::TableError;
use crate::layer::List;
use crate::manifest::Manifest;
use crate::shards::survey;
use crate::table::Table;

/// The result of a check.
#[derive(Debug)]
pub struct VerifyReport {
    /// The table's manifest; of a table in shards, of those that could be read.
    pub manifest: Manifest,
    /// How many shards the table is in, if it is in shards.
    pub shards: Option<u32>,
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
    let mut survey = survey(dir)?;
    if survey.parts.is_empty() {
        let all = || TableError::Missing(dir.to_owned());
        return Err(survey.faults.into_iter().next().unwrap_or_else(all));
    }
    let broken = std::mem::take(&mut survey.faults);
    let table = Table::of(dir, survey.parts, None)?;
    let mut report = VerifyReport {
        manifest: table.manifest().clone(),
        shards: table.shards(),
        bytes: 0,
        broken,
        interrupted: false,
    };
    progress.begin(Unit::States, Some(table.manifest().states()));
    for (at, entry) in table.manifest().layers.iter().enumerate().rev() {
        if progress.interrupted() {
            report.interrupted = true;
            break;
        }
        progress.stage(&format!("layer {}", entry.sum));
        if !table.manifest().content.leaves_out(entry.sum) {
            check_layer(&table, at, &mut report);
        }
        progress.advance(entry.states);
    }
    progress.finish();
    Ok(report)
}

/// Checks the files of a layer, and that each has boards after those of the one before.
fn check_layer(table: &Table, at: usize, report: &mut VerifyReport) {
    let mut last = [None; 2];
    for part in table.parts() {
        let mut check = || {
            let file = part.open(at, table.index())?;
            file.check_pages()?;
            for (last, list) in last.iter_mut().zip(List::BOTH) {
                let positions = file.positions(list)?;
                if let (Some(&first), Some(&end)) = (positions.first(), positions.last()) {
                    file.comes_after(*last, first)?;
                    *last = Some(end);
                }
            }
            Ok(())
        };
        match check() {
            Ok(()) => report.bytes += part.manifest.layers[at].bytes,
            Err(error) => report.broken.push(TableError::File(error)),
        }
    }
}
