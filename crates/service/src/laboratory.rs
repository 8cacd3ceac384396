//! All that answers are made from.

use serde::Serialize;

use crate::advice::Searchers;
use crate::asked::Asked;
use crate::deadline::Stop;
use crate::duel::Contests;
use crate::fault::Fault;
use crate::reply::Reply;
use crate::shelf::Shelf;

/// The tables, who looks ahead, and contests that are settled.
#[derive(Default)]
pub struct Laboratory {
    /// The tables.
    pub shelf: Shelf,
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
    pub fn json(answer: impl Serialize) -> Result<Answer, Fault> {
        let body = serde_json::to_vec(&Reply::new(answer));
        Ok(Answer {
            kind: "application/json",
            body: body.map_err(|error| Fault::Work(format!("writing the answer: {error}")))?,
        })
    }
}

impl Laboratory {
    /// With the tables on a shelf.
    pub fn new(shelf: Shelf) -> Laboratory {
        Laboratory {
            shelf,
            ..Laboratory::default()
        }
    }

    /// Takes the learned evaluation for 4x4 from the bytes of a weights file, where it does
    /// not come with the program.
    pub fn load_weights(&self, bytes: &[u8]) -> Result<(), Fault> {
        self.searchers.load(bytes)
    }

    /// Whether an answer takes more than a look-up.
    pub fn is_long(&self, asked: &Asked) -> bool {
        match asked {
            Asked::Position(asked) if asked.search => true,
            Asked::Variants => false,
            asked => match asked.table() {
                Some(id) => matches!(self.shelf.get(id), Ok(None)),
                None => true,
            },
        }
    }

    /// Answers a question.
    pub fn answer(&self, asked: &Asked) -> Result<Answer, Fault> {
        match asked {
            Asked::Variants => Answer::json(self.variants()),
            Asked::Position(asked) => Answer::json(self.position(asked)?),
            Asked::Positions(asked) => Answer::json(self.positions(asked)?),
            Asked::Spawns(asked) => Answer::json(self.spawns(asked)?),
            Asked::Line(asked) => Answer::json(self.line(asked)?),
            Asked::Verdicts(asked) => Answer::json(self.verdicts(asked)?),
            Asked::Advice(asked) => Answer::json(self.advice(asked)?),
            Asked::Plan(asked) => Answer::json(self.plan(asked)?),
            Asked::Strategy(asked) => Answer::json(self.strategy(asked)?),
            Asked::Diagram(asked) => self.diagram(asked),
        }
    }
}
