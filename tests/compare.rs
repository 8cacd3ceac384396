//! `play --compare`: two players with the same dice.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::{check_answer, json, number, tilebase};

/// Compares players with these options.
fn compare(line: &str, a: &str, b: &str) -> Output {
    let mut command = tilebase(line);
    command.args(["--compare", a, b]).output().unwrap()
}

/// Compares, and returns the JSON object.
fn compared(line: &str, a: &str, b: &str) -> Value {
    let output = compare(&format!("{line} --json"), a, b);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && said.is_empty(), "{said}");
    let answer = serde_json::from_slice(&output.stdout).unwrap();
    check_answer(&answer, line);
    answer
}

/// The games are those that each player plays alone, and the better one is found before the end.
#[test]
fn players_are_compared_until_it_is_decided() {
    let (a, b) = ("--player random", "--player greedy");
    let line = "play 3x3 --seed 4 --games 20000 --threads";
    let found = compared(&format!("{line} 3"), a, b);
    let pairs = found["pairs"].as_u64().unwrap();
    assert!((30..20000).contains(&pairs), "{pairs}");
    assert_eq!(found["better"], "b");
    assert_eq!(found["most_games"], 20000);
    let mut means = Vec::new();
    for (name, options) in [("a", a), ("b", b)] {
        let alone = json(&format!("play 3x3 {options} --seed 4 --games {pairs}"));
        let player = &found[name];
        assert_eq!(player["options"], options);
        for field in ["player", "games", "mean_score", "max_tile", "reached"] {
            assert_eq!(player[field], alone[field], "{name}: {field}");
        }
        means.push(number(&alone["mean_score"]));
    }
    let difference = number(&found["mean_difference"]);
    assert!((difference - (means[0] - means[1])).abs() < 1e-6);
    let low = number(&found["mean_difference_low"]);
    let high = number(&found["mean_difference_high"]);
    assert!(low < difference && difference < high && high < 0.0);

    // Threads change nothing, and the other order is the mirror image.
    let turned = compared(&format!("{line} 1"), b, a);
    assert_eq!(turned["pairs"], pairs);
    assert_eq!(turned["better"], "a");
    assert_eq!(turned["b"]["mean_score"], found["a"]["mean_score"]);
    assert!((number(&turned["mean_difference_low"]) + high).abs() < 1e-6);

    let text =
        String::from_utf8(compare(line.trim_end_matches(" --threads"), a, b).stdout).unwrap();
    assert!(text.contains("  B is better\n"), "{text}");
    assert!(text.contains("  A  --player random: mean score "), "{text}");
}

#[test]
fn equal_players_are_not_told_apart() {
    // Options without spaces need no quotes; the default player is expectimax.
    let answer = json("play 2x2 --compare --depth=2 --depth=2 --games 40 --seed 1");
    assert_eq!(answer["pairs"], 40);
    assert_eq!(answer["better"], Value::Null);
    assert_eq!(answer["mean_difference"], 0.0);
    assert_eq!(answer["a"]["player"], "expectimax");
    assert_eq!(answer["b"]["search"]["max_depth"], 2);
    let one = compare("play 2x2 --games 1 --seed 1", "", "--positions 9");
    let text = String::from_utf8(one.stdout).unwrap();
    assert!(text.contains("2x2, 1 game each"), "{text}");
    assert!(text.contains("A  the default player:"), "{text}");
    assert!(text.contains("an interval needs 30 games"), "{text}");
    assert!(text.contains("  not decided\n"), "{text}");
}

#[test]
fn wrong_comparisons_get_one_line() {
    for (line, a, b, expected) in [
        (
            "",
            "--dpth 2",
            "",
            "--compare '--dpth 2': unexpected argument '--dpth'",
        ),
        (
            "",
            "",
            "--depth many",
            "--compare '--depth many': invalid value",
        ),
        ("", "", "--help", "unexpected argument '--help'"),
        ("", "depth", "", "unexpected argument 'depth'"),
        ("", "--player nobody", "", "unknown player 'nobody'"),
        (
            "",
            "--player greedy --depth 2",
            "",
            "player greedy does not search",
        ),
        ("", "", "--player optimal", "player optimal is not compared"),
        ("", "", "--network none.tb", "none.tb"),
        ("--depth 2", "", "--depth 3", "write them in quotes"),
        ("--player greedy", "", "", "cannot be used with"),
        ("--record file", "", "", "cannot be used with"),
        ("--table dir", "", "", "cannot be used with"),
        ("--games 0", "", "", "use a whole number from 1"),
        (
            "--device cuda",
            "--player greedy",
            "",
            "use --player expectimax",
        ),
    ] {
        let output = compare(&format!("play 4x4 {line}"), a, b);
        let said = String::from_utf8(output.stderr).unwrap();
        // A network that cannot be read is no wrong request.
        let status = if expected == "none.tb" { 1 } else { 2 };
        assert_eq!(output.status.code(), Some(status), "{line} {a} {b}: {said}");
        assert!(said.contains(expected), "{said}");
        assert_eq!(
            (said.lines().count(), output.stdout.len()),
            (1, 0),
            "{said}"
        );
    }
    let one = tilebase("play 4x4 --compare --depth=2").output().unwrap();
    assert_eq!(one.status.code(), Some(2));
    let said = String::from_utf8(one.stderr).unwrap();
    assert!(
        said.contains("2 values required") && said.lines().count() == 1,
        "{said}"
    );
}

/// Ctrl-C ends a comparison at once, with the games that both have played.
#[cfg(unix)]
#[test]
fn an_interrupted_comparison_says_what_it_knows() {
    for (options, known) in [("--player greedy", true), ("--depth 4", false)] {
        let child = tilebase("play 4x4 --games 1000000000 --seed 1 --json --compare")
            .args([options, options])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(1500));
        let asked = Instant::now();
        let kill = std::process::Command::new("sh")
            .args(["-c", &format!("kill -INT {}", child.id())])
            .status();
        assert!(kill.unwrap().success());
        let output = child.wait_with_output().unwrap();
        // A second, and some more on a busy machine.
        assert!(asked.elapsed() < Duration::from_secs(3), "{options}");
        assert_eq!(output.status.code(), Some(130));
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["interrupted"], true);
        assert_eq!(answer["better"], Value::Null);
        assert_eq!(answer["pairs"].as_u64().unwrap() > 0, known, "{answer}");
        assert_eq!(answer["a"]["games"], answer["pairs"]);
    }
}
