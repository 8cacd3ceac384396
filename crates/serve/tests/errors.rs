//! Errors have the right status, and limits hold.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::io::{Read, Write};
use std::net::TcpStream;

use crate::common::{Running, serve};
use serde_json::json;
use tilebase_solve::{SolveOptions, solve};
use tilebase_table::Objective;
use tilebase_util::progress::Silent;

/// Sends text as it is, and returns the answer as it is.
fn raw(server: &Running, request: &str) -> String {
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn bad_input_is_explained() {
    let server = serve(None);
    for (path, what) in [
        ("position?variant=2x2-to-16", "board"),
        ("position?board=2,2/.,4", "variant"),
        ("position?variant=2x2-to-16&board=2,3/.,4", "3"),
        ("position?variant=2x2-to-16&board=2,2,2/.,4,4", "3 cells"),
        ("position?variant=2x2-to-16&board=2,2/.,4&depth=9", "depth"),
        (
            "position?variant=2x2-to-16&board=2,2/.,4&search=perhaps",
            "search",
        ),
        (
            "position?variant=2x2-to-16&board=2,2/.,4&colour=red",
            "colour",
        ),
        ("line?variant=2x2-to-16&plies=100000", "2000"),
        ("line?variant=2x2-to-16&spawn_rule=kind", "kind"),
        ("advice?board=0xa962075400430011&depth=60", "depth"),
        ("advice?board=zebra", "zebra"),
        ("plan?shape=4x4&to=7", "power of two"),
        ("plan?shape=32x32&to=64", "cells"),
        ("plan?shape=8x8&to=1048576", "slides"),
        ("plan?to=64", "shape"),
        ("strategy?shape=9x9&to=64", "4x4"),
        ("strategy?shape=3x3&to=64&drops=3", "3"),
    ] {
        let error = server.fails(&format!("/api/v1/{path}"), 400);
        assert!(error.contains(what), "{path}: {error}");
    }
    for body in [
        "",
        "{",
        "[]",
        "{\"variant\": 1}",
        "{\"variant\": \"2x2-to-16\"}",
    ] {
        let answer = server.send("POST", "/api/v1/positions", Some(body));
        assert_eq!(answer.status, 400, "{body}: {}", answer.text);
        assert!(
            answer.json()["error"].as_str().unwrap().contains("body"),
            "{}",
            answer.text
        );
    }
}

#[test]
fn what_is_not_there_is_missing() {
    let server = serve(None);
    for path in [
        "/api/v1/position?variant=castle&board=2,2/.,4",
        "/api/v1/position?variant=../../etc/passwd&board=2,2/.,4",
        "/api/v1/line?variant=castle&board=0xa962075400430011",
        "/api/v1/jobs/7",
        "/api/v1/jobs/x",
        "/api/v1/jobs/7/events",
        "/api/v2/position",
        "/style.css/",
        "/nothing.js",
        "/tests/helpers.mjs",
        "/tests%2fhelpers.mjs",
        "/.%2ftests%2fhelpers.mjs",
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/etc/passwd",
    ] {
        server.fails(path, 404);
    }
    assert_eq!(server.send("DELETE", "/api/v1/variants", None).status, 405);
    assert_eq!(
        server.send("POST", "/api/v1/position", Some("{}")).status,
        405
    );
}

/// The most bytes of a body, as docs/api.md says.
const BODY: usize = 1 << 20;

#[test]
fn bodies_batches_and_kinds_have_limits() {
    let server = serve(None);
    let batch = |boards: usize| json!({"variant": "2x2-to-16", "boards": vec!["2,2/.,4"; boards]});
    assert_eq!(server.post("/api/v1/positions", &batch(1000)).status, 200);
    assert_eq!(server.post("/api/v1/positions", &batch(1001)).status, 400);
    // One byte too many: the server has read all of it when it refuses, so no pipe breaks.
    let body = " ".repeat(BODY + 1);
    let large = format!(
        "POST /api/v1/positions HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    assert!(raw(&server, &large).starts_with("HTTP/1.1 413"));
    let plain = "POST /api/v1/jobs HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
                 content-type: text/plain\r\ncontent-length: 2\r\n\r\n{}";
    assert!(raw(&server, plain).starts_with("HTTP/1.1 415"));
}

#[test]
fn other_names_for_this_machine_are_refused() {
    let server = serve(None);
    let ask = |host: &str| {
        raw(
            &server,
            &format!("GET /api/v1/variants HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n"),
        )
    };
    assert!(ask("localhost:2048").starts_with("HTTP/1.1 200"));
    assert!(ask("127.0.0.1").starts_with("HTTP/1.1 200"));
    assert!(ask("rebound.example.org").starts_with("HTTP/1.1 403"));
}

#[test]
fn pages_are_cached_and_guarded() {
    let server = serve(None);
    let ask = |more: &str| {
        raw(
            &server,
            &format!("GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{more}\r\n"),
        )
    };
    let page = ask("");
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    assert!(page.contains("<title>tilebase"), "{page}");
    assert!(page.contains("content-security-policy: default-src 'self'"));
    assert!(page.contains("x-content-type-options: nosniff"));
    let tag = page
        .lines()
        .find_map(|line| line.strip_prefix("etag: "))
        .unwrap();
    assert!(ask(&format!("if-none-match: {tag}\r\n")).starts_with("HTTP/1.1 304"));
    assert!(ask("accept-encoding: gzip\r\n").contains("content-encoding: gzip"));
    for (path, kind) in [
        ("/style.css", "text/css; charset=utf-8"),
        ("/page.js", "text/javascript; charset=utf-8"),
        ("/icon.svg", "image/svg+xml"),
    ] {
        let answer = server.send("GET", path, None);
        assert_eq!(answer.status, 200);
        assert!(answer.kind.starts_with(kind));
    }
}

#[test]
fn damaged_tables_are_reported_and_others_still_answer() {
    let dir = tempfile::tempdir().unwrap();
    let make = |name: &str| {
        let own = dir.path().join(name);
        let variant = name.strip_suffix("-win").unwrap().parse().unwrap();
        solve(
            &variant,
            Objective::Win,
            &own,
            &SolveOptions::default(),
            &Silent,
        )
        .unwrap();
        own
    };
    make("2x2-to-8-win");
    let layers = make("2x3-to-16-win");
    let manifest = make("2x3-to-32-win");
    for entry in std::fs::read_dir(&layers).unwrap() {
        let path = entry.unwrap().path();
        if !path.ends_with("table.json") {
            let mut bytes = std::fs::read(&path).unwrap();
            bytes.iter_mut().for_each(|byte| *byte ^= 0x55);
            std::fs::write(&path, bytes).unwrap();
        }
    }
    std::fs::write(manifest.join("table.json"), "{}").unwrap();
    let server = serve(Some(dir.path()));
    let good = server.get("/api/v1/position?variant=2x2-to-8&board=2,2/.,4");
    assert_eq!(good["source"], "table");
    for variant in ["2x3-to-16", "2x3-to-32"] {
        let path = format!("/api/v1/position?variant={variant}&board=2,2,./.,.,4");
        let error = server.fails(&path, 500);
        assert!(error.contains("damaged"), "{error}");
        let place = dir.path().to_string_lossy().into_owned();
        assert!(!error.contains(&place), "{error}");
    }
    assert_eq!(
        server.get("/api/v1/variants")["damaged"],
        json!(["2x3-to-32-win"])
    );
}
