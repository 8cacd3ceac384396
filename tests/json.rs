//! `--json` of every command: one object, with the version, in the one style of names.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeSet;
use std::fs;

use crate::common::{json, path, temporary, text};

/// A small case of every command, in an order in which later ones use the files of earlier ones.
const CASES: [&str; 45] = [
    "solve 2x3 --to 32 --out DIR/table",
    "solve 2x2 --objective score --out DIR/score",
    "solve 2x2 --to 16 --dry-run",
    "probe DIR/table --board 2,2,./.,.,4",
    "probe DIR/table --start",
    "table info DIR/table",
    "table verify DIR/table",
    "table strip DIR/table --out DIR/moves",
    "export DIR/table --format csv --out DIR/table.csv",
    "export DIR/score --format svg --out DIR/score.svg",
    "follow DIR/table",
    "evaluate DIR/table --player one-ply",
    "count 2x3 --to 32",
    "count 2x3 --to 32 --by-largest --bounds --dir DIR/layers",
    "count 2x3 --to 32 --dry-run",
    "lower-bound --to 16 --distribution",
    "moves --board .,2/8,4",
    "play 2x3 --player one-ply --games 3 --record DIR/games",
    "play 2x3 --player optimal --games 3 --table DIR/table",
    "play 2x3 --compare --player=one-ply --player=greedy --games 3",
    "advise --board 2,2,./.,.,4 --table DIR/table",
    "advise --board .,2/8,4 --positions 100",
    "train --out DIR/network --steps 10 --games 2",
    "prune DIR/network --out DIR/pruned --games 1",
    "calibrate sample --games 1 --seed 1 --depth 1 --extend-above 16 --out DIR/samples",
    "calibrate fit DIR/samples --out DIR/forecast",
    "calibrate check DIR/samples --forecast DIR/forecast",
    "replay DIR/games",
    "replay DIR/games --game 1",
    "replay DIR/games --review",
    "replay DIR/games --game 2 --review --table DIR/table",
    "prove 2x2 --to 16",
    "prove 2x2 --to 16 --strategy DIR/strategy",
    "prove --check DIR/strategy",
    "prove 2x2 --best",
    "prove 2x2 --to 16 --engine layers",
    "prove 2x2 --to 16 --engine bdd --encoding one-hot --order snake",
    "checkerboard 2x3 --count",
    "checkerboard 3x3 --fill",
    "checkerboard 3x3 --dead-end",
    "plan 2x2 --to 16 --heuristic max-tile-weight --replay",
    "plan 2x2 --to 16 --spawn-rule worst",
    "plan --table --width 4",
    "site --out DIR/site --engine DIR/engine",
    "completions bash",
];

/// The commands that run long, or until they are stopped, have tests of their own.
const ELSEWHERE: [&str; 2] = ["selftest", "serve"];

#[test]
fn every_command_answers_with_one_object_in_one_style() {
    let dir = temporary();
    let engine = path(&dir, "engine");
    fs::create_dir(&engine).unwrap();
    for name in ["tilebase_wasm.js", "tilebase_wasm_bg.wasm"] {
        fs::write(format!("{engine}/{name}"), "").unwrap();
    }
    let place = path(&dir, "").trim_end_matches('/').to_owned();
    for case in CASES {
        // The names and values are checked there.
        json(&case.replace("DIR", &place));
    }
}

#[test]
fn no_command_is_left_out() {
    let help = text("--help");
    let listed = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty());
    let commands: BTreeSet<&str> = listed
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|&name| name != "help")
        .collect();
    let tried: BTreeSet<&str> = CASES
        .iter()
        .filter_map(|case| case.split_whitespace().next())
        .chain(ELSEWHERE)
        .collect();
    assert_eq!(commands, tried);
}
