//! What can be wrong with a request, and the one place that turns it into a status.

use std::fmt::Display;

use serde::Serialize;
use tilebase_solve::SolveError;
use tilebase_table::TableError;
use tilebase_util::files::FileError;

use crate::reply::Reply;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The request is wrong: 400.
    Request(String),
    /// The request came by a name that is not ours: 403.
    Host,
    /// There is no such thing: 404.
    Missing(String),
    /// There is such a thing, but not with this method: 405.
    Method,
    /// The body does not come: 408.
    Slow,
    /// The body is too large: 413.
    TooLarge,
    /// The body is not JSON: 415.
    Media,
    /// There is too much to do: 429.
    Busy(String),
    /// A table is damaged: 500.
    Damaged(String),
    /// The work failed: 500.
    Work(String),
}

#[derive(Serialize)]
struct Told {
    error: String,
}

impl Fault {
    /// A wrong request, explained by a library's error.
    pub fn request(error: impl Display) -> Fault {
        Fault::Request(error.to_string())
    }

    /// The status of the answer.
    pub fn status(&self) -> u16 {
        match self {
            Fault::Request(_) => 400,
            Fault::Host => 403,
            Fault::Missing(_) => 404,
            Fault::Method => 405,
            Fault::Slow => 408,
            Fault::TooLarge => 413,
            Fault::Media => 415,
            Fault::Busy(_) => 429,
            Fault::Damaged(_) | Fault::Work(_) => 500,
        }
    }

    /// What is wrong, in words.
    pub fn text(&self) -> String {
        match self {
            Fault::Host => "the server answers to localhost and addresses only".to_owned(),
            Fault::Method => "this method is not for this address: see /openapi.json".to_owned(),
            Fault::Slow => "the body did not come in time".to_owned(),
            Fault::TooLarge => {
                let most = crate::limits::BODY;
                format!("the body is too large: at most {most} bytes")
            }
            Fault::Media => "the body must be JSON: send content-type application/json".to_owned(),
            Fault::Request(text)
            | Fault::Missing(text)
            | Fault::Busy(text)
            | Fault::Damaged(text)
            | Fault::Work(text) => text.clone(),
        }
    }
}

/// Tables are told by name: where they are on disk is nobody's business.
impl From<TableError> for Fault {
    fn from(error: TableError) -> Fault {
        match error {
            TableError::File(FileError::Damaged { .. }) => Fault::Damaged(
                "the table is damaged: 'tilebase table verify' tells where".to_owned(),
            ),
            TableError::MovesOnly(_) => {
                Fault::Request("the table has moves only: this needs one with values".to_owned())
            }
            TableError::Missing(_) | TableError::Incomplete(_) => {
                Fault::Missing("there is no such table".to_owned())
            }
            TableError::Format { found, known, .. } => Fault::Damaged(format!(
                "the table has format {found}, and this program knows format {known}"
            )),
            TableError::File(_) | TableError::Other { .. } => {
                Fault::Damaged("the table cannot be read".to_owned())
            }
            TableError::Index(error) => Fault::Work(error.to_string()),
            TableError::System(error) => {
                Fault::Work(format!("the system refused memory or threads: {error}"))
            }
        }
    }
}

impl From<SolveError> for Fault {
    fn from(error: SolveError) -> Fault {
        match error {
            SolveError::Target(objective) => {
                Fault::Request(format!("objective {objective} needs a target tile"))
            }
            SolveError::Table(error) => Fault::from(error),
            error if error.is_request() => Fault::request(error),
            error => Fault::Work(error.to_string()),
        }
    }
}

impl Fault {
    /// What is said, as JSON.
    pub fn body(&self) -> Vec<u8> {
        let told = Told { error: self.text() };
        // Text alone can always be written.
        serde_json::to_vec(&Reply::new(told)).unwrap_or_default()
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text())
    }
}

impl std::error::Error for Fault {}
