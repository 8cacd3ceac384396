//! Output of commands: a file that is written whole or not at all, or stdout.

use std::io::{BufWriter, ErrorKind, Write};
use std::path::Path;

use tilebase_export::ExportError;
use tilebase_util::files::{FileError, NewFile};

use crate::failure::Failure;

/// Calls `write` with the destination: the file, or stdout if there is none. If it fails, no
/// file is left behind. Returns the size of the file in bytes.
pub fn deliver(
    file: Option<&Path>,
    write: impl FnOnce(&mut (dyn Write + Send)) -> Result<(), ExportError>,
) -> Result<u64, Failure> {
    match file {
        Some(path) => to_file(path, write),
        None => to_stdout(write).map(|()| 0),
    }
}

fn to_file(
    path: &Path,
    write: impl FnOnce(&mut (dyn Write + Send)) -> Result<(), ExportError>,
) -> Result<u64, Failure> {
    let named = |error: FileError| Failure::Work(error.to_string());
    let mut file = NewFile::create(path).map_err(named)?;
    match write(&mut file) {
        Ok(()) => file.keep().map_err(named),
        Err(ExportError::Write(error)) => Err(Failure::work(&path.display().to_string(), error)),
        Err(error) => Err(failure(error)),
    }
}

/// Writes a file, whole or not at all.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    to_file(path, |file| Ok(file.write_all(bytes)?)).map(drop)
}

fn to_stdout(
    write: impl FnOnce(&mut (dyn Write + Send)) -> Result<(), ExportError>,
) -> Result<(), Failure> {
    let mut out = BufWriter::new(std::io::stdout());
    match write(&mut out).and_then(|()| Ok(out.flush()?)) {
        // A reader that closed the pipe has read enough.
        Err(ExportError::Write(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(ExportError::Write(error)) => Err(Failure::work("writing to stdout", error)),
        done => done.map_err(failure),
    }
}

/// The failure of an export.
pub fn failure(error: ExportError) -> Failure {
    error.into()
}
