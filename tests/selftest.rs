//! `tilebase selftest` as a user runs it, with a card and without.

#![allow(
    clippy::unwrap_used,
    reason = "a test may stop at what it did not expect"
)]

mod common;

use common::{fails, json, run};

#[test]
fn layers_in_parts_are_those_of_whole_layers() {
    let found = json("selftest");
    assert_eq!(found["device"], "cpu");
    assert_eq!(found["same"], true);
    let games = found["games"].as_array().unwrap();
    assert!(games.len() > 10);
    let small = games.iter().find(|game| game["variant"] == "3x3-to-64");
    assert_eq!(small.unwrap()["states"], 594_046);
}

/// Whether there is a card; a line says so where there is none.
fn has_card() -> bool {
    let has = run("count 2x2 --device cuda").status.success();
    if !has {
        eprintln!("skipped: there is no card here");
    }
    has
}

#[test]
fn the_card_counts_as_the_processor_does() {
    if has_card() {
        assert_eq!(json("selftest --device cuda")["same"], true);
    }
}

#[test]
fn without_a_card_one_line_says_why() {
    if !has_card() {
        for command in ["count 3x3 --to 64", "selftest"] {
            let said = fails(&format!("{command} --device cuda"), 1);
            assert!(said.contains("card") || said.contains("CUDA"), "{said}");
        }
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("layers.csv");
        fails(
            &format!("count 2x2 --device cuda --csv {}", file.display()),
            1,
        );
        assert!(!file.exists());
    }
    // What it would need is told all the same.
    let plan = json("count 4x4 --to 256 --device cuda --dry-run");
    assert!(plan["card"]["needed_bytes"].as_u64().unwrap() > 120 << 30);
    // Not everything can use a card.
    for command in ["solve 2x2 --to 8", "prove 2x2 --to 8"] {
        assert!(fails(&format!("{command} --device cuda"), 2).contains("--device cpu"));
    }
}

#[test]
fn layers_are_written_as_they_come() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("layers.csv");
    let name = file.display();
    let found = json(&format!("count 2x2 --to 32 --csv {name}"));
    let text = std::fs::read_to_string(&file).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("sum,states,lost,afterstates"));
    for layer in found["layers"].as_array().unwrap() {
        let fields = ["sum", "states", "lost", "afterstates"].map(|key| layer[key].to_string());
        assert_eq!(lines.next(), Some(fields.join(",").as_str()));
    }
    assert_eq!(lines.next(), None);
    // A file that is there is not written over.
    let said = fails(&format!("count 2x2 --to 32 --csv {name}"), 1);
    assert!(said.contains("layers.csv"), "{said}");
}
