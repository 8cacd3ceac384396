//! What requests are read with and answers are written with.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::fault::Fault;

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

impl<T: Serialize> IntoResponse for Reply<T> {
    fn into_response(self) -> Response {
        Json(self).into_response()
    }
}

/// What handlers return.
pub type Answered<T> = Result<Reply<T>, Fault>;

/// The parameters after the question mark.
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Query<T>, Fault> {
        let query = axum::extract::Query::try_from_uri(&parts.uri);
        let query = query.map_err(|error| Fault::Request(error.body_text()))?;
        Ok(Query(query.0))
    }
}

/// The JSON of a body.
///
/// It must be called JSON: pages of other origins cannot send that without asking first, so
/// they cannot start jobs here.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Fault;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, Fault> {
        let kind = request.headers().get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            return Err(Fault::Media);
        }
        let bytes = Bytes::from_request(request, state).await;
        let bytes = bytes.map_err(|rejection| {
            let response = rejection.into_response();
            match response.status() {
                StatusCode::PAYLOAD_TOO_LARGE => Fault::TooLarge,
                _ => Fault::Request("the body could not be read".to_owned()),
            }
        })?;
        let body = serde_json::from_slice(&bytes);
        let body = body.map_err(|error| Fault::Request(format!("the body is wrong: {error}")))?;
        Ok(Body(body))
    }
}
