//! What can be wrong with a request, and the one place that turns it into a status.

use std::fmt::Display;

use serde::Serialize;
use tilebase_solve::SolveError;
use tilebase_table::TableError;
use tilebase_util::files::FileError;

use crate::reply::Reply;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApiError {
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

impl ApiError {
    /// A wrong request, explained by a library's error.
    pub fn request(error: impl Display) -> ApiError {
        ApiError::Request(error.to_string())
    }

    /// The status of the answer.
    pub fn status(&self) -> u16 {
        match self {
            ApiError::Request(_) => 400,
            ApiError::Host => 403,
            ApiError::Missing(_) => 404,
            ApiError::Method => 405,
            ApiError::Slow => 408,
            ApiError::TooLarge => 413,
            ApiError::Media => 415,
            ApiError::Busy(_) => 429,
            ApiError::Damaged(_) | ApiError::Work(_) => 500,
        }
    }

    /// What is wrong, in words.
    pub fn text(&self) -> String {
        match self {
            ApiError::Host => "the server answers to localhost and addresses only".to_owned(),
            ApiError::Method => "this method is not for this address: see /openapi.json".to_owned(),
            ApiError::Slow => "the body did not come in time".to_owned(),
            ApiError::TooLarge => {
                let most = crate::limits::BODY;
                format!("the body is too large: at most {most} bytes")
            }
            ApiError::Media => {
                "the body must be JSON: send content-type application/json".to_owned()
            }
            ApiError::Request(text)
            | ApiError::Missing(text)
            | ApiError::Busy(text)
            | ApiError::Damaged(text)
            | ApiError::Work(text) => text.clone(),
        }
    }
}

/// Tables are told by name: where they are on disk is nobody's business.
impl From<TableError> for ApiError {
    fn from(error: TableError) -> ApiError {
        match error {
            TableError::File(FileError::Damaged { .. }) => ApiError::Damaged(
                "the table is damaged: 'tilebase table verify' tells where".to_owned(),
            ),
            TableError::MovesOnly(_) => {
                ApiError::Request("the table has moves only: this needs one with values".to_owned())
            }
            TableError::Missing(_) | TableError::Incomplete(_) => {
                ApiError::Missing("there is no such table".to_owned())
            }
            TableError::Format { found, known, .. } => ApiError::Damaged(format!(
                "the table has format {found}, and this program knows format {known}"
            )),
            TableError::File(_) | TableError::Other { .. } => {
                ApiError::Damaged("the table cannot be read".to_owned())
            }
            TableError::Index(error) => ApiError::Work(error.to_string()),
            TableError::System(error) => {
                ApiError::Work(format!("the system refused memory or threads: {error}"))
            }
        }
    }
}

impl From<SolveError> for ApiError {
    fn from(error: SolveError) -> ApiError {
        match error {
            SolveError::Target(objective) => {
                ApiError::Request(format!("objective {objective} needs a target tile"))
            }
            SolveError::Table(error) => ApiError::from(error),
            error if error.is_request() => ApiError::request(error),
            error => ApiError::Work(error.to_string()),
        }
    }
}

impl ApiError {
    /// What is said, as JSON.
    pub fn body(&self) -> Vec<u8> {
        let told = Told { error: self.text() };
        // Text alone can always be written.
        serde_json::to_vec(&Reply::new(told)).unwrap_or_default()
    }
}

impl std::fmt::Display for ApiError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text())
    }
}

impl std::error::Error for ApiError {}
