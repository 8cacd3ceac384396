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

/// The addresses of the API.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiIndex {
    /// Where the API is described to be read.
    pub docs: &'static str,
    /// Where the OpenAPI description is.
    pub openapi: &'static str,
    /// The addresses.
    pub paths: Vec<ApiPath>,
}

/// An address of the API.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiPath {
    /// The HTTP method.
    pub method: String,
    /// The path, with parameters in braces.
    pub path: String,
    /// What it answers.
    pub summary: String,
}
