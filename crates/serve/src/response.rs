//! Answers and errors as HTTP responses.

use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use serde::Serialize;
use tilebase_service::{ApiError, Response};

/// What handlers return.
pub type Answered = Result<HttpAnswer, HttpError>;

/// An answer with its status.
pub struct HttpAnswer(pub StatusCode, pub Response);

/// An error.
pub struct HttpError(pub ApiError);

impl HttpAnswer {
    /// A JSON object with the version.
    pub fn json(status: StatusCode, answer: impl Serialize) -> Answered {
        Ok(HttpAnswer(status, Response::json(answer)?))
    }
}

impl From<ApiError> for HttpError {
    fn from(error: ApiError) -> HttpError {
        HttpError(error)
    }
}

impl IntoResponse for HttpAnswer {
    fn into_response(self) -> axum::response::Response {
        let HttpAnswer(status, answer) = self;
        (status, [(header::CONTENT_TYPE, answer.media)], answer.body).into_response()
    }
}

impl IntoResponse for HttpError {
    fn into_response(self) -> axum::response::Response {
        let status = StatusCode::from_u16(self.0.status());
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let media = [(header::CONTENT_TYPE, "application/json")];
        (status, media, self.0.body()).into_response()
    }
}
