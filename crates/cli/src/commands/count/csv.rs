//! The numbers of each layer as CSV, written while the count goes on.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tilebase_index::{ByLargest, LayerCount};

use crate::failure::Failure;

/// A file with a line for each layer.
pub struct LayerCsv {
    path: PathBuf,
    file: File,
    layers: usize,
    /// The first error. It must not stop the count.
    error: Option<io::Error>,
}

impl LayerCsv {
    /// Creates the file with its header line; an existing file is not replaced.
    pub fn create(path: &Path) -> Result<LayerCsv, Failure> {
        let failed = |error| Failure::work(&path.display().to_string(), error);
        let mut file = File::create_new(path).map_err(failed)?;
        writeln!(file, "sum,states,lost,afterstates").map_err(failed)?;
        Ok(LayerCsv {
            path: path.to_owned(),
            file,
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
            self.error = self.file.write_all(line.as_bytes()).err();
        }
    }

    /// Returns the first error. A file without a layer is removed.
    pub fn finish(self) -> Result<(), Failure> {
        if self.layers == 0 {
            let _ = std::fs::remove_file(&self.path);
        }
        let failed = |error| Err(Failure::work(&self.path.display().to_string(), error));
        self.error.map_or(Ok(()), failed)
    }
}
