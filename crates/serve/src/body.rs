//! The bodies of requests.

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use tilebase_service::ApiError;

use crate::limits;
use crate::response::HttpError;

/// The body of a request, which must be declared as JSON.
///
/// A page of another origin cannot send that without a preflight request, so it cannot start
/// jobs here.
pub struct Body(pub Bytes);

impl<S: Send + Sync> FromRequest<S> for Body {
    type Rejection = HttpError;

    async fn from_request(request: Request, state: &S) -> Result<Body, HttpError> {
        let kind = request.headers().get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            return Err(ApiError::Media.into());
        }
        let bytes = tokio::time::timeout(limits::BODY_TIME, Bytes::from_request(request, state));
        let bytes = bytes.await.map_err(|_| ApiError::Slow)?;
        let bytes = bytes.map_err(|rejection| {
            let response = rejection.into_response();
            match response.status() {
                StatusCode::PAYLOAD_TOO_LARGE => ApiError::TooLarge,
                _ => ApiError::Request("the body could not be read".to_owned()),
            }
        })?;
        Ok(Body(bytes))
    }
}
