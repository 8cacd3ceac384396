//! Which address is answered by what, and what all answers have in common.

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tilebase_service::ApiError;
use tower_http::compression::{CompressionLayer, CompressionLevel};

use crate::executor::{self, Executor};
use crate::response::Fail;
use crate::{events, jobs, limits, page};

/// Nothing but what this server serves may be loaded by its page; WebAssembly may be compiled.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; \
     img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";

/// What every answer says to browsers.
const HEADERS: [(&str, &str); 5] = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// All addresses. With `local`, requests by other names than localhost and numbers are
/// refused.
pub fn router(executor: Arc<Executor>, local: bool) -> Router {
    let api = Router::new()
        .route("/{question}", get(executor::get).post(executor::post))
        .route("/jobs", get(jobs::list).post(jobs::start))
        .route("/jobs/{id}", get(jobs::show).delete(jobs::cancel))
        .route("/jobs/{id}/events", get(events::events));
    page::routes()
        .nest("/api/v1", api)
        .fallback(|| async {
            Fail(ApiError::Missing(
                "there is nothing at this address".to_owned(),
            ))
        })
        .method_not_allowed_fallback(|| async { Fail(ApiError::Method) })
        .with_state(executor)
        .layer(DefaultBodyLimit::max(limits::BODY))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        .layer(from_fn_with_state(local, guard))
        .layer(from_fn(head))
}

/// Adds the headers of every answer.
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

/// Refuses requests that a foreign page makes by pointing its own name at this machine.
async fn guard(State(local): State<bool>, request: Request, next: Next) -> Response {
    if local && !request.headers().get(header::HOST).is_none_or(is_local) {
        return Fail(ApiError::Host).into_response();
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
