//! What is request, as addresses and bodies say it.

use serde::de::DeserializeOwned;

use crate::error::ApiError;
use crate::{advice, diagram, line, plan, position, review, spawns, strategy};

/// How something is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// With parameters.
    Get,
    /// With a body.
    Post,
}

/// A question.
pub enum Request {
    /// Which tables there are.
    Variants,
    /// What is true of a position.
    Position(position::PositionRequest),
    /// The same of many.
    Positions(position::PositionsRequest),
    /// What can fall after a slide.
    Spawns(spawns::SpawnsRequest),
    /// Where best play goes.
    Line(line::LineRequest),
    /// What the moves of a game were worth.
    Verdicts(review::ReviewRequest),
    /// What to do, by looking ahead.
    Advice(advice::AdviceRequest),
    /// A short way to a tile.
    Plan(plan::PlanRequest),
    /// A small game drawn.
    Diagram(diagram::DiagramRequest),
    /// What the winner of a contest does.
    Strategy(strategy::StrategyRequest),
}

impl Request {
    /// Reads a question: the last part of its address, what stands after the question mark,
    /// and the body.
    pub fn parse(
        method: Method,
        path: &str,
        query: &str,
        body: &[u8],
    ) -> Result<Request, ApiError> {
        let expected = match path {
            "positions" | "verdicts" => Method::Post,
            "variants" | "position" | "spawns" | "line" | "advice" | "plan" | "diagram"
            | "strategy" => Method::Get,
            _ => {
                return Err(ApiError::Missing(
                    "there is nothing at this address".to_owned(),
                ));
            }
        };
        if method != expected {
            return Err(ApiError::Method);
        }
        Ok(match path {
            "positions" => Request::Positions(from_body(body)?),
            "verdicts" => Request::Verdicts(from_body(body)?),
            "position" => Request::Position(from_query(query)?),
            "spawns" => Request::Spawns(from_query(query)?),
            "line" => Request::Line(from_query(query)?),
            "advice" => Request::Advice(from_query(query)?),
            "plan" => Request::Plan(from_query(query)?),
            "diagram" => Request::Diagram(from_query(query)?),
            "strategy" => Request::Strategy(from_query(query)?),
            _ => Request::Variants,
        })
    }

    /// The id of the table that is needed, if one is.
    pub fn table(&self) -> Option<&str> {
        match self {
            Request::Position(request) => Some(&request.variant),
            Request::Positions(request) => Some(&request.variant),
            Request::Spawns(request) => Some(&request.variant),
            Request::Line(request) => Some(&request.variant),
            Request::Verdicts(request) => Some(&request.variant),
            _ => None,
        }
    }
}

fn from_query<T: DeserializeOwned>(query: &str) -> Result<T, ApiError> {
    let parameters = form_urlencoded::parse(query.as_bytes());
    let reader = serde_urlencoded::Deserializer::new(parameters);
    // Which parameter it is belongs to what is wrong with it.
    let read = serde_path_to_error::deserialize(reader);
    read.map_err(|error| ApiError::Request(format!("the parameters are wrong: {error}")))
}

/// The object in a body.
pub(crate) fn from_body<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    let read = serde_json::from_slice(body);
    read.map_err(|error| ApiError::Request(format!("the body is wrong: {error}")))
}
