//! The page: the files of `web/`, built into a release and read from there in development.

use std::borrow::Cow;
use std::sync::LazyLock;

use axum::Router;
use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rust_embed::Embed;
use tilebase_service::{ApiError, DOCS_STYLE, docs, openapi};
use tilebase_util::files::checksum;

use crate::response::HttpError;

/// The file at `/`.
pub const START: &str = "index.html";

/// The folder of the page. It is flat.
#[derive(Embed)]
#[folder = "../../web"]
#[exclude = "tests/*"]
struct Page;

/// The description of the API, built on first use.
static OPENAPI: LazyLock<Vec<u8>> = LazyLock::new(|| openapi().to_string().into_bytes());
/// The same to be read.
static DOCS: LazyLock<Vec<u8>> = LazyLock::new(|| docs().into_bytes());

/// The files and the description of the API.
pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let description = |headers: HeaderMap| async move {
        cached(&headers, "application/json", Cow::Borrowed(&OPENAPI[..]))
    };
    let docs = |headers: HeaderMap| async move {
        cached(&headers, kind("docs.html"), Cow::Borrowed(&DOCS[..]))
    };
    let style = |headers: HeaderMap| async move {
        let bytes = Cow::Borrowed(DOCS_STYLE.as_bytes());
        cached(&headers, kind("docs.css"), bytes)
    };
    let start = |headers: HeaderMap| async move { response(&headers, START) };
    let file =
        |headers: HeaderMap, Path(name): Path<String>| async move { response(&headers, &name) };
    Router::new()
        .route("/openapi.json", get(description))
        .route("/docs", get(docs))
        .route("/docs.css", get(style))
        .route("/", get(start))
        .route("/{name}", get(file))
}

/// The description of the API as files.
pub fn described() -> [(&'static str, &'static [u8]); 3] {
    [
        ("docs.html", &DOCS[..]),
        ("docs.css", DOCS_STYLE.as_bytes()),
        ("openapi.json", &OPENAPI[..]),
    ]
}

/// The files by name, with what is in them.
pub fn files() -> impl Iterator<Item = (String, Cow<'static, [u8]>)> {
    let names = Page::iter().filter(|name| is_plain(name));
    names.filter_map(|name| content(&name).map(|bytes| (name.into_owned(), bytes)))
}

fn response(headers: &HeaderMap, name: &str) -> Response {
    match content(name) {
        Some(bytes) => cached(headers, kind(name), bytes),
        None => HttpError(ApiError::no_such_address()).into_response(),
    }
}

/// What is in a file of the page.
fn content(name: &str) -> Option<Cow<'static, [u8]>> {
    Some(Page::get(name).filter(|_| is_plain(name))?.data)
}

/// Whether a name stays in the folder.
fn is_plain(name: &str) -> bool {
    !name.starts_with('.') && !name.contains(['/', '\\'])
}

/// The media type of a file.
fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, end)| end) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        _ => "application/octet-stream",
    }
}

/// A file, or 304 if the browser has it already.
fn cached(headers: &HeaderMap, kind: &'static str, bytes: Cow<'static, [u8]>) -> Response {
    let tag = format!("W/\"{}\"", checksum(&bytes));
    let known = headers.get(header::IF_NONE_MATCH);
    let known = known.and_then(|known| known.to_str().ok());
    let same = known.is_some_and(|known| known.split(',').any(|one| one.trim() == tag));
    // A browser asks every time, and learns quickly that nothing changed.
    let own = [
        (header::ETAG, tag),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
    ];
    if same {
        return (StatusCode::NOT_MODIFIED, own).into_response();
    }
    (own, [(header::CONTENT_TYPE, kind)], bytes.into_owned()).into_response()
}
