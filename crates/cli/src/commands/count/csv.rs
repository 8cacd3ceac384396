//! The numbers of each layer as CSV, written while the count goes on.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tilebase_index::{ByLargest, LayerCount};

use crate::failure::Failure;
use crate::standard::is_standard;

/// A file, or stdout, with a line for each layer.
pub struct LayerCsv {
    path: PathBuf,
    out: Box<dyn Write + Send>,
    layers: usize,
    /// The first error. It must not stop the count.
    error: Option<io::Error>,
}

impl LayerCsv {
    /// Creates the file with its header line; an existing file is not replaced.
    pub fn create(path: &Path) -> Result<LayerCsv, Failure> {
        let mut out: Box<dyn Write + Send> = if is_standard(path) {
            Box::new(io::stdout())
        } else {
            Box::new(File::create_new(path).map_err(|error| failure(path, error))?)
        };
        put(&mut out, "sum,states,lost,afterstates\n").map_err(|error| failure(path, error))?;
        Ok(LayerCsv {
            path: path.to_owned(),
            out,
            layers: 0,
            error: None,
        })
    }

    /// Adds a line.
    pub fn write(&mut self, layer: &LayerCount) {
        let sum = |boards: &ByLargest| boards.iter().sum::<u64>();
        let (states, lost) = (sum(&layer.states), sum(&layer.lost));
        let line = format!("{},{states},{lost},{}\n", layer.sum, layer.afterstates);
        self.layers += 1;
        if self.error.is_none() {
            self.error = put(&mut self.out, &line).err();
        }
    }

    /// Returns the first error. A file without a layer is removed.
    pub fn finish(self) -> Result<(), Failure> {
        if self.layers == 0 && !is_standard(&self.path) {
            let _ = std::fs::remove_file(&self.path);
        }
        let failed = |error| Err(failure(&self.path, error));
        self.error.map_or(Ok(()), failed)
    }
}

fn put(out: &mut dyn Write, line: &str) -> io::Result<()> {
    match out.write_all(line.as_bytes()) {
        // A reader that closed the pipe has read enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        done => done,
    }
}

fn failure(path: &Path, error: io::Error) -> Failure {
    if is_standard(path) {
        Failure::work("writing to stdout", error)
    } else {
        Failure::work(&path.display().to_string(), error)
    }
}
