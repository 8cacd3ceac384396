//! `-` in the place of a file: stdin or stdout, and nothing in a file of that name.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs::{self, File};
use std::path::Path;
use std::process::Output;

use tempfile::TempDir;

use crate::common::{fails, path, temporary, text, tilebase};

/// Runs a command in a directory, with a file of it as stdin.
fn fed(dir: &TempDir, arguments: &str, file: &str) -> Output {
    tilebase(arguments)
        .current_dir(dir.path())
        .stdin(File::open(dir.path().join(file)).unwrap())
        .output()
        .unwrap()
}

/// What a command writes to stdout in a directory, where it leaves no file named `-`.
fn written(dir: &TempDir, arguments: &str) -> String {
    let output = tilebase(arguments)
        .current_dir(dir.path())
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments}: {stderr}");
    assert!(!dir.path().join("-").exists(), "{arguments}");
    String::from_utf8(output.stdout).unwrap()
}

/// The lines of a text, without the one that says how long it took.
fn timeless(text: &[u8], name: &str) -> String {
    let text = String::from_utf8(text.to_vec()).unwrap();
    let lines = text.lines().filter(|line| !line.ends_with(" s"));
    let lines: Vec<String> = lines.map(|line| line.replace(name, "FILE")).collect();
    lines.join("\n")
}

#[test]
fn a_count_writes_its_layers_to_stdout() {
    let dir = temporary();
    let file = path(&dir, "layers.csv");
    text(&format!("count 2x3 --to 64 --csv {file}"));
    let expected = fs::read_to_string(&file).unwrap();
    assert!(expected.starts_with("sum,states,lost,afterstates\n4,"));
    for more in ["", "--by-largest", "--processes 2"] {
        let found = written(&dir, &format!("count 2x3 --to 64 --csv - {more}"));
        assert_eq!(found, expected, "{more}");
    }
    let line = fails("count 2x3 --to 64 --csv - --json", 2);
    assert!(line.contains("name a file with --csv FILE"), "{line}");
    // Nothing is written by a dry run.
    let plan = written(&dir, "count 2x3 --to 64 --csv - --dry-run");
    assert!(!plan.contains("sum,states"), "{plan}");
    // A file with that name is left alone.
    fs::write(dir.path().join("-"), "mine").unwrap();
    let output = tilebase("count 2x3 --to 64 --csv -")
        .current_dir(dir.path())
        .output();
    assert_eq!(output.unwrap().stdout, expected.as_bytes());
    assert_eq!(fs::read(dir.path().join("-")).unwrap(), b"mine");
}

#[test]
fn an_export_goes_to_stdout() {
    let dir = temporary();
    let table = path(&dir, "t");
    text(&format!("solve 2x2 --to 16 --out {table}"));
    for format in ["csv", "drn", "svg"] {
        let export = format!("export {table} --format {format}");
        assert_eq!(written(&dir, &format!("{export} --out -")), text(&export));
    }
    let line = fails(&format!("export {table} --format csv --out - --json"), 2);
    assert!(line.contains("stdout cannot hold"), "{line}");
    let line = fails(&format!("export {table} --format parquet --out -"), 2);
    assert!(line.contains("name a file with --out FILE"), "{line}");
    assert!(!Path::new("-").exists());
}

#[test]
fn a_record_comes_from_stdin() {
    let dir = temporary();
    let file = path(&dir, "games.tb");
    text(&format!(
        "play 3x3 --player greedy --games 3 --seed 1 --record {file}"
    ));
    for options in ["", "--game 2", "--game 2 --last --json", "--review"] {
        let found = fed(&dir, &format!("replay - {options}"), "games.tb");
        assert!(found.status.success(), "{options}");
        let expected = text(&format!("replay {file} {options}"));
        let expected = expected.replace(&format!("\"{file}\""), "\"-\"");
        assert_eq!(
            timeless(&found.stdout, "stdin"),
            timeless(expected.as_bytes(), &file),
            "{options}"
        );
    }
    fs::write(dir.path().join("broken"), "no record").unwrap();
    let broken = fed(&dir, "replay -", "broken");
    assert_eq!(broken.status.code(), Some(1));
    assert!(
        broken
            .stderr
            .starts_with(b"tilebase: stdin is not a record")
    );
}

#[test]
fn a_strategy_comes_from_stdin() {
    let dir = temporary();
    let file = path(&dir, "strategy");
    text(&format!("prove 2x2 --to 8 --strategy {file}"));
    let found = fed(&dir, "prove --check -", "strategy");
    assert!(found.status.success());
    assert_eq!(
        timeless(&found.stdout, "stdin"),
        timeless(text(&format!("prove --check {file}")).as_bytes(), &file)
    );
    fs::write(dir.path().join("broken"), "no strategy").unwrap();
    let broken = fed(&dir, "prove --check -", "broken");
    assert_eq!(broken.status.code(), Some(1));
    assert!(broken.stderr.starts_with(b"tilebase: stdin "));
}
