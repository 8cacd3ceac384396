//! What answers have in common.

use serde::Serialize;

/// The version that every object carries.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// An answer: one JSON object, with the version in front.
#[derive(Debug, Serialize)]
pub struct Reply<T> {
    version: &'static str,
    #[serde(flatten)]
    answer: T,
}

impl<T> Reply<T> {
    /// An answer with the version.
    pub fn new(answer: T) -> Reply<T> {
        Reply {
            version: VERSION,
            answer,
        }
    }
}
