//! A file that appears complete or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::files::FileError;

/// A file that is being written. It has a temporary name until [`NewFile::keep`], and is removed
/// if it is dropped before.
///
/// Pipes and devices are written to directly.
///
/// ```
/// use std::io::Write;
/// use tilebase_util::files::NewFile;
///
/// let directory = tempfile::tempdir().unwrap();
/// let path = directory.path().join("numbers");
/// let mut file = NewFile::create(&path).unwrap();
/// file.write_all(b"1 2 3").unwrap();
/// assert!(!path.exists());
/// assert_eq!(file.keep().unwrap(), 5);
/// assert!(path.exists());
/// ```
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    /// Where it is until it is kept.
    temporary: Option<PathBuf>,
    file: BufWriter<File>,
    bytes: u64,
}

impl NewFile {
    /// Starts a file that will replace the one at `path`, if there is one.
    pub fn create(path: &Path) -> Result<NewFile, FileError> {
        // A link stays, and what it points to is replaced.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let is_ordinary = |path: &Path| fs::metadata(path).is_ok_and(|data| data.is_file());
        let temporary = (!path.exists() || is_ordinary(&path)).then(|| {
            // Two processes do not write to one file.
            let mut name = path.file_name().map_or(OsString::new(), OsString::from);
            name.push(format!(".{}.tmp", std::process::id()));
            path.with_file_name(name)
        });
        let file = match &temporary {
            Some(temporary) => File::create(temporary),
            None => File::options().write(true).open(&path),
        };
        Ok(NewFile {
            file: BufWriter::new(file.map_err(FileError::system(&path))?),
            path,
            temporary,
            bytes: 0,
        })
    }

    /// Syncs the file and gives it its name. Returns its size in bytes.
    pub fn keep(mut self) -> Result<u64, FileError> {
        self.file.flush().map_err(FileError::system(&self.path))?;
        if let Some(temporary) = &self.temporary {
            let sync = self.file.get_ref().sync_all();
            let named = sync.and_then(|()| fs::rename(temporary, &self.path));
            named.map_err(FileError::system(&self.path))?;
            self.temporary = None;
        }
        Ok(self.bytes)
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            // A name that says temporary is the worst that can be left.
            let _ = fs::remove_file(temporary);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_kept_is_there() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x.csv");
        let names = || fs::read_dir(directory.path()).unwrap().count();
        let mut file = NewFile::create(&path).unwrap();
        file.write_all(&[1; 100_000]).unwrap();
        drop(file);
        assert_eq!(names(), 0);
        fs::write(&path, "old").unwrap();
        let mut file = NewFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        file.flush().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        file.keep().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(), 1);
        assert!(NewFile::create(&directory.path().join("no/x.csv")).is_err());
        assert!(NewFile::create(directory.path()).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_stay_what_they_are() {
        let directory = tempfile::tempdir().unwrap();
        let (path, link) = (directory.path().join("x"), directory.path().join("y"));
        fs::write(&path, "old").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let mut file = NewFile::create(&link).unwrap();
        file.write_all(b"new").unwrap();
        file.keep().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"new");
        let mut null = NewFile::create(Path::new("/dev/null")).unwrap();
        null.write_all(b"gone").unwrap();
        assert_eq!(null.keep().unwrap(), 4);
        assert!(Path::new("/dev/null").exists());
    }
}
