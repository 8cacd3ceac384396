//! `tilebase lower-bound` as a user runs it.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::common::{self, tilebase};

fn run(arguments: &str) -> Output {
    tilebase(&format!("lower-bound {arguments}"))
        .output()
        .unwrap()
}

fn json(arguments: &str) -> Value {
    common::json(&format!("lower-bound {arguments}"))
}

fn text(arguments: &str) -> String {
    common::text(&format!("lower-bound {arguments}"))
}

/// Published in "The Mathematics of 2048", the mean to six places; docs/lower-bound.md says
/// where.
#[test]
fn the_published_bound_is_found() {
    let answer = json("--to 2048");
    // To the last digit, which the parser of these tests does not keep.
    assert!(text("--to 2048 --json").contains("\"mean\":938.8099173553719,"));
    assert_eq!(answer["fewest"], 519);
    assert_eq!(answer["bags"], 3460);
    assert_eq!(answer["to"], 2048);
    assert_eq!(answer["spawn"], "2:0.9,4:0.1");
    assert_eq!(answer["start_tiles"], 2);
    let deviation = answer["standard_deviation"].as_f64().unwrap();
    let variance = answer["variance"].as_f64().unwrap();
    assert!((variance - 69.4766751).abs() < 5e-8);
    assert!((deviation - variance.sqrt()).abs() < 1e-12);
    assert!(answer["seconds"].is_f64() && answer["transitions"].is_u64());
    assert_eq!(answer.get("distribution"), None);
    let quantiles = answer["quantiles"].as_object().unwrap();
    let of = |name: &str| quantiles[name].as_u64().unwrap();
    assert_eq!(quantiles.len(), 7);
    let names = ["p1", "p5", "p25", "p50", "p75", "p95", "p99"];
    assert!(names.map(of).is_sorted());
    assert_eq!(of("p50"), 939);
}

#[test]
fn the_distribution_is_listed_where_asked_for() {
    let answer = json("--to 2048 --distribution");
    let listed = answer["distribution"].as_array().unwrap();
    let total: f64 = listed
        .iter()
        .map(|line| line["probability"].as_f64().unwrap())
        .sum();
    assert!((total - 1.0).abs() < 1e-12);
    let first = listed[0]["moves"].as_u64().unwrap();
    let last = listed[listed.len() - 1]["moves"].as_u64().unwrap();
    assert_eq!(last - first + 1, listed.len() as u64);
    assert!(first >= 519 && last <= answer["most"].as_u64().unwrap());
    // Text leaves out what nobody will see.
    let lines = text("--to 2048 --distribution").lines().count();
    assert!(lines < listed.len() && lines > 50);
    assert!(text("--to 8 --distribution").contains("\n         4 moves  0.656100000\n"));
}

#[test]
fn every_variant_has_a_bound() {
    let twos = json("--to 8 --spawn 2:1 --distribution");
    let certain = serde_json::json!([{"moves": 4, "probability": 1.0}]);
    assert_eq!(twos["distribution"], certain);
    assert_eq!(
        (&twos["mean"], &twos["variance"]),
        (&4.0.into(), &0.0.into())
    );
    assert_eq!(json("--to 8 --spawn 4:1")["most"], 1);
    assert_eq!(json("--to 8 --start-tiles 1")["most"], 5);
    assert_eq!(json("--to 8 --start-tiles 1024")["most"], 2);
}

#[test]
fn wrong_requests_get_one_line_and_status_2() {
    for (arguments, expected) in [
        ("", "no target given: say which tile, such as --to 2048"),
        (
            "--to 100",
            "invalid value '100' for '--to <TILE>': use a power of two from 8",
        ),
        ("--to 4", "use a power of two from 8"),
        ("--to 2097152", "targets from 8 to 1048576, not 2^21"),
        ("--to 2^100", "targets from 8 to 1048576, not 2^100"),
        ("--to 64 --start-tiles 0", "use a whole number from 1"),
        ("--to 64 --start-tiles 1025", "use a whole number from 1"),
        ("--to 64 --spawn 2:0.5", "the probabilities add up to 0.5"),
        ("--to 64 --spawn 8:1", "only 2 and 4 can"),
        ("4x4 --to 64", "unexpected argument '4x4' found"),
    ] {
        for arguments in [arguments.to_owned(), format!("{arguments} --json")] {
            let output = run(&arguments);
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{arguments}: {stderr}");
            assert!(output.stdout.is_empty(), "{arguments}");
            assert!(stderr.starts_with("tilebase: "), "{arguments}: {stderr}");
            assert!(stderr.contains(expected), "{arguments}: {stderr}");
            assert_eq!(stderr.lines().count(), 1, "{arguments}: {stderr}");
        }
    }
}

/// Ctrl-C ends a long computation soon.
#[cfg(unix)]
#[test]
fn it_can_be_interrupted() {
    let child = Command::new(env!("CARGO_BIN_EXE_tilebase"))
        .args(["lower-bound", "--to", "1048576"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    let kill = Command::new("sh")
        .args(["-c", &format!("kill -INT {}", child.id())])
        .status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(output.stdout.is_empty());
    assert_eq!(output.stderr, b"tilebase: interrupted\n");
}

#[test]
fn help_has_examples() {
    assert!(text("--help").contains("Examples:\n  tilebase lower-bound --to 2048"));
}
