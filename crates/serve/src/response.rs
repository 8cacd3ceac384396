//! Answers and faults as HTTP has them.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tilebase_service::{Answer, ApiError};

/// What handlers return.
pub type Answered = Result<Responded, Fail>;

/// An answer with its status.
pub struct Responded(pub StatusCode, pub Answer);

/// Why there is none.
pub struct Fail(pub ApiError);

impl Responded {
    /// An object.
    pub fn json(status: StatusCode, answer: impl Serialize) -> Answered {
        Ok(Responded(status, Answer::json(answer)?))
    }
}

impl From<ApiError> for Fail {
    fn from(error: ApiError) -> Fail {
        Fail(error)
    }
}

impl IntoResponse for Responded {
    fn into_response(self) -> Response {
        let Responded(status, answer) = self;
        (status, [(header::CONTENT_TYPE, answer.kind)], answer.body).into_response()
    }
}

impl IntoResponse for Fail {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.0.status());
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let kind = [(header::CONTENT_TYPE, "application/json")];
        (status, kind, self.0.body()).into_response()
    }
}
