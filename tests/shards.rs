//! Tables in shards, as commands see them.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tilebase_table::Table;

use crate::common::{fails, json, path, run, temporary, text};
use crate::serve::{get, serve};

#[path = "../crates/solve/tests/common/cut.rs"]
mod cut;

/// Cuts a table on disk.
fn cut_into(processes: u32, from: &str, to: &str) {
    let table = Table::open(Path::new(from)).unwrap();
    cut::cut(&table, &table, Path::new(to), processes);
}

/// An answer without what must be different.
fn answer(arguments: &str) -> Value {
    let mut answer = json(arguments);
    for field in ["table", "seconds", "csv", "policy"] {
        answer.as_object_mut().unwrap().remove(field);
    }
    answer
}

#[test]
fn commands_say_of_shards_what_they_say_of_the_whole_table() {
    let dir = temporary();
    let (whole, tables) = (path(&dir, "whole"), path(&dir, "tables"));
    let shards = path(&dir, "tables/2x3");
    json(&format!("solve 2x3 --to 64 --out {whole}"));
    cut_into(4, &whole, &shards);

    let info = text(&format!("table info {shards}"));
    assert!(info.contains("in 55 layers, in 4 shards"), "{info}");
    let verdict = text(&format!("table verify {shards}"));
    assert!(verdict.contains("intact") && verdict.contains("in 4 shards"));
    assert!(!text(&format!("table info {whole}")).contains("shard"));
    for command in ["info", "verify"] {
        let own = json(&format!("table {command} {shards}"));
        let expected = json(&format!("table {command} {whole}"));
        assert_eq!(
            (&own["shards"], &expected["shards"]),
            (&4.into(), &Value::Null)
        );
        for field in ["ok", "title", "states", "afterstates", "format", "content"] {
            assert_eq!(own[field], expected[field], "{field}");
        }
    }
    for command in [
        "probe DIR --start",
        "probe DIR --board 2,2,4/.,.,8",
        "follow DIR",
        "evaluate DIR --player greedy",
    ] {
        let of = |table: &str| answer(&command.replace("DIR", table));
        assert_eq!(of(&shards), of(&whole), "{command}");
    }
    for format in ["csv", "drn"] {
        let of = |table: &str| run(&format!("export {table} --format {format}"));
        let (own, expected) = (of(&shards), of(&whole));
        assert!(own.status.success() && own.stdout == expected.stdout);
        assert!(own.stdout.len() > 1000);
    }
    let played = |table: &str| {
        let play = "play 2x3 --to 64 --player optimal --games 20 --seed 1";
        let answer = json(&format!("{play} --table {table}"));
        assert!(answer["mean_score"].is_number());
        (answer["mean_score"].clone(), answer["won"].clone())
    };
    assert_eq!(played(&shards), played(&whole));

    // Folders with tables.
    let board = "2,2,4/.,.,8";
    let advice = |which: String| answer(&format!("advise --board {board} {which}"));
    let known = advice(format!("--table {whole}"));
    assert_eq!(advice(format!("--tables {tables}")), known);
    assert_eq!(known["source"], "table");
    let serving = serve(&format!("--tables {tables}"), &path(&dir, ""));
    let served = get(
        &serving,
        &format!("api/v1/position?variant=2x3-to-64&board={board}"),
    );
    let probed = json(&format!("probe {whole} --board {board}"));
    assert_eq!(served["source"], "table");
    assert_eq!(
        (&served["value"], &served["best"]),
        (&probed["value"], &probed["best"])
    );
}

#[test]
fn one_line_says_what_is_wrong_with_shards() {
    let dir = temporary();
    let (whole, shards) = (path(&dir, "whole"), path(&dir, "shards"));
    json(&format!("solve 2x2 --to 16 --out {whole}"));
    cut_into(3, &whole, &shards);
    let of = |process: u32| format!("{shards}/shard-{process}-of-3");

    let line = fails(&format!("table info {}", of(1)), 2);
    assert!(
        line.contains(&format!("is shard 1 of 3 of a table: open {shards}")),
        "{line}"
    );
    let line = fails(&format!("solve 2x2 --to 16 --out {shards}"), 2);
    assert!(
        line.contains("holds shards of a table, not 2x2-to-16 (win)"),
        "{line}"
    );

    let file = format!("{}/layer-000008.table", of(2));
    let intact = fs::read(&file).unwrap();
    let mut bytes = intact.clone();
    bytes[20] ^= 1;
    fs::write(&file, bytes).unwrap();
    let output = run(&format!("table verify {shards}"));
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said.contains("1 files are broken") && said.contains(&file),
        "{said}"
    );
    fs::write(&file, intact).unwrap();

    fs::remove_dir_all(of(1)).unwrap();
    for command in ["probe DIR --start", "table info DIR", "follow DIR"] {
        let line = fails(&command.replace("DIR", &shards), 1);
        let missing = format!("shard 1 of 3 of the table in {shards} is missing");
        assert!(line.contains(&missing), "{line}");
    }
    let output = run(&format!("table verify {shards} --json"));
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (output.status.code(), &said["ok"]),
        (Some(1), &false.into())
    );
    assert!(said["broken"][0].as_str().unwrap().contains("shard 1 of 3"));
    // A server goes on without the table, and says why.
    let serving = serve(&format!("--tables {shards}"), &path(&dir, ""));
    let variants = get(&serving, "api/v1/variants");
    assert_eq!(variants["damaged"][0], "shards");
}
