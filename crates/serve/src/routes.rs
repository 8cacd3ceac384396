//! Routes, and the headers of all responses.

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tilebase_service::{ApiError, api_index};
use tower_http::compression::{CompressionLayer, CompressionLevel};

use crate::executor::{self, Executor};
use crate::response::{Answered, HttpAnswer, HttpError};
use crate::{events, jobs, limits, page};

/// The page may load only what this server serves, and may compile WebAssembly.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; \
     img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";

/// Headers of every response.
const HEADERS: [(&str, &str); 5] = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// All routes. With `local`, requests are refused whose host is neither localhost nor an
/// address.
pub fn router(executor: Arc<Executor>, local: bool) -> Router {
    let api = Router::new()
        .route("/{question}", get(executor::get).post(executor::post))
        .route("/jobs", get(jobs::list).post(jobs::start))
        .route("/jobs/{id}", get(jobs::show).delete(jobs::cancel))
        .route("/jobs/{id}/events", get(events::events));
    page::routes()
        .route("/api/v1", get(index))
        .route("/api/v1/", get(index))
        .nest("/api/v1", api)
        .fallback(|| async { HttpError(ApiError::no_such_address()) })
        .method_not_allowed_fallback(|| async { HttpError(ApiError::Method) })
        .with_state(executor)
        .layer(DefaultBodyLimit::max(limits::BODY))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        .layer(from_fn_with_state(local, guard))
        .layer(from_fn(head))
}

/// `GET /api/v1`
async fn index() -> Answered {
    HttpAnswer::json(StatusCode::OK, api_index())
}

/// Adds the headers of every response.
async fn head(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        );
    }
    let fresh = HeaderValue::from_static("no-store");
    headers.entry(header::CACHE_CONTROL).or_insert(fresh);
    response
}

/// Refuses requests of a page that has pointed its own name at this machine (DNS rebinding).
async fn guard(State(local): State<bool>, request: Request, next: Next) -> Response {
    if local && !request.headers().get(header::HOST).is_none_or(is_local) {
        return HttpError(ApiError::Host).into_response();
    }
    next.run(request).await
}

/// Whether a host header names this machine.
fn is_local(host: &HeaderValue) -> bool {
    let Ok(host) = host.to_str() else {
        return false;
    };
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    let number = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost") || number.parse::<std::net::IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_others_are_not_local() {
        for (host, local) in [
            ("localhost", true),
            ("LOCALHOST:2048", true),
            ("127.0.0.1:80", true),
            ("[::1]:80", true),
            ("[::1]", true),
            ("example.org", false),
            ("localhost.example.org:80", false),
            ("127.0.0.1.example.org", false),
            ("", false),
        ] {
            assert_eq!(is_local(&HeaderValue::from_static(host)), local, "{host}");
        }
    }
}
