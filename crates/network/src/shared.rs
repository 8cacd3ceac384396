//! The built-in network, decoded once.

use std::sync::{Arc, Mutex, PoisonError};

use crate::built_in;
use crate::error::NetworkError;
use crate::network::NTupleNetwork;

/// The network that comes with the program, if there is one. It is decoded on first use, which
/// takes a while and 256 MiB, and is then shared by everything in the process.
pub fn shared() -> Result<Option<Arc<NTupleNetwork>>, NetworkError> {
    // Locked while it is decoded, so that nobody else decodes it too.
    static NETWORK: Mutex<Option<Arc<NTupleNetwork>>> = Mutex::new(None);
    let Some(bytes) = built_in() else {
        return Ok(None);
    };
    let mut network = NETWORK.lock().unwrap_or_else(PoisonError::into_inner);
    if network.is_none() {
        *network = Some(Arc::new(NTupleNetwork::from_bytes(bytes)?));
    }
    Ok(network.clone())
}
