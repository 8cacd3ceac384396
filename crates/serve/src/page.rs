//! The page: plain files, built into a release and read from `web/` in development.

use std::borrow::Cow;
use std::sync::LazyLock;

use axum::Router;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tilebase_service::openapi;
use tilebase_util::files::checksum;

/// A file of the page.
#[derive(Clone, Copy)]
struct File {
    /// Where it is served.
    path: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
    /// Where it is in development. A constant: no request can name a file.
    source: &'static str,
}

/// A file of `web/`.
macro_rules! file {
    ($path:literal, $name:literal, $kind:literal) => {
        File {
            path: $path,
            kind: $kind,
            bytes: include_bytes!(concat!("../../../web/", $name)),
            source: concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/", $name),
        }
    };
}

/// A module of `web/`.
macro_rules! script {
    ($name:literal) => {
        File {
            path: concat!("/", $name),
            kind: "text/javascript; charset=utf-8",
            bytes: include_bytes!(concat!("../../../web/", $name)),
            source: concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/", $name),
        }
    };
}

/// All files of the page.
const FILES: [File; 28] = [
    file!("/", "index.html", "text/html; charset=utf-8"),
    file!("/icon.svg", "icon.svg", "image/svg+xml"),
    file!("/parts.css", "parts.css", "text/css; charset=utf-8"),
    file!("/style.css", "style.css", "text/css; charset=utf-8"),
    script!("backend.js"),
    script!("board.js"),
    script!("chart.js"),
    script!("count.js"),
    script!("diagram.js"),
    script!("element.js"),
    script!("explore.js"),
    script!("line.js"),
    script!("moves.js"),
    script!("notation.js"),
    script!("numbers.js"),
    script!("objectives.js"),
    script!("page.js"),
    script!("plan.js"),
    script!("playback.js"),
    script!("prove.js"),
    script!("ready.js"),
    script!("record.js"),
    script!("rules.js"),
    script!("spawns.js"),
    script!("strategy.js"),
    script!("theme.js"),
    script!("variant.js"),
    script!("watch.js"),
];

/// The description of the API, built on first use.
static OPENAPI: LazyLock<Vec<u8>> = LazyLock::new(|| openapi().to_string().into_bytes());

/// The files and the description of the API.
pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let mut router = Router::new();
    for file in FILES {
        let handler = move |headers: HeaderMap| async move { file.response(&headers) };
        router = router.route(file.path, get(handler));
    }
    router.route(
        "/openapi.json",
        get(|headers: HeaderMap| async move {
            cached(
                &headers,
                "application/json",
                Cow::Borrowed(OPENAPI.as_slice()),
            )
        }),
    )
}

/// The files by name, with what is in them.
pub fn files() -> impl Iterator<Item = (&'static str, Cow<'static, [u8]>)> {
    FILES.iter().map(|file| match file.path {
        "/" => ("index.html", file.content()),
        path => (path.trim_start_matches('/'), file.content()),
    })
}

impl File {
    fn response(&self, headers: &HeaderMap) -> Response {
        cached(headers, self.kind, self.content())
    }

    fn content(&self) -> Cow<'static, [u8]> {
        if cfg!(debug_assertions)
            && let Ok(bytes) = std::fs::read(self.source)
        {
            return Cow::Owned(bytes);
        }
        Cow::Borrowed(self.bytes)
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
