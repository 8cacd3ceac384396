//! `tilebase solve` and what follows from its tables, as a user runs them: answers and
//! wrong requests. tests/tables.rs has what can happen to a table on disk.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::Value;
use tilebase_game::{Board, Shape};

use crate::common::{fails, json, number, path, temporary, text, tilebase};

/// What a command answers to lines of stdin.
fn answers(arguments: &str, input: &str) -> (Vec<Value>, Output) {
    let mut child = tilebase(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let feed = std::thread::spawn(move || {
        // A program that ended early reads no more.
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().unwrap();
    feed.join().unwrap();
    let lines = String::from_utf8(output.stdout.clone()).unwrap();
    let parse = |line: &str| serde_json::from_str(line).unwrap();
    (lines.lines().map(parse).collect(), output)
}

#[test]
fn the_answer_has_all_that_is_promised() {
    let dir = temporary();
    let table = path(&dir, "t");
    let answer = json(&format!("solve 2x2 --to 16 --out {table}"));
    assert_eq!(answer["shape"], "2x2");
    assert_eq!(answer["to"], 16);
    assert_eq!(answer["objective"], "win");
    assert_eq!(answer["discount"], 1.0);
    assert_eq!(answer["states"], 35);
    let value = number(&answer["start_value"]);
    assert!((value - 770_009_003.0 / 800_000_000.0).abs() < 1e-15);
    assert!(number(&answer["start_min"]) <= value && value <= number(&answer["start_max"]));
    let bound = number(&answer["error_bound"]);
    assert!(bound > 0.0 && bound < 1e-13, "{bound}");
    assert_eq!(answer["table"], table.as_str());
    assert!(number(&answer["seconds"]) > 0.0);
    assert_eq!(answer["category"], "open");
    assert_eq!(
        (&answer["spawn"], &answer["start_tiles"]),
        (&"2:0.9,4:0.1".into(), &2.into())
    );

    // Again: the table is there.
    let again = json(&format!("solve 2x2 --to 16 --out {table}"));
    assert_eq!(again["start_value"], answer["start_value"]);

    let discounted = json(&format!(
        "solve 2x2 --to 16 --discount 0.9 --out {}",
        path(&dir, "d")
    ));
    assert_eq!(discounted["discount"], 0.9);
    assert!(number(&discounted["start_value"]) < value);
    let free = json(&format!(
        "solve 2x2 --objective score --out {}",
        path(&dir, "s")
    ));
    assert_eq!(
        (&free["to"], &free["objective"]),
        (&Value::Null, &"score".into())
    );
    assert!(number(&free["start_value"]) > 10.0);
    let moves = json(&format!(
        "solve 2x2 --to 16 --objective moves --out {}",
        path(&dir, "m")
    ));
    assert!((number(&moves["start_win"]) - value).abs() < 1e-15);
    assert!(number(&moves["start_value"]) > 6.0);
    let sure = json(&format!("solve 2x2 --to 8 --out {}", path(&dir, "8")));
    assert_eq!(
        (&sure["start_value"], &sure["category"]),
        (&1.0.into(), &"sure_win".into())
    );
    assert_eq!(sure["error_bound"], 0.0);
    let text = text(&format!("solve 2x2 --to 8 --out {}", path(&dir, "8")));
    assert!(
        text.starts_with("2x2 to 8: optimal play always wins\n"),
        "{text}"
    );
}

/// Without --out a table goes to a directory named after the game.
#[test]
fn tables_have_names_of_their_own() {
    let dir = temporary();
    let here = |arguments: &str| {
        let output = tilebase(arguments)
            .current_dir(dir.path())
            .output()
            .unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{stderr}");
        String::from_utf8(output.stdout).unwrap()
    };
    here("solve 2x2 --to 16");
    here("solve 2x2 --to 16 --discount 0.9");
    here("solve 2x2 --objective survival");
    for name in ["2x2-to-16-win", "2x2-to-16-win-0.9", "2x2-survival"] {
        let table = dir.path().join("tables").join(name);
        assert!(table.join("table.json").exists(), "{name}");
    }
    let info = here("table info tables/2x2-to-16-win");
    assert!(info.starts_with("2x2-to-16 (win)\n"), "{info}");
}

#[test]
fn a_dry_run_does_nothing() {
    let dir = temporary();
    let place = path(&dir, "t");
    let answer = json(&format!("solve 3x3 --to 512 --dry-run --out {place}"));
    assert_eq!(
        (&answer["dry_run"], &answer["fits"]),
        (&true.into(), &true.into())
    );
    for field in ["memory_bytes_estimate", "disk_bytes_estimate"] {
        assert!(answer[field].as_u64().unwrap() > 1 << 20, "{field}");
    }
    assert!(number(&answer["seconds_estimate"]) > 0.0);
    let answer = json("solve 4x4 --to 2048 --dry-run --memory 1GB");
    assert_eq!(answer["fits"], false);
    assert!(!Path::new(&place).exists());
}

#[test]
fn a_probe_shows_the_truth() {
    let dir = temporary();
    let table = path(&dir, "t");
    json(&format!("solve 3x3 --to 32 --out {table}"));
    let answer = json(&format!("probe {table} --board 2,2,4/.,.,./.,.,8"));
    assert_eq!(answer["board"], "0x112000003");
    assert_eq!(
        (&answer["exact"], &answer["status"]),
        (&true.into(), &"live".into())
    );
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 4);
    let first = &moves[0];
    assert_eq!(
        (&first["is_best"], &first["loss"]),
        (&true.into(), &0.0.into())
    );
    assert_eq!(first["value"], answer["value"]);
    let values: Vec<f64> = moves.iter().map(|m| number(&m["value"])).collect();
    assert!(values.is_sorted_by(|a, b| a >= b), "{values:?}");
    for m in moves {
        let loss = number(&m["loss"]);
        assert!(loss >= 0.0);
        assert!((number(&answer["value"]) - number(&m["value"]) - loss).abs() < 1e-15);
        assert!(["left", "right", "up", "down"].contains(&m["move"].as_str().unwrap()));
        assert!(m["afterstate"].as_str().unwrap().starts_with("0x"));
    }
    let right = moves.iter().find(|m| m["move"] == "right").unwrap();
    assert_eq!(
        (&right["same_as"], &right["score"]),
        (&"left".into(), &4.into())
    );
    assert_eq!(right["afterstate"], "0x022000003");
    // The same board in hex, and in words.
    assert_eq!(json(&format!("probe {table} --board 0x112000003")), answer);
    let words = text(&format!("probe {table} --board 0x112000003"));
    assert!(words.contains("same as left"), "{words}");

    let start = json(&format!("probe {table} --start"));
    let positions = start["positions"].as_array().unwrap();
    let total: f64 = positions.iter().map(|p| number(&p["probability"])).sum();
    assert!((total - 1.0).abs() < 1e-12);
    let mean: f64 = positions
        .iter()
        .map(|p| number(&p["probability"]) * number(&p["value"]))
        .sum();
    let solved = json(&format!("solve 3x3 --to 32 --out {table}"));
    assert!((mean - number(&solved["start_value"])).abs() < 1e-12);
}

#[test]
fn positions_that_are_not_live_are_kept_apart() {
    let dir = temporary();
    let (plain, wide) = (path(&dir, "t"), path(&dir, "w"));
    json(&format!("solve 2x2 --to 16 --out {plain}"));
    json(&format!("solve 2x3 --to 16 --out {wide}"));
    for (board, status, exact, value) in [
        ("16,2/.,.", "won", true, Some(1.0)),
        ("32,2/.,2", "won", true, Some(1.0)),
        ("2,4/4,2", "lost", true, Some(0.0)),
        (".,./.,.", "lost", true, Some(0.0)),
        ("8,8/8,8", "unreachable", true, Some(1.0)),
        ("2,./.,.", "unreachable", false, None),
        ("8,8/.,.", "unreachable", true, Some(1.0)),
        ("2,2/4,2", "live", true, None),
    ] {
        let answer = json(&format!("probe {plain} --board {board}"));
        assert_eq!(answer["status"], status, "{board}: {answer}");
        assert_eq!(answer["exact"], exact, "{board}: {answer}");
        if let Some(value) = value {
            assert_eq!(answer["value"], value, "{board}");
        } else if !exact {
            assert_eq!(answer["value"], Value::Null, "{board}");
        }
        if ["won", "lost"].contains(&status) {
            assert_eq!(answer["moves"], Value::Array(Vec::new()), "{board}");
        }
    }
    let won = text(&format!("probe {plain} --board 16,2/.,."));
    assert!(won.contains("won: the target is on the board"), "{won}");
    // A wide board as it is, not upright.
    let answer = json(&format!("probe {wide} --board 8,.,./8,.,2"));
    assert_eq!(answer["value"], 1.0);
    let moves = answer["moves"].as_array().unwrap().iter();
    let winning = moves.filter(|m| m["wins_now"] == true);
    let mut winning: Vec<&str> = winning.map(|m| m["move"].as_str().unwrap()).collect();
    winning.sort_unstable();
    assert_eq!(winning, ["down", "up"]);
}

#[test]
fn many_boards_get_a_line_each() {
    let dir = temporary();
    let table = path(&dir, "t");
    json(&format!("solve 2x2 --to 16 --out {table}"));
    let input = "2,2/.,.\n\n0x0022\nnonsense\n2,2,2/.,.,.\n2,3/.,.\n65536,2/.,.\n  0x1111  \n";
    for flag in ["", "--json"] {
        let (lines, output) = answers(&format!("probe {table} {flag}"), input);
        assert_eq!(output.status.code(), Some(0));
        assert!(output.stderr.is_empty());
        assert_eq!(lines.len(), 7);
        for (at, line) in lines.iter().enumerate() {
            assert_eq!(line["version"], env!("CARGO_PKG_VERSION"));
            let wrong = (2..=5).contains(&at);
            assert_eq!(line.get("error").is_some(), wrong, "{line}");
            assert_eq!(line.get("value").is_some(), !wrong, "{line}");
        }
        assert_eq!(
            lines[0]["value"],
            json(&format!("probe {table} --board 0x1100"))["value"]
        );
        assert_eq!(lines[2]["board"], "nonsense");
        let shape = lines[3]["error"].as_str().unwrap();
        assert!(shape.contains("has 3 cells: 2 expected"), "{shape}");
        assert!(lines[5]["error"].as_str().unwrap().contains("32768"));
        assert_eq!(lines[6]["board"], "0x1111");
    }
    let (lines, output) = answers(&format!("probe {table}"), "");
    assert!(lines.is_empty() && output.status.success());
}

#[test]
fn a_table_shows_what_it_is() {
    let dir = temporary();
    let (table, slim) = (path(&dir, "t"), path(&dir, "s"));
    let solved = json(&format!("solve 2x3 --to 32 --out {table}"));
    let info = json(&format!("table info {table}"));
    assert_eq!(
        (&info["ok"], &info["title"]),
        (&true.into(), &"2x3-to-32 (win)".into())
    );
    assert_eq!(info["states"], solved["states"]);
    let layers = info["layers"].as_array().unwrap();
    let states: u64 = layers.iter().map(|l| l["states"].as_u64().unwrap()).sum();
    assert_eq!(info["states"], states);
    let verdict = json(&format!("table verify {table}"));
    assert_eq!(verdict["ok"], true);
    let words = text(&format!("table verify {table}"));
    assert!(words.starts_with("2x3-to-32 (win): intact, "), "{words}");
    let list = text(&format!("table info {table} --layers"));
    assert_eq!(list.lines().count(), 3 + 5 + 1 + layers.len(), "{list}");

    let stripped = json(&format!("table strip {table} --out {slim}"));
    let per_state = number(&stripped["sections"]["moves"]) / number(&stripped["states"]);
    assert!((0.25..0.3).contains(&per_state), "{per_state}");
    let answer = json(&format!("probe {slim} --board 2,2,./.,.,."));
    assert_eq!(
        (&answer["exact"], &answer["value"]),
        (&false.into(), &Value::Null)
    );
    assert_eq!(answer["moves"][0]["is_best"], true);
    let line = fails(&format!("follow {slim}"), 1);
    assert!(
        line.contains("has moves only, no values: use a table with values"),
        "{line}"
    );
    let line = fails(&format!("table strip {slim} --out {}", path(&dir, "x")), 1);
    assert!(line.contains("has moves only"), "{line}");
    // A table with moves is another table.
    let line = fails(&format!("solve 2x3 --to 32 --out {slim}"), 2);
    assert!(
        line.contains("holds 2x3-to-32 (win, moves only), not 2x3-to-32 (win)"),
        "{line}"
    );
}

#[test]
fn play_follow_and_evaluate_agree() {
    let dir = temporary();
    let (table, slim) = (path(&dir, "t"), path(&dir, "s"));
    let solved = json(&format!("solve 2x2 --to 16 --out {table}"));
    json(&format!("table strip {table} --out {slim}"));
    let optimum = number(&solved["start_value"]);
    let played = json(&format!(
        "play 2x2 --player optimal --table {table} --games 4000 --seed 1"
    ));
    assert_eq!(
        (&played["to"], &played["player"]),
        (&16.into(), &"optimal".into())
    );
    let share = number(&played["won"]) / 4000.0;
    let sigma = (optimum * (1.0 - optimum) / 4000.0).sqrt();
    assert!((share - optimum).abs() < 4.0 * sigma, "{share} {optimum}");
    let blind = json(&format!(
        "play 2x2 --to 16 --player optimal --table {slim} --games 4000 --seed 1"
    ));
    let share = number(&blind["won"]) / 4000.0;
    assert!((share - optimum).abs() < 4.0 * sigma, "{share} {optimum}");

    let csv = path(&dir, "states.csv");
    let policy = path(&dir, "policy");
    let followed = json(&format!("follow {table} --csv {csv} --policy {policy}"));
    assert!((number(&followed["won"]) - optimum).abs() < 1e-12);
    let lost: f64 = followed["lost_with"]
        .as_array()
        .unwrap()
        .iter()
        .map(|end| number(&end["probability"]))
        .sum();
    assert!((lost + optimum - 1.0).abs() < 1e-12);
    let lines = fs::read_to_string(&csv).unwrap();
    assert_eq!(
        lines.lines().next(),
        Some("board,sum,probability,value,best")
    );
    assert_eq!(
        lines.lines().count() as u64,
        1 + followed["listed"].as_u64().unwrap()
    );
    // Every line says what the table says.
    let boards: String = lines
        .lines()
        .skip(1)
        .map(|line| format!("{}\n", line.split(',').next().unwrap()))
        .collect();
    let (truths, _) = answers(&format!("probe {table}"), &boards);
    for (line, truth) in lines.lines().skip(1).zip(&truths) {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(fields[3].parse::<f64>().unwrap(), number(&truth["value"]));
        let best = truth["moves"].as_array().unwrap().iter();
        let mut best = best.filter(|m| m["is_best"] == true);
        assert!(best.any(|m| m["move"] == fields[4]), "{line} {truth}");
    }
    let packed =
        tilebase_table::policy::PackedPolicy::from_bytes(&fs::read(&policy).unwrap()).unwrap();
    assert_eq!(packed.len() as u64, followed["listed"].as_u64().unwrap());
    let shape: Shape = "2x2".parse().unwrap();
    for truth in &truths {
        let board = Board::parse(truth["board"].as_str().unwrap(), shape).unwrap();
        let (m, value) = packed.look_up(board).unwrap();
        let mut best = truth["moves"].as_array().unwrap().iter();
        assert!(best.any(|line| line["is_best"] == true && line["move"] == m.name()));
        assert!((value - number(&truth["value"])).abs() < 1.0 / 65535.0);
    }

    for player in ["random", "greedy", "corner", "one-ply"] {
        let answer = json(&format!("evaluate {table} --player {player}"));
        let (value, regret) = (number(&answer["value"]), number(&answer["regret"]));
        assert!((number(&answer["optimal"]) - optimum).abs() < 1e-14);
        assert!(
            value < optimum && (optimum - value - regret).abs() < 1e-12,
            "{answer}"
        );
        assert!((number(&answer["regret_by_layers"]) - regret).abs() < 1e-12);
        assert!((number(&answer["won"]) - value).abs() < 1e-12);
        assert!(number(&answer["mistakes_per_game"]) > 0.0);
        let played = json(&format!(
            "play 2x2 --to 16 --player {player} --games 4000 --seed 2"
        ));
        let share = number(&played["won"]) / 4000.0;
        let sigma = (value * (1.0 - value) / 4000.0).sqrt();
        assert!(
            (share - value).abs() < 4.0 * sigma,
            "{player} {share} {value}"
        );
    }
    let words = text(&format!("evaluate {table} --player greedy --layers"));
    assert!(words.contains("the most is lost at tile sum "), "{words}");
}

#[test]
fn wrong_requests_are_refused() {
    let dir = temporary();
    let (table, none) = (path(&dir, "t"), path(&dir, "none"));
    json(&format!("solve 2x2 --to 16 --out {table}"));
    for (arguments, expected) in [
        (
            "solve 3x3 --out NONE",
            "objective win needs a target: choose one with --to",
        ),
        (
            "solve 3x3 --objective moves --out NONE",
            "objective moves needs a target",
        ),
        (
            "solve 3x3 --discount 0.5 --out NONE",
            "objective win needs a target",
        ),
        (
            "solve 2x2 --to 16 --discount 0 --out NONE",
            "discount 0 is out of range: use a number above 0 and at most 1",
        ),
        (
            "solve 2x2 --to 16 --discount 1.5 --out NONE",
            "discount 1.5 is out of range",
        ),
        (
            "solve 2x2 --to 16 --discount -0.5 --out NONE",
            "discount -0.5 is out of range",
        ),
        (
            "solve 2x2 --to 16 --discount nan --out NONE",
            "discount NaN is out of range",
        ),
        (
            "solve 2x2 --to 16 --discount soon --out NONE",
            "invalid value 'soon' for '--discount <G>'",
        ),
        (
            "solve 2x2 --to 16 --objective score --discount 0.5 --out NONE",
            "--discount goes with --objective win, not score: leave it out",
        ),
        (
            "solve 2x2 --to 16 --objective fame --out NONE",
            "possible values: win, score, moves, survival",
        ),
        (
            "solve 2x2 --to 64 --out NONE",
            "a 2x2 board can never hold the target 64",
        ),
        (
            "solve 5x5 --to 64 --out NONE",
            "shape 5x5 is too large: at most 4x4",
        ),
        (
            "solve 2x2 --to 16 --memory 0 --out NONE",
            "is allowed: allow more with --memory, or choose a smaller target",
        ),
        (
            "solve 3x3 --to 512 --memory 67MB --out NONE2",
            "is allowed: allow more with --memory, or choose a smaller target",
        ),
        ("probe TABLE --board 2,2,2/.,.,.", "has 3 cells: 2 expected"),
        ("probe TABLE --board 0x123", "a 2x2 board has 4, one a cell"),
        ("probe TABLE --board 3,2/.,.", "use a power of two"),
        ("probe TABLE --board 65536,2/.,.", "a tile above 32768"),
        ("evaluate TABLE --player nobody", "unknown player 'nobody'"),
        (
            "follow TABLE --threshold 2",
            "invalid threshold 2: use a probability, from 0 to 1",
        ),
        ("play 2x2 --player optimal", "player optimal needs a table"),
        (
            "play 3x3 --player optimal --table TABLE",
            "the table is of 2x2-to-16, not 3x3",
        ),
        (
            "play 2x2 --to 8 --player optimal --table TABLE",
            "the table is of 2x2-to-16, not 2x2-to-8",
        ),
    ] {
        let arguments = arguments.replace("TABLE", &table).replace("NONE", &none);
        let line = fails(&arguments, 2);
        assert!(line.contains(expected), "{arguments}: {line}");
    }
    assert!(!Path::new(&none).exists(), "nothing is written");
    for command in ["probe", "table info", "table verify", "follow"] {
        let line = fails(&format!("{command} {none} "), 1);
        let expected = format!(
            "there is no table in {none}: make one with 'tilebase solve SHAPE --to TILE --out DIR'"
        );
        assert!(line.contains(&expected), "{line}");
    }
    fails(&format!("play 2x2 --player optimal --table {none}"), 1);
    fails(&format!("evaluate {none} --player random"), 1);
}
