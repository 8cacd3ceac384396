//! Failures: one line that states the facts and says what to do, the exit status, and nothing
//! written.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;

use crate::common::{fails, json, path, temporary};

/// Libraries state facts; the command line adds what helps here.
#[test]
fn failures_say_what_to_do() {
    let dir = temporary();
    let place = path(&dir, "").trim_end_matches('/').to_owned();
    let table = path(&dir, "table");
    json(&format!("solve 2x3 --to 32 --out {table}"));
    json(&format!("table strip {table} --out {place}/moves"));
    let memory = "allow more with --memory, or choose a smaller target";
    for (arguments, status, hint) in [
        ("count 4x4", 2, "choose one with --to"),
        ("count 3x3 --to 64 --memory 0", 2, memory),
        ("solve 3x3 --to 64 --memory 0 --out DIR/new", 2, memory),
        (
            "solve 2x2 --objective moves --out DIR/new",
            2,
            "choose one with --to, such as --to 512",
        ),
        (
            "solve 2x2 --to 16 --out DIR/table",
            2,
            "use another directory",
        ),
        (
            "probe DIR/new --start",
            1,
            "make one with 'tilebase solve SHAPE --to TILE --out DIR'",
        ),
        (
            "evaluate DIR/moves --player random",
            1,
            "use a table with values",
        ),
        (
            "export DIR/table --format drn --limit 5 --out DIR/new",
            2,
            "allow more states with --limit",
        ),
    ] {
        let line = fails(&arguments.replace("DIR", &place), status);
        assert!(line.trim_end().contains(hint), "{arguments}: {line}");
    }
    assert!(!dir.path().join("new").exists(), "nothing is written");
}

/// Without a GPU, every command that can use one says how to do without.
#[test]
fn a_missing_gpu_is_reported() {
    let dir = temporary();
    for command in [
        "count 2x2 --to 16",
        "solve 2x2 --to 16",
        "prove 2x2 --to 16 --engine layers",
        "selftest",
        &format!("train --steps 1 --games 1 --out {}", path(&dir, "network")),
    ] {
        let output = crate::common::run(&format!("{command} --device cuda"));
        if output.status.success() {
            println!("skipped: there is a GPU");
            return;
        }
        let line = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{command}: {line}");
        assert_eq!(line.lines().count(), 1, "{command}: {line}");
        assert!(line.contains("--device cpu"), "{command}: {line}");
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

/// A damaged file is named, with the way to mend it.
#[test]
fn a_damaged_table_can_be_mended() {
    let dir = temporary();
    let table = path(&dir, "table");
    let solve = format!("solve 2x3 --to 32 --out {table}");
    let solved = json(&solve);
    let files = fs::read_dir(&table).unwrap().map(|entry| entry.unwrap());
    let largest = files
        .filter(|entry| entry.file_name() != "table.json")
        .max_by_key(|entry| entry.metadata().unwrap().len())
        .unwrap();
    let file = fs::File::options().write(true).open(largest.path());
    file.unwrap().set_len(20).unwrap();
    let line = fails(&format!("follow {table}"), 1);
    let name = largest.path().display().to_string();
    assert!(line.contains(&name), "{line}");
    let hint = "delete that file, and run the same 'tilebase solve' again";
    assert!(line.contains(hint), "{line}");
    fs::remove_file(largest.path()).unwrap();
    assert_eq!(json(&solve)["start_value"], solved["start_value"]);
}
