//! The server as a program: its address, its port, its end.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{fails, json, number, path, temporary, tilebase};
use serde_json::Value;

/// A server that is ended with the test.
pub struct Serving {
    child: Child,
    answer: Value,
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts a server, with a place of its own for temporary files.
pub fn serve(arguments: &str, temporary: &str) -> Serving {
    let mut command = tilebase(&format!("serve --port 0 --json {arguments}"));
    command.env("TMPDIR", temporary);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    let answer = serde_json::from_str(&line).unwrap();
    Serving { child, answer }
}

pub fn get(serving: &Serving, path: &str) -> Value {
    let address = serving.answer["address"].as_str().unwrap();
    let mut response = ureq::get(format!("{address}{path}")).call().unwrap();
    response.body_mut().read_json().unwrap()
}

#[test]
fn it_shows_its_address_and_answers_with_tables() {
    let dir = temporary();
    let table = path(&dir, "tables/2x3-to-32");
    std::fs::create_dir(path(&dir, "tables")).unwrap();
    json(&format!("solve 2x3 --to 32 --out {table}"));
    let begin = Instant::now();
    let serving = serve(
        &format!("--tables {}", path(&dir, "tables")),
        &path(&dir, ""),
    );
    // Well under a second, but for a machine that is busy with other tests.
    assert!(begin.elapsed() < Duration::from_secs(5));
    assert_eq!(serving.answer["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(
        (&serving.answer["tables"], &serving.answer["host"]),
        (&1.into(), &"127.0.0.1".into())
    );
    let probed = json(&format!("probe {table} --board 2,2,4/.,.,8"));
    let served = get(
        &serving,
        "api/v1/position?variant=2x3-to-32&board=2,2,4/.,.,8",
    );
    assert_eq!(served["source"], "table");
    assert_eq!(number(&served["value"]), number(&probed["value"]));
    for (served, probed) in served["moves"]
        .as_array()
        .unwrap()
        .iter()
        .zip(probed["moves"].as_array().unwrap())
    {
        assert_eq!(served["move"], probed["move"]);
        assert_eq!(number(&served["value"]), number(&probed["value"]));
    }
}

#[test]
fn a_port_that_is_taken_is_reported() {
    let dir = temporary();
    let serving = serve("", &path(&dir, ""));
    let port = &serving.answer["port"];
    let line = fails(&format!("serve --port {port}"), 1);
    assert!(
        line.contains(&format!("port {port} is taken: use another")),
        "{line}"
    );
}

#[test]
fn wrong_requests_start_nothing() {
    fails("serve --port 70000", 2);
    fails("serve --host nowhere", 2);
    let line = fails("serve --port 0 --tables does-not-exist", 1);
    assert!(line.contains("does-not-exist"), "{line}");
}

#[cfg(unix)]
#[test]
fn it_ends_when_interrupted_and_leaves_nothing() {
    let dir = temporary();
    let mut serving = serve("", &path(&dir, ""));
    get(&serving, "api/v1/position?variant=2x2-to-16&board=2,2/.,4");
    let own = || std::fs::read_dir(dir.path()).unwrap().count();
    assert_eq!(own(), 0, "small games are solved in memory");
    // Jobs of a minute are under way, the first with files.
    let address = serving.answer["address"].as_str().unwrap();
    for job in [
        r#"{"kind":"solve","variant":"3x3-to-1024"}"#,
        r#"{"kind":"count","shape":"4x4","to":32}"#,
    ] {
        let jobs = ureq::post(format!("{address}api/v1/jobs"));
        jobs.content_type("application/json").send(job).unwrap();
    }
    let begin = Instant::now();
    while own() == 0 {
        assert!(begin.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(10));
    }
    let begin = Instant::now();
    let id = serving.child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    let status = serving.child.wait().unwrap();
    assert!(status.success(), "{status}");
    assert!(begin.elapsed() < Duration::from_secs(20));
    assert_eq!(own(), 0);
}
