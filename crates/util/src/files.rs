//! Directories of files that survive a crash at any moment.
//!
//! A file is written under a temporary name and synced before it gets its own, and a
//! manifest, which alone says what counts, is the last thing to change. So a process that is
//! killed at any moment leaves nothing half-written that would be trusted. [`NewFile`] does the
//! same for one file.
//!
//! ```
//! use tilebase_util::files::{Directory, read_if_there, unseal};
//!
//! let temporary = tempfile::tempdir().unwrap();
//! let path = temporary.path().join("numbers");
//! let mut directory = Directory::open(&path).unwrap();
//! directory.write("one", b"1").unwrap();
//! assert!(!path.join("one").exists(), "not before it is committed");
//! let manifest = serde_json::json!({"format": 1, "files": ["one"]});
//! directory.commit("manifest.json", &manifest).unwrap();
//! assert!(path.join("one").exists());
//! let text = read_if_there(&path.join("manifest.json")).unwrap();
//! assert_eq!(unseal(&text.unwrap(), 1..=1), Ok(manifest));
//! assert_eq!(read_if_there(&path.join("two")).unwrap(), None);
//! ```

mod new_file;
mod seal;

pub use new_file::NewFile;
pub use seal::{SealError, seal, unseal};

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Syncing takes milliseconds, and small games have thousands of layers: finished files
/// are committed together, at most about this long after they were written.
const COMMIT_EVERY: Duration = Duration::from_millis(250);

/// More files than this are synced together.
#[cfg(target_os = "linux")]
const MANY: usize = 4;

/// What went wrong with a file.
#[derive(Debug)]
pub enum FileError {
    /// The system could not read or write it.
    System {
        /// Which file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// It is not what was written.
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// Another process is using the directory.
    Busy(PathBuf),
}

impl FileError {
    /// An error of an operation on a file.
    pub fn system(path: &Path) -> impl FnOnce(io::Error) -> FileError {
        |error| FileError::System {
            path: path.to_owned(),
            error,
        }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::System { path, error } => write!(f, "{}: {error}", path.display()),
            FileError::Damaged { path, what } => {
                write!(f, "{} is damaged ({what})", path.display())
            }
            FileError::Busy(path) => write!(
                f,
                "another process is using {}: wait for it, or use another directory",
                path.display()
            ),
        }
    }
}

impl std::error::Error for FileError {}

/// A directory that one process at a time writes to.
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
    /// Files that are written but have not got their names.
    pending: Vec<String>,
    committed: Instant,
    /// How long to wait between commits.
    pause: Duration,
    /// Held as long as the directory is.
    _lock: File,
}

impl Directory {
    /// Opens or creates a directory, and removes temporary files that a killed process left.
    pub fn open(path: &Path) -> Result<Directory, FileError> {
        fs::create_dir_all(path).map_err(FileError::system(path))?;
        let lock_path = path.join("lock");
        let lock = File::create(&lock_path).map_err(FileError::system(&lock_path))?;
        if lock.try_lock().is_err() {
            return Err(FileError::Busy(path.to_owned()));
        }
        let entries = fs::read_dir(path).map_err(FileError::system(path))?;
        for entry in entries.flatten() {
            if is_temporary(&entry.file_name().to_string_lossy()) {
                fs::remove_file(entry.path()).map_err(FileError::system(&entry.path()))?;
            }
        }
        Ok(Directory {
            path: path.to_owned(),
            pending: Vec::new(),
            committed: Instant::now(),
            pause: COMMIT_EVERY,
            _lock: lock,
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where a file of it is.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    fn temporary(&self, name: &str) -> PathBuf {
        self.path.join(format!("{name}.tmp"))
    }

    /// Writes a file. It survives a crash after the next commit.
    pub fn write(&mut self, name: &str, bytes: &[u8]) -> Result<(), FileError> {
        let path = self.temporary(name);
        fs::write(&path, bytes).map_err(|error| {
            // A full disk should not be left fuller than it was.
            let _ = fs::remove_file(&path);
            FileError::System {
                path: path.clone(),
                error,
            }
        })?;
        self.pending.push(name.to_owned());
        Ok(())
    }

    /// Whether it is time to commit.
    pub fn is_due(&self) -> bool {
        self.committed.elapsed() >= self.pause
    }

    /// Syncs and renames all files written so far, then replaces the manifest that lists them, which
    /// is [sealed](seal()).
    pub fn commit(&mut self, name: &str, manifest: &impl Serialize) -> Result<(), FileError> {
        let begin = Instant::now();
        let pending = std::mem::take(&mut self.pending);
        self.sync_files(&pending)?;
        for file in pending {
            let named = self.path.join(&file);
            fs::rename(self.temporary(&file), &named).map_err(FileError::system(&named))?;
        }
        self.sync()?;
        let path = self.temporary(name);
        let write = || -> io::Result<()> {
            let text = seal(manifest)?;
            let mut file = File::create(&path)?;
            file.write_all(&text)?;
            file.sync_all()
        };
        write().map_err(|error| {
            let _ = fs::remove_file(&path);
            FileError::System {
                path: path.clone(),
                error,
            }
        })?;
        let named = self.path.join(name);
        fs::rename(&path, &named).map_err(FileError::system(&named))?;
        self.sync()?;
        self.committed = Instant::now();
        // On a slow disk most of the time should still go into the work.
        self.pause = COMMIT_EVERY.max(4 * begin.elapsed());
        Ok(())
    }

    /// Syncs the content of files.
    fn sync_files(&self, names: &[String]) -> Result<(), FileError> {
        // One call for the whole file system is faster than one for each of many files.
        #[cfg(target_os = "linux")]
        if names.len() > MANY {
            let sync = File::open(&self.path).and_then(|dir| Ok(rustix::fs::syncfs(dir)?));
            return sync.map_err(FileError::system(&self.path));
        }
        for name in names {
            let path = self.temporary(name);
            let sync = File::open(&path).and_then(|file| file.sync_all());
            sync.map_err(FileError::system(&path))?;
        }
        Ok(())
    }

    /// Syncs renames.
    fn sync(&self) -> Result<(), FileError> {
        let sync = File::open(&self.path).and_then(|file| file.sync_all());
        sync.map_err(FileError::system(&self.path))
    }
}

/// Whether a name is that of a temporary file of ours. Other files are left alone.
fn is_temporary(name: &str) -> bool {
    name.strip_suffix(".tmp")
        .is_some_and(|name| name.starts_with("layer-") || name.ends_with(".json"))
}

/// The content of a file; `None` if there is none.
pub fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, FileError> {
    match fs::read(path) {
        Ok(content) => Ok(Some(content)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(FileError::system(path)(error)),
    }
}

/// XXH3 (64 bits) of bytes, in hex.
pub fn checksum(bytes: &[u8]) -> String {
    text(xxh3_64(bytes))
}

fn text(hash: u64) -> String {
    format!("{hash:016x}")
}

/// Checks a file's size and checksum without keeping it in memory.
pub fn verify(path: &Path, bytes: u64, checksum: &str) -> Result<(), FileError> {
    let mut content = File::open(path).map_err(FileError::system(path))?;
    let mut hash = Xxh3::new();
    let mut buffer = vec![0; 1 << 20];
    let mut size = 0;
    loop {
        let n = content.read(&mut buffer).map_err(FileError::system(path))?;
        if n == 0 {
            break;
        }
        hash.update(&buffer[..n]);
        size += n as u64;
    }
    compare(path, (size, bytes), (&text(hash.digest()), checksum))
}

/// Checks content that was read from a file.
pub fn verify_content(
    path: &Path,
    content: &[u8],
    bytes: u64,
    expected: &str,
) -> Result<(), FileError> {
    let size = content.len() as u64;
    compare(path, (size, bytes), (&checksum(content), expected))
}

fn compare(path: &Path, size: (u64, u64), sum: (&str, &str)) -> Result<(), FileError> {
    let what = if size.0 != size.1 {
        format!("{} bytes instead of {}", size.0, size.1)
    } else if sum.0 != sum.1 {
        format!("checksum {} instead of {}", sum.0, sum.1)
    } else {
        return Ok(());
    };
    Err(FileError::Damaged {
        path: path.to_owned(),
        what,
    })
}
