//! Errors of requests, and their HTTP statuses.

use std::fmt::Display;

use tilebase_count::CountError;
use tilebase_index::IndexError;
use tilebase_schema::{ErrorAnswer, Versioned};
use tilebase_solve::SolveError;
use tilebase_table::TableError;
use tilebase_util::files::FileError;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApiError {
    /// The request is wrong: 400.
    Request(String),
    /// The host header names another machine: 403.
    Host,
    /// There is no such thing: 404.
    Missing(String),
    /// The address exists, but not with this method: 405.
    Method,
    /// The body did not arrive in time: 408.
    Slow,
    /// The body is too large: 413.
    TooLarge,
    /// The body is not JSON: 415.
    Media,
    /// Too much is being worked on: 429.
    Busy(String),
    /// A table is damaged: 500.
    Damaged(String),
    /// The work failed: 500.
    Work(String),
}

impl ApiError {
    /// A wrong request.
    pub fn request(error: impl Display) -> ApiError {
        ApiError::Request(error.to_string())
    }

    /// A path that leads nowhere.
    pub fn no_such_address() -> ApiError {
        ApiError::Missing("there is nothing at this address: see /openapi.json".to_owned())
    }

    /// HTTP status of the answer.
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

    /// What is wrong, in one line.
    pub fn text(&self) -> String {
        match self {
            ApiError::Host => "invalid host: use localhost or an address".to_owned(),
            ApiError::Method => {
                "this address does not take this method: see /openapi.json".to_owned()
            }
            ApiError::Slow => "the body did not arrive in time".to_owned(),
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

/// The texts name no files: where tables are on disk is not the user's business.
impl From<TableError> for ApiError {
    fn from(error: TableError) -> ApiError {
        match error {
            TableError::File(FileError::Damaged { .. }) => {
                ApiError::Damaged("the table is damaged".to_owned())
            }
            TableError::MovesOnly(_) => {
                ApiError::Request("the table of this variant has no values, only moves".to_owned())
            }
            TableError::Rounded(_) | TableError::NotRounded(_) | TableError::NotMet(_) => {
                ApiError::Request("the table of this variant has rounded values only".to_owned())
            }
            TableError::Missing(_) | TableError::Incomplete(_) => {
                ApiError::Missing("there is no such table".to_owned())
            }
            TableError::Format { found, known, .. } => ApiError::Damaged(format!(
                "the table has format {found}, but this program reads formats up to {known}"
            )),
            TableError::File(_) | TableError::Other { .. } | TableError::Shards { .. } => {
                ApiError::Damaged("the table cannot be read".to_owned())
            }
            TableError::Index(error) => ApiError::from(error),
            TableError::System(error) => {
                ApiError::Work(format!("the system refused memory or threads: {error}"))
            }
        }
    }
}

impl From<IndexError> for ApiError {
    fn from(error: IndexError) -> ApiError {
        match error {
            IndexError::Endless { shape, free } if free == shape.cells() => {
                ApiError::Request(format!(
                    "the whole game on {shape} is too large: it needs a target tile, such as \
                 variant={shape}-to-2048"
                ))
            }
            error if error.is_request() => ApiError::request(error),
            error => ApiError::Work(error.to_string()),
        }
    }
}

impl From<CountError> for ApiError {
    fn from(error: CountError) -> ApiError {
        match error {
            CountError::Index(error) => ApiError::from(error),
            error if error.is_request() => ApiError::request(error),
            error => ApiError::Work(error.to_string()),
        }
    }
}

impl From<SolveError> for ApiError {
    fn from(error: SolveError) -> ApiError {
        match error {
            SolveError::Target(objective) => ApiError::Request(format!(
                "objective {objective} needs a target tile, such as variant=4x4-to-2048"
            )),
            SolveError::Table(error) => ApiError::from(error),
            SolveError::Count(error) => ApiError::from(error),
            error if error.is_request() => ApiError::request(error),
            error => ApiError::Work(error.to_string()),
        }
    }
}

impl ApiError {
    /// The body of the answer.
    pub fn body(&self) -> Vec<u8> {
        let answer = ErrorAnswer { error: self.text() };
        // Writing text to JSON cannot fail.
        serde_json::to_vec(&Versioned::new(answer)).unwrap_or_default()
    }
}

impl std::fmt::Display for ApiError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text())
    }
}

impl std::error::Error for ApiError {}
