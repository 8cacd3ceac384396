//! Layers on disk: a manifest and one file for each layer.
//!
//! A layer's file is written under a temporary name and synced before it gets its own, and
//! the manifest, which alone says what counts, is the last thing to change. So a process
//! that is killed at any moment leaves nothing half-written that would be trusted.
//! docs/state-sets.md describes the format.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tilebase_game::Variant;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::census::ByLargest;
use crate::error::CountError;
use crate::pack::Section;
use crate::pass::LayerCount;

/// The format of the manifest and the layers' files.
pub const FORMAT: u32 = 1;
const MAGIC: &[u8; 8] = b"TBSTATES";
const MANIFEST: &str = "manifest.json";
/// Syncing takes milliseconds, and small games have thousands of layers: finished layers
/// are made safe together, at most this long after they were found.
const COMMIT_EVERY: Duration = Duration::from_millis(250);

/// What a directory holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// [`FORMAT`] when it was written.
    pub format: u32,
    /// The version of the program that wrote it.
    pub version: String,
    /// The variant's name.
    pub variant: String,
    /// Whether all layers are there.
    pub complete: bool,
    /// The layers by tile sum.
    pub layers: Vec<LayerEntry>,
}

/// A layer in the manifest.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LayerEntry {
    /// Tile sum.
    pub sum: u32,
    /// Live states, by the exponent of their largest tile.
    pub states: ByLargest,
    /// Lost states, by the exponent of their largest tile.
    pub lost: ByLargest,
    /// Afterstates without a target tile.
    pub afterstates: u64,
    /// Size of the file.
    pub bytes: u64,
    /// XXH3 (64 bits) of the file, in hex.
    pub checksum: String,
}

impl LayerEntry {
    /// The layer's numbers.
    pub fn count(&self) -> LayerCount {
        LayerCount {
            sum: self.sum,
            states: self.states,
            lost: self.lost,
            afterstates: self.afterstates,
        }
    }
}

/// A directory that layers are kept in.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
    manifest: Manifest,
    /// Layers whose files are written but not yet in the manifest.
    pending: Vec<LayerEntry>,
    committed: Instant,
    /// Held as long as the store is: one process at a time.
    _lock: File,
}

fn file_name(sum: u32) -> String {
    format!("layer-{sum:06}.states")
}

impl Store {
    /// Opens a directory for a variant, or makes it. Files of layers that it lists are
    /// checked in full; from the first missing one on they are forgotten.
    pub fn open(dir: &Path, variant: &Variant) -> Result<Store, CountError> {
        fs::create_dir_all(dir).map_err(CountError::file(dir))?;
        let lock_path = dir.join("lock");
        let lock = File::create(&lock_path).map_err(CountError::file(&lock_path))?;
        if lock.try_lock().is_err() {
            return Err(CountError::Busy(dir.to_owned()));
        }
        let manifest = match read_manifest(dir)? {
            None => Manifest {
                format: FORMAT,
                version: env!("CARGO_PKG_VERSION").to_owned(),
                variant: variant.to_string(),
                complete: false,
                layers: Vec::new(),
            },
            Some(manifest) if manifest.variant == variant.to_string() => manifest,
            Some(manifest) => {
                return Err(CountError::OtherVariant {
                    path: dir.to_owned(),
                    found: manifest.variant,
                    asked: variant.to_string(),
                });
            }
        };
        let mut store = Store {
            dir: dir.to_owned(),
            manifest,
            pending: Vec::new(),
            committed: Instant::now(),
            _lock: lock,
        };
        store.check()?;
        Ok(store)
    }

    /// Checks all files, and forgets the layers from the first missing one on.
    fn check(&mut self) -> Result<(), CountError> {
        for (i, entry) in self.manifest.layers.iter().enumerate() {
            let path = self.dir.join(file_name(entry.sum));
            if !path.exists() {
                self.manifest.layers.truncate(i);
                self.manifest.complete = false;
                break;
            }
            verify(&path, entry)?;
        }
        // Whatever a killed process left under a temporary name is of no use.
        for entry in fs::read_dir(&self.dir)
            .map_err(CountError::file(&self.dir))?
            .flatten()
        {
            if entry.file_name().to_string_lossy().ends_with(".tmp") {
                fs::remove_file(entry.path()).map_err(CountError::file(&entry.path()))?;
            }
        }
        Ok(())
    }

    /// What the directory holds.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Size of all layers' files.
    pub fn bytes(&self) -> u64 {
        let entries = self.manifest.layers.iter().chain(&self.pending);
        entries.map(|entry| entry.bytes).sum()
    }

    /// Reads the packed states of a layer.
    pub(crate) fn read(&self, entry: &LayerEntry) -> Result<Vec<Section>, CountError> {
        let path = self.dir.join(file_name(entry.sum));
        let bytes = fs::read(&path).map_err(CountError::file(&path))?;
        check_sum(&path, entry, bytes.len() as u64, xxh3_64(&bytes))?;
        parse(&bytes, entry.sum).ok_or_else(|| self.damaged(entry))
    }

    /// The error of a layer whose file has the right checksum but makes no sense.
    pub(crate) fn damaged(&self, entry: &LayerEntry) -> CountError {
        CountError::Damaged {
            path: self.dir.join(file_name(entry.sum)),
            what: "its content makes no sense".to_owned(),
        }
    }

    /// Writes a layer's states. They are safe after the next [`Store::commit`].
    pub(crate) fn write(
        &mut self,
        count: &LayerCount,
        sections: &[Section],
    ) -> Result<(), CountError> {
        let bytes = serialize(count.sum, sections);
        let path = self.temporary(count.sum);
        fs::write(&path, &bytes).map_err(|error| {
            // A full disk should not be left fuller than it was.
            let _ = fs::remove_file(&path);
            CountError::File {
                path: path.clone(),
                error,
            }
        })?;
        self.pending.push(LayerEntry {
            sum: count.sum,
            states: count.states,
            lost: count.lost,
            afterstates: count.afterstates,
            bytes: bytes.len() as u64,
            checksum: format!("{:016x}", xxh3_64(&bytes)),
        });
        if self.committed.elapsed() >= COMMIT_EVERY {
            self.commit()
        } else {
            Ok(())
        }
    }

    fn temporary(&self, sum: u32) -> PathBuf {
        self.dir.join(file_name(sum) + ".tmp")
    }

    /// Makes all layers written so far safe.
    pub(crate) fn commit(&mut self) -> Result<(), CountError> {
        for entry in &self.pending {
            let path = self.temporary(entry.sum);
            let sync = File::open(&path).and_then(|file| file.sync_all());
            sync.map_err(CountError::file(&path))?;
            let named = self.dir.join(file_name(entry.sum));
            fs::rename(&path, &named).map_err(CountError::file(&named))?;
        }
        sync_dir(&self.dir)?;
        self.manifest.layers.append(&mut self.pending);
        self.write_manifest()?;
        self.committed = Instant::now();
        Ok(())
    }

    /// Notes that all layers are there.
    pub(crate) fn complete(&mut self) -> Result<(), CountError> {
        self.manifest.complete = true;
        self.commit()
    }

    fn write_manifest(&self) -> Result<(), CountError> {
        let path = self.dir.join(format!("{MANIFEST}.tmp"));
        let write = || -> io::Result<()> {
            let mut file = File::create(&path)?;
            serde_json::to_writer(&mut file, &self.manifest)?;
            file.write_all(b"\n")?;
            file.sync_all()
        };
        write().map_err(|error| {
            let _ = fs::remove_file(&path);
            CountError::File {
                path: path.clone(),
                error,
            }
        })?;
        let named = self.dir.join(MANIFEST);
        fs::rename(&path, &named).map_err(CountError::file(&named))?;
        sync_dir(&self.dir)
    }
}

/// Makes renames in a directory last.
fn sync_dir(dir: &Path) -> Result<(), CountError> {
    let sync = File::open(dir).and_then(|file| file.sync_all());
    sync.map_err(CountError::file(dir))
}

/// Reads a directory's manifest, if it has one.
pub fn read_manifest(dir: &Path) -> Result<Option<Manifest>, CountError> {
    let path = dir.join(MANIFEST);
    let text = match fs::read(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(CountError::File { path, error }),
    };
    #[derive(Deserialize)]
    struct FormatOnly {
        format: u32,
    }
    let damaged = |error: serde_json::Error| CountError::Damaged {
        path: path.clone(),
        what: error.to_string(),
    };
    let format: FormatOnly = serde_json::from_slice(&text).map_err(damaged)?;
    if format.format != FORMAT {
        return Err(CountError::Format {
            path,
            found: format.format,
            known: FORMAT,
        });
    }
    serde_json::from_slice(&text).map(Some).map_err(damaged)
}

/// Checks a layer's file against the manifest without keeping it in memory.
fn verify(path: &Path, entry: &LayerEntry) -> Result<(), CountError> {
    let mut file = File::open(path).map_err(CountError::file(path))?;
    let mut hash = Xxh3::new();
    let mut buffer = vec![0; 1 << 20];
    let mut size = 0;
    loop {
        let n = file.read(&mut buffer).map_err(CountError::file(path))?;
        if n == 0 {
            break;
        }
        hash.update(&buffer[..n]);
        size += n as u64;
    }
    check_sum(path, entry, size, hash.digest())
}

fn check_sum(path: &Path, entry: &LayerEntry, size: u64, hash: u64) -> Result<(), CountError> {
    let found = format!("{hash:016x}");
    let what = if size != entry.bytes {
        format!("{size} bytes instead of {}", entry.bytes)
    } else if found != entry.checksum {
        format!("checksum {found} instead of {}", entry.checksum)
    } else {
        return Ok(());
    };
    Err(CountError::Damaged {
        path: path.to_owned(),
        what,
    })
}

/// A layer's file: a head, the sections' heads, the sections' codes.
fn serialize(sum: u32, sections: &[Section]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(FORMAT.to_le_bytes());
    bytes.extend(sum.to_le_bytes());
    bytes.extend((sections.len() as u64).to_le_bytes());
    for section in sections {
        bytes.extend(section.top_units.to_le_bytes());
        bytes.extend(section.first_row.to_le_bytes());
        bytes.extend(section.count.to_le_bytes());
        bytes.extend((section.bytes.len() as u64).to_le_bytes());
    }
    sections
        .iter()
        .for_each(|section| bytes.extend(&section.bytes));
    bytes
}

fn parse(bytes: &[u8], sum: u32) -> Option<Vec<Section>> {
    fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
        let (head, tail) = rest.split_first_chunk()?;
        *rest = tail;
        Some(*head)
    }
    let rest = &mut &bytes[..];
    if take(rest)? != *MAGIC || u32::from_le_bytes(take(rest)?) != FORMAT {
        return None;
    }
    if u32::from_le_bytes(take(rest)?) != sum {
        return None;
    }
    let number = u64::from_le_bytes(take(rest)?);
    let mut heads = Vec::new();
    for _ in 0..number {
        let top_units = u32::from_le_bytes(take(rest)?);
        let first_row = u32::from_le_bytes(take(rest)?);
        let count = u64::from_le_bytes(take(rest)?);
        let length = usize::try_from(u64::from_le_bytes(take(rest)?)).ok()?;
        heads.push((top_units, first_row, count, length));
    }
    let mut sections = Vec::new();
    for (top_units, first_row, count, length) in heads {
        let (codes, tail) = rest.split_at_checked(length)?;
        *rest = tail;
        sections.push(Section {
            top_units,
            first_row,
            count,
            bytes: codes.to_vec(),
        });
    }
    rest.is_empty().then_some(sections)
}
