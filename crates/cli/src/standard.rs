//! `-` in the place of a file: stdin or stdout.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use crate::interrupt;

/// Whether a file is stdin or stdout.
pub fn is_standard(file: &Path) -> bool {
    file == Path::new("-")
}

/// Opens a file or stdin to read it.
pub fn open(file: &Path) -> io::Result<BufReader<Box<dyn Read>>> {
    let content: Box<dyn Read> = if is_standard(file) {
        // Reading may wait forever for whoever writes.
        interrupt::listen_and_insist();
        Box::new(io::stdin())
    } else {
        Box::new(File::open(file)?)
    };
    Ok(BufReader::new(content))
}

/// What is read, for messages.
pub fn name(file: &Path) -> String {
    if is_standard(file) {
        "stdin".to_owned()
    } else {
        file.display().to_string()
    }
}
