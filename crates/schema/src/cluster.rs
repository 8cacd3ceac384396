//! What several processes did.

use schemars::JsonSchema;
use serde::Serialize;

/// What a process did, of several that shared the work.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ProcessReport {
    /// Its number, from 0.
    pub process: usize,
    /// Its address.
    pub address: String,
    /// Bytes that it sent to the others.
    pub bytes_sent: u64,
    /// Bytes that it received from the others.
    pub bytes_received: u64,
    /// Seconds that it waited for the others.
    pub seconds_waiting: f64,
    /// Most memory that it had in use.
    pub peak_memory_bytes: Option<u64>,
}
