//! The answer of `serve`.

use std::net::IpAddr;

use schemars::JsonSchema;
use serde::Serialize;

/// A server that has started.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ServeAnswer {
    /// Address of the page.
    pub address: String,
    /// Address that it listens at.
    pub host: IpAddr,
    /// Port that it listens at.
    pub port: u16,
    /// Number of tables found.
    pub tables: usize,
}
