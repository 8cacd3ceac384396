//! What is asked, as addresses and bodies say it.

use serde::de::DeserializeOwned;

use crate::fault::Fault;
use crate::{advice, diagram, duel, line, position, route, spawns, verdict};

/// How something is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// With parameters.
    Get,
    /// With a body.
    Post,
}

/// A question.
pub enum Asked {
    /// Which tables there are.
    Variants,
    /// What is true of a position.
    Position(position::Asked),
    /// The same of many.
    Positions(position::AskedMany),
    /// What can fall after a slide.
    Spawns(spawns::Asked),
    /// Where best play goes.
    Line(line::Asked),
    /// What the moves of a game were worth.
    Verdicts(verdict::Asked),
    /// What to do, by looking ahead.
    Advice(advice::Asked),
    /// A short way to a tile.
    Plan(route::Asked),
    /// A small game drawn.
    Diagram(diagram::Asked),
    /// What the winner of a contest does.
    Strategy(duel::Asked),
}

impl Asked {
    /// Reads a question: the last part of its address, what stands after the question mark,
    /// and the body.
    pub fn parse(method: Method, path: &str, query: &str, body: &[u8]) -> Result<Asked, Fault> {
        let expected = match path {
            "positions" | "verdicts" => Method::Post,
            "variants" | "position" | "spawns" | "line" | "advice" | "plan" | "diagram"
            | "strategy" => Method::Get,
            _ => {
                return Err(Fault::Missing(
                    "there is nothing at this address".to_owned(),
                ));
            }
        };
        if method != expected {
            return Err(Fault::Method);
        }
        Ok(match path {
            "positions" => Asked::Positions(from_body(body)?),
            "verdicts" => Asked::Verdicts(from_body(body)?),
            "position" => Asked::Position(from_query(query)?),
            "spawns" => Asked::Spawns(from_query(query)?),
            "line" => Asked::Line(from_query(query)?),
            "advice" => Asked::Advice(from_query(query)?),
            "plan" => Asked::Plan(from_query(query)?),
            "diagram" => Asked::Diagram(from_query(query)?),
            "strategy" => Asked::Strategy(from_query(query)?),
            _ => Asked::Variants,
        })
    }

    /// The id of the table that is needed, if one is.
    pub fn table(&self) -> Option<&str> {
        match self {
            Asked::Position(asked) => Some(&asked.variant),
            Asked::Positions(asked) => Some(&asked.variant),
            Asked::Spawns(asked) => Some(&asked.variant),
            Asked::Line(asked) => Some(&asked.variant),
            Asked::Verdicts(asked) => Some(&asked.variant),
            _ => None,
        }
    }
}

fn from_query<T: DeserializeOwned>(query: &str) -> Result<T, Fault> {
    let parameters = form_urlencoded::parse(query.as_bytes());
    let reader = serde_urlencoded::Deserializer::new(parameters);
    // Which parameter it is belongs to what is wrong with it.
    let read = serde_path_to_error::deserialize(reader);
    read.map_err(|error| Fault::Request(format!("the parameters are wrong: {error}")))
}

/// The object in a body.
pub(crate) fn from_body<T: DeserializeOwned>(body: &[u8]) -> Result<T, Fault> {
    let read = serde_json::from_slice(body);
    read.map_err(|error| Fault::Request(format!("the body is wrong: {error}")))
}
