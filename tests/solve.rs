//! `tilebase solve` and what follows from its tables, as a user runs them: answers, wrong
//! requests, and everything that can happen to a table on disk.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::Value;
use tilebase_game::{Board, Rng, Shape};
use tilebase_progress::{Progress, Silent, Unit};
use tilebase_table::{Answer, Objective, Table, TableError, verify};

use common::{SmallDisk, fails, json, path, run, temporary, text, tilebase};

mod common;

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

/// The files of a table.
fn files(dir: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap());
    entries
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read(entry.path()).unwrap())
        })
        .collect()
}

fn copy(from: &str, to: &str) {
    fs::create_dir(to).unwrap();
    for (name, bytes) in files(from) {
        fs::write(Path::new(to).join(name), bytes).unwrap();
    }
}

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"))
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
        (&1.0.into(), &"sure-win".into())
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
fn a_probe_tells_the_truth() {
    let dir = temporary();
    let table = path(&dir, "t");
    json(&format!("solve 3x3 --to 32 --out {table}"));
    let answer = json(&format!("probe {table} --board 2,2,4/.,.,./.,.,8"));
    assert_eq!(answer["board"], "0x112000003");
    assert_eq!(
        (&answer["exact"], &answer["standing"]),
        (&true.into(), &"live".into())
    );
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 4);
    let first = &moves[0];
    assert_eq!(
        (&first["best"], &first["loss"]),
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
fn positions_that_are_not_live_are_told_apart() {
    let dir = temporary();
    let (plain, wide) = (path(&dir, "t"), path(&dir, "w"));
    json(&format!("solve 2x2 --to 16 --out {plain}"));
    json(&format!("solve 2x3 --to 16 --out {wide}"));
    for (board, standing, exact, value) in [
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
        assert_eq!(answer["standing"], standing, "{board}: {answer}");
        assert_eq!(answer["exact"], exact, "{board}: {answer}");
        if let Some(value) = value {
            assert_eq!(answer["value"], value, "{board}");
        } else if !exact {
            assert_eq!(answer["value"], Value::Null, "{board}");
        }
        if ["won", "lost"].contains(&standing) {
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
fn a_table_tells_what_it_is() {
    let dir = temporary();
    let (table, slim) = (path(&dir, "t"), path(&dir, "s"));
    let solved = json(&format!("solve 2x3 --to 32 --out {table}"));
    let info = json(&format!("table info {table}"));
    assert_eq!(
        (&info["ok"], &info["title"]),
        (&true.into(), &"2x3-to-32 (win)".into())
    );
    assert_eq!(info["states"], solved["states"]);
    let layers = info["manifest"]["layers"].as_array().unwrap();
    let states: u64 = layers.iter().map(|l| l["states"].as_u64().unwrap()).sum();
    assert_eq!(info["states"], states);
    let verdict = json(&format!("table verify {table}"));
    assert_eq!(verdict["ok"], true);
    let words = text(&format!("table verify {table}"));
    assert!(words.starts_with("2x3-to-32 (win): whole, "), "{words}");
    let list = text(&format!("table info {table} --layers"));
    assert_eq!(list.lines().count(), 3 + 5 + 1 + layers.len(), "{list}");

    let stripped = json(&format!("table strip {table} --out {slim}"));
    let per_state = number(&stripped["parts"]["moves"]) / number(&stripped["states"]);
    assert!((0.25..0.3).contains(&per_state), "{per_state}");
    let answer = json(&format!("probe {slim} --board 2,2,./.,.,."));
    assert_eq!(
        (&answer["exact"], &answer["value"]),
        (&false.into(), &Value::Null)
    );
    assert_eq!(answer["moves"][0]["best"], true);
    let line = fails(&format!("follow {slim}"), 1);
    assert!(
        line.contains("has moves only: this needs one with values"),
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
        let mut best = best.filter(|m| m["best"] == true);
        assert!(best.any(|m| m["move"] == fields[4]), "{line} {truth}");
    }
    let packed = tilebase_policy::PackedPolicy::from_bytes(&fs::read(&policy).unwrap()).unwrap();
    assert_eq!(packed.len() as u64, followed["listed"].as_u64().unwrap());
    let shape: Shape = "2x2".parse().unwrap();
    for truth in &truths {
        let board = Board::parse(truth["board"].as_str().unwrap(), shape).unwrap();
        let (m, value) = packed.look_up(board).unwrap();
        let mut best = truth["moves"].as_array().unwrap().iter();
        assert!(best.any(|line| line["best"] == true && line["move"] == m.name()));
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
            "objective win needs a target: give one with --to",
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
            "a 2x2 board never holds a 64",
        ),
        (
            "solve 5x5 --to 64 --out NONE",
            "shape 5x5 is too large here: at most 4x4",
        ),
        (
            "solve 2x2 --to 16 --memory 0 --out NONE",
            "of memory are allowed",
        ),
        (
            "solve 3x3 --to 512 --memory 67MB --out NONE2",
            "of memory are allowed",
        ),
        ("probe TABLE --board 2,2,2/.,.,.", "has 3 cells: 2 expected"),
        ("probe TABLE --board 0x123", "a 2x2 board has 4, one a cell"),
        ("probe TABLE --board 3,2/.,.", "use a power of two"),
        ("probe TABLE --board 65536,2/.,.", "a tile above 32768"),
        (
            "evaluate TABLE --player nobody",
            "there is no player 'nobody'",
        ),
        (
            "follow TABLE --threshold 2",
            "threshold 2 is no probability",
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
        (
            "play 2x2 --player random --table TABLE",
            "player random needs no table",
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

#[test]
fn a_directory_belongs_to_one_table() {
    let dir = temporary();
    let table = path(&dir, "t");
    json(&format!("solve 2x2 --to 16 --out {table}"));
    let before = files(&table);
    for (other, name) in [
        ("2x2 --to 32", "2x2-to-32 (win)"),
        ("3x3 --to 16", "3x3-to-16 (win)"),
        ("2x2 --to 16 --spawn 2:1", "2x2-to-16-spawn-2:1 (win)"),
        ("2x2 --to 16 --start-tiles 3", "2x2-to-16-start-3 (win)"),
        (
            "2x2 --to 16 --discount 0.9",
            "2x2-to-16 (win, discount 0.9)",
        ),
        ("2x2 --to 16 --objective score", "2x2-to-16 (score)"),
    ] {
        let line = fails(&format!("solve {other} --out {table}"), 2);
        let expected = format!("holds 2x2-to-16 (win), not {name}: use another directory");
        assert!(line.contains(&expected), "{line}");
    }
    assert_eq!(files(&table), before);
    // A discount of 1 is none.
    json(&format!("solve 2x2 --to 16 --discount 1 --out {table}"));

    // Another process at work.
    let lock = File::create(Path::new(&table).join("lock")).unwrap();
    lock.try_lock().unwrap();
    let line = fails(&format!("solve 2x2 --to 16 --out {table}"), 1);
    assert!(line.contains("another process is at work in "), "{line}");
    // Reading needs no lock.
    json(&format!("probe {table} --start"));
    // Not by closing it: a process that another test is just starting may have it too.
    lock.unlock().unwrap();
    json(&format!("solve 2x2 --to 16 --out {table}"));

    // Places that cannot be written to.
    let line = fails("solve 2x2 --to 16 --out /dev/null/t", 1);
    assert!(line.starts_with("tilebase: /dev/null/t"), "{line}");
    let file = path(&dir, "file");
    fs::write(&file, "taken").unwrap();
    let line = fails(&format!("solve 2x2 --to 16 --out {file}"), 1);
    assert!(line.contains(&file), "{line}");
    assert_eq!(fs::read(&file).unwrap(), b"taken");
}

/// Everything that can be wrong with the list of a table.
#[test]
fn a_broken_manifest_is_told() {
    let dir = temporary();
    let table = path(&dir, "t");
    let command = format!("solve 2x3 --to 16 --out {table}");
    json(&command);
    let manifest = Path::new(&table).join("table.json");
    let good = fs::read_to_string(&manifest).unwrap();
    let check = |text: &str, expected: &str| {
        fs::write(&manifest, text).unwrap();
        for command in [
            format!("probe {table} --start"),
            format!("table info {table}"),
            format!("table verify {table}"),
            format!("follow {table}"),
            command.clone(),
        ] {
            let line = fails(&command, 1);
            assert!(line.contains(expected), "{command}: {line}");
        }
    };
    check(
        &good.replace("\"format\":1", "\"format\":99"),
        "table.json has format 99, and this program knows format 1: use the version that wrote it",
    );
    check(&good[..good.len() / 2], "table.json is damaged");
    check("", "table.json is damaged");
    check("[]", "table.json is damaged");
    check(
        &good.replace("2x3-to-16", "2x3-to-61"),
        "table.json is damaged",
    );
    check(
        &good.replace("2x3-to-16", "2x2-to-16"),
        "table.json is damaged",
    );
    check(
        &good.replace("\"win\"", "\"fame\""),
        "table.json is damaged",
    );

    // As it is told: delete that file and run solve on the directory.
    fs::remove_file(&manifest).unwrap();
    json(&command);
    assert_eq!(fs::read_to_string(&manifest).unwrap(), good);

    // One that is not finished is gone on with, and not believed before.
    let whole = files(&table);
    fs::remove_dir_all(&table).unwrap();
    unfinished("2x3-to-16", &table);
    let line = fails(&format!("probe {table} --start"), 1);
    assert!(
        line.contains("is not finished: run the same 'tilebase solve' again to go on"),
        "{line}"
    );
    json(&command);
    let again = files(&table);
    assert_eq!(again["table.json"], good.as_bytes());
    assert_eq!(again.len(), whole.len());
}

/// Stops work after it has been asked so many times whether to.
struct Impatient(AtomicU64);

impl Progress for Impatient {
    fn begin(&self, _: Unit, _: Option<u64>) {}
    fn stage(&self, _: &str) {}
    fn advance(&self, _: u64) {}
    fn finish(&self) {}
    fn interrupted(&self) -> bool {
        self.0.fetch_sub(1, Ordering::Relaxed) <= 1
    }
}

/// Leaves a table that is not finished.
fn unfinished(game: &str, table: &str) {
    for asked in 1.. {
        let result = tilebase_solve::solve(
            &game.parse().unwrap(),
            Objective::Win,
            Path::new(table),
            &tilebase_solve::Options::default(),
            &Impatient(AtomicU64::new(asked)),
        );
        assert!(result.is_err(), "interrupted too late");
        if Path::new(table).join("table.json").exists() {
            return;
        }
    }
}

/// The answers of a table for many boards, if it has any.
fn probe_all(dir: &Path, boards: &[Board]) -> Result<Vec<(Board, Answer)>, TableError> {
    let table = Table::open(dir)?;
    let answers = boards.iter().map(|&board| Ok((board, table.probe(board)?)));
    answers.collect()
}

/// The boards of a table's states, in any image, and some that are no states.
fn boards(table: &Table) -> Vec<Board> {
    let mut boards = Vec::new();
    for entry in table.layers() {
        let sets = table.sets(entry.sum).unwrap().unwrap();
        boards.extend(sets.states.iter());
    }
    let shape = table.variant().shape();
    for text in ["2,.,./.,.,.", "2,2,2/2,2,2", "8,8,8/8,8,8", "4,2,4/2,4,2"] {
        boards.push(Board::parse(text, shape).unwrap());
    }
    boards
}

/// Wherever a bit flips, an answer is right or an error, and a check of the whole finds it.
#[test]
fn no_flipped_bit_gives_a_wrong_answer() {
    let dir = temporary();
    let mut rng = Rng::new(512);
    for (name, options, rounds) in [
        ("win", "2x3 --to 32", 120),
        ("soon", "2x3 --to 16 --discount 0.9", 60),
        ("moves", "2x3 --to 16 --objective moves", 40),
    ] {
        let good = path(&dir, name);
        json(&format!("solve {options} --out {good}"));
        let (whole, bad) = (files(&good), path(&dir, "bad"));
        let boards = boards(&Table::open(Path::new(&good)).unwrap());
        let truth = probe_all(Path::new(&good), &boards).unwrap();
        let names: Vec<&String> = whole.keys().filter(|name| *name != "lock").collect();
        let wrong_at = |name: &str, at: usize, bit: u8| {
            let mut bytes = whole[name].clone();
            bytes[at] ^= 1 << bit;
            copy(&good, &bad);
            fs::write(Path::new(&bad).join(name), &bytes).unwrap();
            let what = format!("{options}: bit {bit} of byte {at} of {name}");
            let found = verify(Path::new(&bad), &Silent);
            assert!(
                found.is_err() || !found.unwrap().is_ok(),
                "{what} is not found"
            );
            // One by one: an error in one place does not hide a wrong answer in another.
            let mut errors = 0;
            match Table::open(Path::new(&bad)) {
                Err(_) => errors += 1,
                Ok(table) => {
                    for (board, answer) in &truth {
                        match table.probe(*board) {
                            Err(_) => errors += 1,
                            Ok(found) => assert_eq!(found, *answer, "{what}"),
                        }
                    }
                }
            }
            fs::remove_dir_all(&bad).unwrap();
            errors
        };
        for _ in 0..rounds {
            let name = names[rng.below(names.len() as u32) as usize];
            let at = rng.below(whole[name].len() as u32) as usize;
            wrong_at(name, at, rng.below(8) as u8);
        }
        // The list of the table, which says how all else is read.
        for at in (0..whole["table.json"].len()).step_by(if name == "soon" { 3 } else { 17 }) {
            let errors = wrong_at("table.json", at, rng.below(8) as u8);
            assert!(errors > 0, "byte {at} of table.json");
        }
        // Every part of one file: head, directory, codes, values, checksums.
        let file = "layer-000016.table";
        for at in 0..whole[file].len().min(200) {
            assert!(wrong_at(file, at, rng.below(8) as u8) > 0, "byte {at}");
        }
        let len = whole[file].len();
        for back in 1..=16 {
            assert!(wrong_at(file, len - back, rng.below(8) as u8) > 0);
        }
    }
}

/// The same for a table with moves only.
#[test]
fn no_flipped_bit_gives_a_wrong_move() {
    let dir = temporary();
    let (full, slim, bad) = (path(&dir, "f"), path(&dir, "s"), path(&dir, "bad"));
    json(&format!("solve 2x3 --to 16 --out {full}"));
    json(&format!("table strip {full} --out {slim}"));
    let whole = files(&slim);
    let boards = boards(&Table::open(Path::new(&slim)).unwrap());
    let truth = probe_all(Path::new(&slim), &boards).unwrap();
    let names: Vec<&String> = whole.keys().filter(|name| *name != "lock").collect();
    let mut rng = Rng::new(3);
    for _ in 0..100 {
        let name = names[rng.below(names.len() as u32) as usize];
        let mut bytes = whole[name].clone();
        let at = rng.below(bytes.len() as u32) as usize;
        bytes[at] ^= 1 << rng.below(8);
        copy(&slim, &bad);
        fs::write(Path::new(&bad).join(name), &bytes).unwrap();
        let found = verify(Path::new(&bad), &Silent);
        assert!(found.is_err() || !found.unwrap().is_ok(), "{at} of {name}");
        if let Ok(table) = Table::open(Path::new(&bad)) {
            for (board, answer) in &truth {
                if let Ok(found) = table.probe(*board) {
                    assert_eq!(found, *answer, "{at} of {name}");
                }
            }
        }
        fs::remove_dir_all(&bad).unwrap();
    }
}

/// What the program says to damage, and how the damage is mended.
#[test]
fn damage_is_told_and_mended() {
    let dir = temporary();
    let table = path(&dir, "t");
    let command = format!("solve 2x3 --to 32 --out {table}");
    json(&command);
    let whole = files(&table);
    let name = "layer-000020.table";
    let file = Path::new(&table).join(name);
    let good = &whole[name];
    let restore = || {
        fs::remove_file(&file).unwrap();
        json(&command);
        assert_eq!(files(&table), whole);
    };
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 4;
    for bytes in [&flipped[..], &good[..good.len() - 1], &good[..8], &[]] {
        fs::write(&file, bytes).unwrap();
        let output = run(&format!("table verify {table} --json"));
        assert_eq!(output.status.code(), Some(1));
        let verdict: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(verdict["ok"], false);
        let broken = verdict["broken"].as_array().unwrap();
        assert_eq!(broken.len(), 1, "{verdict}");
        let line = String::from_utf8(output.stderr).unwrap();
        let expected = format!("{name} is damaged (");
        assert!(line.contains(&expected), "{line}");
        let line = fails(&format!("probe {table} --board 8,4,2/2,4,."), 1);
        assert!(line.contains(&expected), "{line}");
        assert!(
            line.contains("delete that file and run solve on the directory"),
            "{line}"
        );
        // Other layers are still good.
        json(&format!("probe {table} --board 8,4,2/.,4,."));
        let line = fails(&format!("follow {table}"), 1);
        assert!(line.contains(&expected), "{line}");
        let line = fails(&format!("evaluate {table} --player corner"), 1);
        assert!(line.contains(&expected), "{line}");
        let play = format!("play 2x3 --player optimal --table {table} --games 50 --seed 1");
        assert!(fails(&play, 1).contains(&expected));
        // Solving again does not pretend that nothing happened, and then does as told.
        let line = fails(&command, 1);
        assert!(line.contains(&expected), "{line}");
        restore();
    }
    // A file that is not there.
    fs::remove_file(&file).unwrap();
    let line = fails(&format!("probe {table} --board 8,4,2/2,4,."), 1);
    assert!(line.contains("it is not there"), "{line}");
    json(&command);
    assert_eq!(files(&table), whole);
    // The first and the last file, several, and left-overs of a killed run.
    let layers: Vec<&String> = whole.keys().filter(|name| name.contains("layer")).collect();
    for names in [
        &layers[..1],
        &layers[layers.len() - 1..],
        &layers[3..6],
        &layers,
    ] {
        for name in names {
            fs::remove_file(Path::new(&table).join(name)).unwrap();
        }
        fs::write(Path::new(&table).join("layer-000020.table.tmp"), "half").unwrap();
        json(&command);
        assert_eq!(files(&table), whole);
    }
}

/// Killed again and again at odd moments, solving goes on and ends with the same table.
#[cfg(unix)]
#[test]
fn a_killed_run_goes_on() {
    let dir = temporary();
    for (game, on_disk) in [("3x3 --to 128", false), ("3x3 --to 64", true)] {
        let (whole, killed) = (path(&dir, "whole"), path(&dir, "killed"));
        let took = number(&json(&format!("solve {game} --threads 1 --out {whole}"))["seconds"]);
        let expected = files(&whole);
        if on_disk {
            // With the states in files, as of games that are large.
            fs::create_dir_all(Path::new(&killed).join("states")).unwrap();
        }
        let command = format!("solve {game} --threads 1 --out {killed}");
        let mut rng = Rng::new(9);
        let mut kept = Vec::new();
        for round in 0..10 {
            let mut child = tilebase(&command)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let moment = took * f64::from(rng.below(1000)) / 1000.0;
            std::thread::sleep(Duration::from_secs_f64(moment));
            // In the end when there is something to lose.
            let manifest = Path::new(&killed).join("table.json");
            while round == 9 && !manifest.exists() && child.try_wait().unwrap().is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
            child.kill().unwrap();
            child.wait().unwrap();
            let text = fs::read(Path::new(&killed).join("table.json"));
            let manifest: Option<Value> =
                text.ok().map(|text| serde_json::from_slice(&text).unwrap());
            let layers = manifest.map_or(0, |m| m["layers"].as_array().unwrap().len());
            kept.push(layers);
            if let Ok(table) = Table::open(Path::new(&killed)) {
                // Finished: then it is whole.
                assert!(verify(table.dir(), &Silent).unwrap().is_ok());
            }
        }
        assert!(kept.is_sorted(), "{kept:?}");
        assert!(kept.last().is_some_and(|&layers| layers > 0), "{kept:?}");
        json(&command);
        assert!(files(&killed) == expected, "{game} {kept:?}");
        fs::remove_dir_all(&killed).unwrap();
        fs::remove_dir_all(&whole).unwrap();
    }
}

/// Ctrl-C keeps all finished layers.
#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_its_layers() {
    let dir = temporary();
    let table = path(&dir, "t");
    let child = tilebase(&format!("solve 3x3 --to 1024 --threads 1 --out {table}"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // As soon as there is something to keep.
    let manifest: PathBuf = Path::new(&table).join("table.json");
    for _ in 0..600 {
        if manifest.exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "tilebase: interrupted\n"
    );
    assert!(output.stdout.is_empty());
    let kept: Value = serde_json::from_slice(&fs::read(manifest).unwrap()).unwrap();
    assert!(!kept["layers"].as_array().unwrap().is_empty());
    let line = fails(&format!("table verify {table}"), 1);
    assert!(line.contains("is not finished"), "{line}");
}

/// A disk that is full ends the work with a word, and what was kept is good.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_nothing() {
    let Some(disk) = SmallDisk::new("600k") else {
        return;
    };
    let table = path(&disk.dir, "t");
    let command = format!("solve 3x3 --to 64 --out {table}");
    for _ in 0..2 {
        let line = fails(&command, 1);
        assert!(line.contains("No space left on device"), "{line}");
    }
    disk.grow("64m");
    json(&command);
    let elsewhere = temporary();
    let other = path(&elsewhere, "t");
    json(&format!("solve 3x3 --to 64 --out {other}"));
    assert!(files(&table) == files(&other));
}

/// Nobody but root may write everywhere.
#[cfg(unix)]
#[test]
fn a_directory_that_must_not_be_written_to_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let dir = temporary();
    let place = dir.path().join("mine");
    fs::create_dir(&place).unwrap();
    fs::set_permissions(&place, fs::Permissions::from_mode(0o555)).unwrap();
    if File::create(place.join("probe")).is_ok() {
        println!("skipped: this user may write everywhere");
        return;
    }
    let line = fails(&format!("solve 2x2 --to 16 --out {}/t", place.display()), 1);
    assert!(line.contains("Permission denied"), "{line}");
}
