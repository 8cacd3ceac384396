//! What answers are made from.

use serde::Serialize;
use tilebase_schema::Versioned;

use crate::cache::TableCache;
use crate::deadline::Stop;
use crate::error::ApiError;
use crate::formations::Formations;
use crate::request::Request;
use crate::searchers::Searchers;
use crate::strategy::Contests;

/// Answers requests: the tables, the searches and the contests that are decided.
#[derive(Default)]
pub struct Service {
    /// The tables.
    pub cache: TableCache,
    /// Whether all work is to stop.
    pub stop: Stop,
    pub(crate) searchers: Searchers,
    pub(crate) formations: Formations,
    pub(crate) contests: Contests,
}

/// The body of a successful answer.
#[derive(Debug)]
pub struct Response {
    /// Media type of the body.
    pub media: &'static str,
    /// The body.
    pub body: Vec<u8>,
}

impl Response {
    /// A JSON object with the version.
    pub fn json(answer: impl Serialize) -> Result<Response, ApiError> {
        let body = serde_json::to_vec(&Versioned::new(answer));
        Ok(Response {
            media: "application/json",
            body: body.map_err(|error| ApiError::Work(format!("writing the answer: {error}")))?,
        })
    }
}

impl Service {
    /// A service with the tables of a cache.
    pub fn new(cache: TableCache) -> Service {
        Service {
            cache,
            ..Service::default()
        }
    }

    /// Loads the n-tuple network for 4x4 from the bytes of its file, where the program has none
    /// built in.
    pub fn load_network(&self, bytes: &[u8]) -> Result<(), ApiError> {
        self.searchers.load(bytes)
    }

    /// Whether an answer takes more than a lookup.
    pub fn is_long(&self, request: &Request) -> bool {
        request.is_long(self)
    }

    /// Answers a request.
    pub fn answer(&self, request: &Request) -> Result<Response, ApiError> {
        request.answer(self)
    }
}
