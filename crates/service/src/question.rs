//! Kinds of requests.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::error::ApiError;
use crate::service::{Response, Service};

/// The HTTP method of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Parameters in the query.
    Get,
    /// A JSON body.
    Post,
}

/// A kind of request: its parameters are the fields, and the rest of its description for
/// parsing and for OpenAPI is here.
pub(crate) trait Question: DeserializeOwned + JsonSchema {
    /// The last segment of its path.
    const PATH: &str;
    /// Its method.
    const METHOD: Method = Method::Get;
    /// One line about it.
    const SUMMARY: &str;
    /// An example: the query, or the body.
    const EXAMPLE: &str;
    /// The media type of the answer.
    const MEDIA: &str = "application/json";
    /// Other media types that a parameter can ask for.
    const OTHER_MEDIA: &[&str] = &[];
    /// The answer, without the version.
    type Answer: JsonSchema;

    /// Answers the request.
    fn answer(&self, service: &Service) -> Result<Response, ApiError>;

    /// The id of the table that the answer needs, if it needs one.
    fn table(&self) -> Option<&str> {
        None
    }

    /// Whether the answer takes more than a lookup.
    fn is_long(&self, service: &Service) -> bool {
        match self.table() {
            Some(id) => matches!(service.cache.get(id), Ok(None)),
            None => true,
        }
    }

    /// Reads a request.
    fn parse(method: Method, query: &str, body: &[u8]) -> Result<Self, ApiError> {
        if method != Self::METHOD {
            return Err(ApiError::Method);
        }
        match method {
            Method::Get => from_query(query),
            Method::Post => from_body(body),
        }
    }
}

fn from_query<T: DeserializeOwned>(query: &str) -> Result<T, ApiError> {
    let parameters = form_urlencoded::parse(query.as_bytes());
    let reader = serde_urlencoded::Deserializer::new(parameters);
    // The error names the parameter.
    let read = serde_path_to_error::deserialize(reader);
    read.map_err(|error| ApiError::Request(format!("invalid parameters: {error}")))
}

/// The object in a body.
pub(crate) fn from_body<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    let read = serde_json::from_slice(body);
    read.map_err(|error| ApiError::Request(format!("invalid body: {error}")))
}

/// Types of parameters that are text in Rust, for the description alone.
pub(crate) mod text {
    use schemars::JsonSchema;

    /// A game, such as `3x3-to-256`, with an objective if it is not the usual one.
    ///
    /// An id of /api/v1/variants, or another game up to 4x4: small ones are solved on demand.
    #[derive(JsonSchema)]
    #[schemars(extend(
        "pattern" = "^[1-4]x[1-4](-to-(8|16|32|64|128|256|512|1024|2048|4096|8192|16384|32768|65536|131072))?(-formation-[A-Za-z0-9]{1,8})?(-spawn-2:[01](\\.[0-9]+)?(,4:0\\.[0-9]+)?)?(-start-[0-9])?(-(win|score|moves|survival)(-0\\.[0-9]+)?)?$",
        "examples" = ["2x2-to-16", "3x3-to-64-score", "2x3-to-32-moves", "4x4-to-32-formation-L3"]
    ))]
    pub struct VariantId(#[expect(dead_code, reason = "only described")] String);

    /// A board: one hex digit per cell, the exponent of its tile, as in `0x0132`; or tile
    /// values, rows from the top, as in `.,2/8,4`. In games with walls a wall is `#`, in hex `f`.
    #[derive(JsonSchema)]
    #[schemars(extend(
        "pattern" = "^(0x[0-9a-fA-F]{4,16}|[.#0-9]+(,[.#0-9]+)*(/[.#0-9]+(,[.#0-9]+)*)*)$",
        "examples" = ["2,2/.,4", "0x1102", "0x0123456789ab2121"]
    ))]
    pub struct Board(#[expect(dead_code, reason = "only described")] String);

    /// Rows and columns, such as `4x4`.
    #[derive(JsonSchema)]
    #[schemars(extend(
        "pattern" = "^[1-9][0-9]?x[1-9][0-9]?$",
        "examples" = ["2x2", "3x3", "4x4"]
    ))]
    pub struct Shape(#[expect(dead_code, reason = "only described")] String);
}
