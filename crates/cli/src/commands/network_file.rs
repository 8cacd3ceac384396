//! Network files.

use std::io::Write;
use std::path::Path;

use tilebase_network::NTupleNetwork;
use tilebase_util::files::NewFile;

use crate::failure::Failure;

/// Reads a network from a file.
pub fn read(path: &Path) -> Result<NTupleNetwork, Failure> {
    let doing = || format!("reading the network {}", path.display());
    let bytes = std::fs::read(path).map_err(|error| Failure::work(&doing(), error))?;
    let network = NTupleNetwork::from_bytes(&bytes);
    network.map_err(|error| Failure::Work(format!("{}: {error}", path.display())))
}

/// Creates the file of a network before the work, so that a path that cannot be written is
/// reported at once.
pub fn create(path: &Path) -> Result<NewFile, Failure> {
    NewFile::create(path).map_err(|error| Failure::Work(error.to_string()))
}

/// Writes a network to the file that [`create`] made, and returns its size.
pub fn write(network: &NTupleNetwork, mut file: NewFile, path: &Path) -> Result<u64, Failure> {
    let bytes = network
        .to_bytes()
        .map_err(|error| Failure::work("compressing the network", error))?;
    file.write_all(&bytes)
        .map_err(|error| Failure::work(&path.display().to_string(), error))?;
    file.keep()
        .map_err(|error| Failure::Work(error.to_string()))
}

/// The failure of bad quantization, if it is bad.
pub fn check_quantum(quantum: f32) -> Result<(), Failure> {
    match quantum.is_finite() && quantum >= 0.01 {
        true => Ok(()),
        false => Err(Failure::request("--quantum must be at least 0.01 points")),
    }
}
