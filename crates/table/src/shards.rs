//! The shards of a table, found and put together.

use std::path::Path;

use tilebase_util::files::checksum;

use crate::error::{ShardFault, TableError};
use crate::home::Home;
use crate::manifest::{LayerEntry, MANIFEST, Manifest};
use crate::part::TablePart;
use crate::shard::{Shard, shard_dir, shards_in};

/// At most so many missing shards are named.
const NAMED: usize = 100;

/// What a directory has of a table.
#[derive(Default)]
pub(crate) struct Survey {
    /// The whole table, or the shards that fit together, in order.
    pub parts: Vec<TablePart>,
    /// What is wrong with the others.
    pub faults: Vec<TableError>,
}

/// Whether a directory has a table: a whole one, or shards. It may be unfinished or damaged.
pub fn is_table(dir: &Path) -> bool {
    dir.join(MANIFEST).is_file() || !shards_in(dir).is_empty()
}

/// Reads the manifests of the table in a directory.
pub(crate) fn survey(dir: &Path) -> Result<Survey, TableError> {
    let Some(manifest) = Manifest::read(dir)? else {
        return shards(dir);
    };
    if let Some(shard) = manifest.shard {
        return Err(fault(dir, ShardFault::Alone(shard)));
    }
    if !manifest.complete {
        return Err(TableError::Incomplete(dir.to_owned()));
    }
    let home = Home::Directory(dir.to_owned());
    Ok(Survey {
        parts: vec![TablePart { home, manifest }],
        faults: Vec::new(),
    })
}

fn fault(dir: &Path, fault: ShardFault) -> TableError {
    TableError::Shards {
        path: dir.to_owned(),
        fault,
    }
}

/// Reads the manifests of all shards.
fn shards(dir: &Path) -> Result<Survey, TableError> {
    let found = shards_in(dir);
    let Some(&Shard { processes, .. }) = found.first() else {
        return Err(TableError::Missing(dir.to_owned()));
    };
    let is_other = |shard: &&Shard| shard.processes != processes;
    if let Some(other) = found.iter().find(is_other) {
        return Err(fault(dir, ShardFault::Numbers(processes, other.processes)));
    }
    let all = (0..processes).map(|process| Shard { process, processes });
    let missing = all.filter(|shard| found.binary_search(shard).is_err());
    let missing = missing.map(|shard| fault(dir, ShardFault::Missing(shard)));
    let mut survey = Survey {
        parts: Vec::new(),
        faults: missing.take(NAMED).collect(),
    };
    for shard in found {
        let first = survey.parts.first().map(|part| &part.manifest);
        match read(dir, shard, first) {
            Ok(manifest) => survey.parts.push(TablePart {
                home: Home::Directory(shard_dir(dir, shard)),
                manifest,
            }),
            Err(error) => survey.faults.push(error),
        }
    }
    Ok(survey)
}

/// The manifest of a shard, if it fits that of the first one.
fn read(dir: &Path, shard: Shard, first: Option<&Manifest>) -> Result<Manifest, TableError> {
    let path = shard_dir(dir, shard);
    let manifest = Manifest::read(&path)?;
    let manifest = manifest.ok_or_else(|| fault(dir, ShardFault::Missing(shard)))?;
    let first = first.unwrap_or(&manifest);
    let expected = first.title_of(Some(shard));
    if manifest.title() != expected || manifest.from != first.from {
        let found = manifest.title();
        return Err(fault(&path, ShardFault::Other { found, expected }));
    }
    if !manifest.complete {
        return Err(TableError::Incomplete(path));
    }
    let sums = |manifest: &Manifest| -> Vec<u32> {
        let layers = manifest.layers.iter();
        layers.map(|entry| entry.sum).collect()
    };
    let start = |of: &Manifest| {
        let start = of.start.unwrap_or_default();
        [start.value, start.win].map(|value| value.unwrap_or(f64::NEG_INFINITY))
    };
    let precision = |of: &Manifest| [of.relative_error_bound, of.tie_tolerance];
    let what = if sums(&manifest) != sums(first) {
        "layers"
    } else if !are_near(start(&manifest), start(first)) {
        "start value"
    } else if !are_near(precision(&manifest), precision(first)) {
        "precision"
    } else {
        return Ok(manifest);
    };
    Err(fault(dir, ShardFault::Differs { shard, what }))
}

/// Whether numbers are the same, but for the last digits, which JSON may have changed.
fn are_near(some: [f64; 2], others: [f64; 2]) -> bool {
    let near = |(a, b): (f64, f64)| a == b || (a - b).abs() <= 1e-12 * b.abs();
    some.into_iter().zip(others).all(near)
}

/// The manifest of parts that fit together, of which there is at least one.
pub(crate) fn together(parts: &[TablePart]) -> Manifest {
    let mut whole = parts[0].manifest.clone();
    if whole.shard.take().is_none() {
        return whole;
    }
    whole.format = whole.content.format();
    for (at, layer) in whole.layers.iter_mut().enumerate() {
        let entries = || parts.iter().map(|part| &part.manifest.layers[at]);
        let total = |of: fn(&LayerEntry) -> u64| entries().map(of).sum();
        let sections = entries().map(|entry| entry.sections);
        let checksums: String = entries().map(|entry| entry.checksum.as_str()).collect();
        *layer = LayerEntry {
            sum: layer.sum,
            states: total(|entry| entry.states),
            sure_wins: total(|entry| entry.sure_wins),
            sure_losses: total(|entry| entry.sure_losses),
            afterstates: total(|entry| entry.afterstates),
            sections: sections.fold(Default::default(), |a, b| b.together(a)),
            bytes: total(|entry| entry.bytes),
            checksum: match checksums.is_empty() {
                true => checksums,
                false => checksum(checksums.as_bytes()),
            },
        };
    }
    whole
}
