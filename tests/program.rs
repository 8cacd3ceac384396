//! The program as a user runs it: help, wrong requests, moves, play, pipes and signals.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{json, run, tilebase};
use serde_json::Value;

#[test]
fn wrong_requests_get_one_line_and_status_2() {
    for (arguments, expected) in [
        ("", "no command given: try 'tilebase --help'"),
        ("conut", "unrecognized subcommand 'conut'"),
        (
            "moves",
            "the following required arguments were not provided: --board <BOARD>",
        ),
        (
            "moves --bord 0x0",
            "unexpected argument '--bord' found; tip: a similar argument exists: '--board'",
        ),
        (
            "moves --board 0x01g2",
            "digit 3 of the board is 'g': use 0-9 and a-f, one digit a cell",
        ),
        (
            "moves --board 0x01 3x3",
            "the board has 2 hex digits: a 3x3 board has 9, one a cell",
        ),
        (
            "moves --board 2,3/.,.",
            "row 1, column 2 of the board is '3': use a power of two",
        ),
        (
            "moves --board 0x0 0x0",
            "invalid shape '0x0': rows and columns go from 1 to 32",
        ),
        (
            "moves --board 0x0 --spawn 2:0.5",
            "the probabilities add up to 0.5: they must add up to 1",
        ),
        (
            "play",
            "the following required arguments were not provided: <SHAPE>",
        ),
        (
            "play 4",
            "invalid shape '4': use rows x columns, such as 4x4",
        ),
        (
            "play 4x4",
            "playing yourself needs a terminal: use one, or let a player play with --player random",
        ),
        (
            "play 4x4 --player nobody",
            "unknown player 'nobody': use random",
        ),
        (
            "play 4x4 --player random --to 100",
            "invalid value '100' for '--to <TILE>': use a power of two from 8 to 2^100",
        ),
        (
            "play 4x4 --player random --to 4",
            "use a power of two from 8 to 2^100",
        ),
        (
            "play 4x4 --player random --games 0",
            "use a whole number from 1 to 18446744073709551615",
        ),
        (
            "play 4x4 --player random --seed -1",
            "invalid value '-1' for '--seed <S>'",
        ),
        (
            "play 4x4 --player random --threads many",
            "use a whole number from 0 to 1024",
        ),
        ("play 4x4 --games 5", "--player <NAME>"),
        (
            "play 1x1 --player random",
            "2 start tiles do not fit a 1x1 board: use 1 to 1",
        ),
        ("play 2x2 --board 2,4/4,2", "no move is left on this board"),
        (
            "completions klingon",
            "possible values: bash, elvish, fish, powershell, zsh",
        ),
    ] {
        for arguments in [arguments.to_owned(), format!("{arguments} --json")] {
            if arguments == " --json" {
                continue;
            }
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

#[test]
fn help_and_version_are_answers() {
    for command in ["", "moves ", "play ", "completions "] {
        let output = run(&format!("{command}--help"));
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success());
        assert!(text.contains("Examples:\n  tilebase "), "{text}");
        assert!(output.stderr.is_empty());
    }
    let version = run("--version").stdout;
    assert_eq!(
        String::from_utf8(version).unwrap(),
        format!("tilebase {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn moves_shows_all_that_can_happen() {
    let answer = json("moves --board .,2/2,4");
    assert_eq!(answer["shape"], "2x2");
    assert_eq!(answer["board"], "0x0112");
    assert_eq!(answer["tiles"], ".,2/2,4");
    assert_eq!((&answer["sum"], &answer["largest"]), (&8.into(), &4.into()));
    assert_eq!(answer["status"], "live");
    let moves = answer["moves"].as_array().unwrap();
    let names: Vec<&str> = moves.iter().map(|m| m["move"].as_str().unwrap()).collect();
    assert_eq!(names, ["left", "up"]);
    assert_eq!(moves[0]["afterstate"], "0x1012");
    assert_eq!(moves[0]["score"], 0);
    assert_eq!(moves[0]["same_as"], Value::Null);
    assert_eq!(moves[1]["same_as"], "left");
    let outcomes = moves[0]["outcomes"].as_array().unwrap();
    let outcomes: Vec<Value> = outcomes
        .iter()
        .map(|o| serde_json::json!([o["board"], o["tile"], o["cell"], o["probability"]]))
        .collect();
    assert_eq!(
        Value::from(outcomes),
        serde_json::json!([["0x1112", 2, 1, 0.9], ["0x1212", 4, 1, 0.1]])
    );
}

#[test]
fn moves_takes_any_shape_and_any_tile() {
    let answer = json("moves --board 0x0112 1x4 --spawn 4:1");
    assert_eq!(answer["moves"][0]["afterstate"], "0x2200");
    assert_eq!(answer["moves"][0]["score"], 4);
    assert_eq!(answer["moves"][0]["outcomes"][1]["probability"], 0.5);
    // Beyond what hex digits can say, tile values say it.
    let answer = json("moves --board 32768,32768,.,.,.");
    assert_eq!(answer["moves"][0]["afterstate"], "65536,.,.,.,.");
    let raw = String::from_utf8(run("moves --board 2^99,2^99 --json").stdout).unwrap();
    assert!(
        raw.contains("\"sum\":1267650600228229401496703205376,"),
        "exact"
    );
    assert_eq!(json("moves --board 2,4/4,2")["status"], "lost");
}

#[test]
fn random_play_reports_as_promised() {
    let answer = json("play 4x4 --player random --games 200 --seed 9");
    for field in [
        "player",
        "games",
        "mean_score",
        "max_tile",
        "won",
        "moves_per_second",
        "moves_per_second_per_thread",
        "score_deviation",
        "mean_score_low",
        "mean_score_high",
        "score_quantiles",
        "reached",
    ] {
        assert!(!answer[field].is_null(), "{field}");
    }
    assert_eq!(answer["player"], "random");
    assert_eq!(answer["games"], 200);
    assert_eq!(answer["seed"], 9);
    assert_eq!(answer["to"], Value::Null);
    let tiles = answer["max_tile"].as_object().unwrap();
    assert_eq!(
        tiles.values().map(|n| n.as_u64().unwrap()).sum::<u64>(),
        200
    );
    assert!(
        tiles
            .keys()
            .all(|tile| tile.parse::<u32>().unwrap().is_power_of_two())
    );

    let answer = json("play 2x2 --to 8 --player random --games 500 --seed 9");
    assert_eq!(answer["won"], answer["max_tile"]["8"]);
    let big = json("play 32x32 --player random --games 1 --seed 1 --to 64 --start-tiles 100");
    assert_eq!(big["won"], 1);
}

#[test]
fn the_same_seed_gives_the_same_games() {
    let timeless = |arguments: &str| {
        let mut answer = json(arguments);
        for field in [
            "moves_per_second",
            "moves_per_second_per_thread",
            "seconds",
            "seconds_to_2048",
            "threads",
        ] {
            answer.as_object_mut().unwrap().remove(field);
        }
        answer
    };
    let command = "play 3x3 --player random --games 300 --seed 5 --threads";
    let one = timeless(&format!("{command} 1"));
    assert_eq!(one, timeless(&format!("{command} 2")));
    assert_eq!(one, timeless(&format!("{command} 0")));
    assert_ne!(
        one,
        timeless("play 3x3 --player random --games 300 --seed 6")
    );
}

#[test]
fn completions_know_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = String::from_utf8(run(&format!("completions {shell}")).stdout).unwrap();
        for word in [
            "moves",
            "play",
            "replay",
            "completions",
            "json",
            "start-tiles",
        ] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    assert_eq!(json("completions bash")["shell"], "bash");
}

/// A reader that has seen enough is no failure.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_success() {
    // More text than a pipe holds, so that the writer meets the closed end.
    let board = vec![vec!["."; 32].join(","); 31].join("/") + "/" + &vec!["2"; 32].join(",");
    let mut child = tilebase("")
        .args(["moves", "--outcomes", "--board", &board])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut line).unwrap();
    assert!(line.starts_with("32x32 board"), "{line}");
    drop(stdout);
    let mut stderr = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut stderr)
        .unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(stderr, "");
}

/// An error is reported by its status even when nobody listens.
#[cfg(unix)]
#[test]
fn a_closed_stderr_keeps_the_status() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let status = tilebase("").arg("bogus").stderr(writer).status().unwrap();
    assert_eq!(status.code(), Some(2));
}

/// Ctrl-C ends a long run soon, with the finished games reported.
#[cfg(unix)]
#[test]
fn an_interrupted_run_reports_what_it_has() {
    let start = Instant::now();
    let child = tilebase("")
        .args([
            "play",
            "4x4",
            "--player",
            "random",
            "--games",
            "1000000000",
            "--json",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(500));
    let kill = Command::new("sh")
        .args(["-c", &format!("kill -INT {}", child.id())])
        .status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["interrupted"], true);
    assert!(answer["games"].as_u64().unwrap() > 0);
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "tilebase: interrupted\n"
    );
    assert!(start.elapsed() < Duration::from_secs(20));
}

/// A stdout that cannot be written to is a failure of the work.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut child = tilebase("")
        .args(["moves", "--board", "2,2"])
        .stdout(full)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stderr = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut stderr)
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert!(
        stderr.starts_with("tilebase: writing to stdout: "),
        "{stderr}"
    );
}
