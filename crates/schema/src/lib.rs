//! The answers of tilebase, as JSON gives them: one set of types for the command line's
//! `--json`, the HTTP API, the engine in the browser and other languages.
//!
//! One module a question. The same thing has the same name wherever it appears; names and
//! enumerated values are snake_case, unknown is `null`, boards are text, and every object that
//! is an answer of its own carries the version ([`Versioned`]). The crate has types only: who
//! knows the answer fills them in. Their JSON Schema is made from them (`schemars`), and the
//! API's OpenAPI description from that.

mod position;
mod words;

use schemars::JsonSchema;
use serde::Serialize;

pub use position::{Move, Position, Search, Value};
pub use words::{Category, Device, Direction, Source, Status};

/// The version that every answer carries.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// An answer of its own: one JSON object, the version first.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Versioned<T> {
    /// Version of the program that answers.
    pub version: &'static str,
    /// The answer's own fields.
    #[serde(flatten)]
    pub answer: T,
}

impl<T> Versioned<T> {
    /// The answer with the version of this program.
    pub fn new(answer: T) -> Versioned<T> {
        Versioned {
            version: VERSION,
            answer,
        }
    }
}
