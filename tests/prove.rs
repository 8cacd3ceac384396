//! `tilebase prove` as a user runs it.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use crate::common::{fails, json, path, temporary, text};

/// Published by Edixhoven (2019); docs/proving.md says where.
#[test]
fn the_published_winners_are_found() {
    for (contest, winner) in [
        ("2x2 --to 16", "slider"),
        ("2x2 --to 32", "dropper"),
        ("3x3 --to 512", "slider"),
        ("3x3 --to 1024", "dropper"),
        ("4x4 --to 16", "slider"),
        ("4x4 --to 32", "slider"),
    ] {
        let answer = json(&format!("prove {contest}"));
        assert_eq!(answer["winner"], winner, "{contest}");
        assert_eq!(answer["engine"], "search");
        assert_eq!(answer["drops"], "2");
        assert!(answer["visited"].is_u64() && answer["seconds"].is_f64());
    }
}

#[test]
fn engines_answer_alike() {
    for (contest, winner) in [
        ("3x3 --to 32 --drops 2,4", "slider"),
        ("3x3 --to 16 --drops 4", "slider"),
        ("2x3 --to 64 --drops 2", "slider"),
        ("2x2 --to 16 --drops 2,4", "dropper"),
    ] {
        for engine in ["search", "layers", "bdd"] {
            let answer = json(&format!("prove {contest} --engine {engine}"));
            assert_eq!(answer["winner"], winner, "{contest} by {engine}");
            assert_eq!(answer["engine"], engine);
        }
    }
    let answer = json("prove 3x3 --to 16 --engine bdd --sweep largest --side slider");
    assert!(answer["sweep_lines"].as_array().unwrap().len() > 3);
    assert!(answer["largest_nodes"].as_u64().unwrap() > 0);
    assert_eq!(answer["encoding"], "binary");
    assert_eq!(answer["side"], "slider");
    assert!(answer["sweep_lines"][0]["iterations"].as_u64().unwrap() > 0);
    assert!(answer["sweep_lines"][0]["line"].is_string());
    let answer = json("prove 2x2 --to 16 --engine bdd --encoding zero-suppressed");
    assert_eq!(answer["encoding"], "zero_suppressed");
    assert_eq!(answer["sweep_lines"][0]["iterations"], 1);
    let answer = json("prove 3x3 --to 64 --engine layers");
    assert_eq!(answer["visited"], 250_522);
    assert_eq!(answer["layers"][0]["sum"], 2);
}

#[test]
fn figures_are_drawn() {
    let dir = temporary();
    let (iterations, seconds) = (path(&dir, "i.svg"), path(&dir, "s.svg"));
    text(&format!(
        "prove 3x3 --to 16 --engine bdd --sweep largest \
         --iterations-svg {iterations} --seconds-svg {seconds}"
    ));
    for file in [iterations, seconds] {
        assert!(std::fs::read_to_string(file).unwrap().starts_with("<svg"));
    }
}

#[test]
fn the_largest_tile_has_evidence_on_both_sides() {
    let answer = json("prove 3x3 --best --drops 2,4");
    assert_eq!(
        (&answer["best"], &answer["settled"]),
        (&32.into(), &true.into())
    );
    let evidence = answer["evidence"].as_array().unwrap();
    let last = evidence.last().unwrap();
    assert_eq!(
        (&last["to"], &last["winner"]),
        (&64.into(), &"dropper".into())
    );
    assert_eq!(evidence[evidence.len() - 2]["winner"], "slider");
    // With drops of 2 every cell counts, and 4s are 2s doubled.
    for (shape, best) in [
        ("1x1", 2),
        ("1x2", 4),
        ("2x2", 16),
        ("2x3", 64),
        ("2x4", 256),
    ] {
        assert_eq!(json(&format!("prove {shape} --best"))["best"], best);
        let doubled = json(&format!("prove {shape} --best --drops 4"));
        assert_eq!(doubled["best"], 2 * best, "{shape}");
    }
    let bounded = json("prove 3x3 --best --to 64");
    assert_eq!(
        (&bounded["best"], &bounded["settled"]),
        (&64.into(), &false.into())
    );
}

#[test]
fn strategies_are_written_checked_and_refused_when_tampered_with() {
    let dir = temporary();
    for contest in ["3x3 --to 64", "3x3 --to 64 --drops 2,4"] {
        let file = path(&dir, "strategy.txt");
        let written = json(&format!("prove {contest} --strategy {file}"));
        let checked = json(&format!("prove --check {file}"));
        assert_eq!(checked["ok"], true);
        assert_eq!(checked["winner"], written["winner"]);
        assert_eq!(checked["positions"], written["strategy"]["positions"]);
        // One line less, counted right.
        let whole = std::fs::read_to_string(&file).unwrap();
        let mut lines: Vec<String> = whole.lines().map(str::to_owned).collect();
        lines.remove(lines.len() / 2);
        lines[3] = format!("positions {}", lines.len() - 5);
        std::fs::write(&file, lines.join("\n") + "\n").unwrap();
        assert!(fails(&format!("prove --check {file}"), 1).contains("can arise"));
        std::fs::write(&file, &whole[..whole.len() / 2]).unwrap();
        fails(&format!("prove --check {file}"), 1);
    }
}

#[test]
fn wrong_requests_get_one_line_and_status_2() {
    for (arguments, expected) in [
        ("prove 3x3", "--to"),
        ("prove 5x5 --to 8", "at most 4x4"),
        ("prove 3x3 --to 12", "power of two"),
        ("prove 3x3 --to 4 --drops 2,4", "out of range"),
        ("prove 3x3 --to 8 --drops 8", "2, 4 or 2,4"),
        ("prove 3x3 --to 8 --sweep largest", "--engine bdd"),
        (
            "prove 3x3 --to 8 --engine bdd --encoding trinary",
            "one-hot",
        ),
        ("prove 3x3 --to 8 --dir somewhere", "--engine layers"),
        ("prove 2x2 --to 32 --strategy x.txt", "never hold"),
    ] {
        let message = fails(arguments, 2);
        assert!(message.contains(expected), "{arguments}: {message}");
    }
    fails("prove --check no-such-file", 1);
    let full = fails("prove 3x4 --to 128 --memory 1MiB", 1);
    assert!(full.contains("--memory"), "{full}");
}
