//! All that answers are made from.

use serde::Serialize;

use crate::advice::Searchers;
use crate::cache::TableCache;
use crate::deadline::Stop;
use crate::error::ApiError;
use crate::reply::Reply;
use crate::request::Request;
use crate::strategy::Contests;

/// The tables, who looks ahead, and contests that are settled.
#[derive(Default)]
pub struct Service {
    /// The tables.
    pub cache: TableCache,
    /// Whether all is to stop.
    pub stop: Stop,
    pub(crate) searchers: Searchers,
    pub(crate) contests: Contests,
}

/// An answer: JSON, or a drawing.
#[derive(Debug)]
pub struct Answer {
    /// Its media type.
    pub kind: &'static str,
    /// Its text.
    pub body: Vec<u8>,
}

impl Answer {
    /// One object, with the version.
    pub fn json(answer: impl Serialize) -> Result<Answer, ApiError> {
        let body = serde_json::to_vec(&Reply::new(answer));
        Ok(Answer {
            kind: "application/json",
            body: body.map_err(|error| ApiError::Work(format!("writing the answer: {error}")))?,
        })
    }
}

impl Service {
    /// With the tables on a cache.
    pub fn new(cache: TableCache) -> Service {
        Service {
            cache,
            ..Service::default()
        }
    }

    /// Takes the learned evaluation for 4x4 from the bytes of a weights file, where it does
    /// not come with the program.
    pub fn load_weights(&self, bytes: &[u8]) -> Result<(), ApiError> {
        self.searchers.load(bytes)
    }

    /// Whether an answer takes more than a look-up.
    pub fn is_long(&self, request: &Request) -> bool {
        match request {
            Request::Position(request) if request.search => true,
            Request::Variants => false,
            request => match request.table() {
                Some(id) => matches!(self.cache.get(id), Ok(None)),
                None => true,
            },
        }
    }

    /// Answers a question.
    pub fn answer(&self, request: &Request) -> Result<Answer, ApiError> {
        match request {
            Request::Variants => Answer::json(self.variants()),
            Request::Position(request) => Answer::json(self.position(request)?),
            Request::Positions(request) => Answer::json(self.positions(request)?),
            Request::Spawns(request) => Answer::json(self.spawns(request)?),
            Request::Line(request) => Answer::json(self.line(request)?),
            Request::Verdicts(request) => Answer::json(self.verdicts(request)?),
            Request::Advice(request) => Answer::json(self.advice(request)?),
            Request::Plan(request) => Answer::json(self.plan(request)?),
            Request::Strategy(request) => Answer::json(self.strategy(request)?),
            Request::Diagram(request) => self.diagram(request),
        }
    }
}
