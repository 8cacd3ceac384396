//! Learned weights in files.

use std::fmt::Display;
use std::path::Path;

use tilebase_network::NTupleNetwork;

use crate::failure::Failure;

/// The weights in a file.
pub fn read(path: &Path) -> Result<NTupleNetwork, Failure> {
    let named = |error: &dyn Display| Failure::Work(format!("{}: {error}", path.display()));
    let bytes = std::fs::read(path).map_err(|error| named(&error))?;
    NTupleNetwork::from_bytes(&bytes).map_err(|error| named(&error))
}
