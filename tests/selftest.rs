//! `tilebase selftest` as a user runs it, with a GPU and without.

#![allow(
    clippy::unwrap_used,
    reason = "a test may stop at what it did not expect"
)]

use crate::common::{fails, json, run, tilebase};

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

/// Whether there is a GPU; a line says so where there is none.
fn has_gpu() -> bool {
    let has = run("count 2x2 --device cuda").status.success();
    if !has {
        eprintln!("skipped: there is no GPU here");
    }
    has
}

#[test]
fn the_gpu_counts_as_the_processor_does() {
    if has_gpu() {
        assert_eq!(json("selftest --device cuda")["same"], true);
    }
}

#[test]
fn without_a_gpu_one_line_says_why() {
    if !has_gpu() {
        for command in [
            "count 3x3 --to 64",
            "solve 3x3 --to 64",
            "prove 3x3 --to 64 --engine layers",
            "selftest",
        ] {
            let said = fails(&format!("{command} --device cuda"), 1);
            assert!(said.contains("gpu") || said.contains("CUDA"), "{said}");
        }
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("layers.csv");
        fails(
            &format!("count 2x2 --device cuda --csv {}", file.display()),
            1,
        );
        assert!(!file.exists());
    }
    // A dry run still prints what it would need.
    let plan = json("count 4x4 --to 256 --device cuda --dry-run");
    let gpu = &plan["gpu"];
    assert!(gpu["needed_bytes"].as_u64().unwrap() > 120 << 30);
    assert!(gpu["least_bytes"].as_u64().unwrap() < 12 << 30);
    assert!(fails("count 2x2 --gpu-memory 1GB", 2).contains("--device cuda"));
    // Not everything can use a GPU.
    for command in [
        "solve 2x2 --to 8 --objective moves",
        "solve 2x2 --to 8 --out table",
        "prove 2x2 --to 8",
        "prove 2x2 --best",
        "prove 2x2 --to 8 --engine layers --dir layers",
    ] {
        assert!(fails(&format!("{command} --device cuda"), 2).contains("--device cpu"));
    }
}

/// A driver that is for CUDA 11.4, and a compiler, as far as they are asked before that is known.
#[cfg(target_os = "linux")]
#[test]
fn a_driver_that_is_too_old_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("driver.c");
    let code = "int cuInit(unsigned f) { return 0; }\n\
                int cuDriverGetVersion(int *v) { *v = 11040; return 0; }\n";
    std::fs::write(&source, code).unwrap();
    for library in ["libcuda.so", "libnvrtc.so"] {
        let built = std::process::Command::new("cc")
            .args(["-shared", "-fPIC", "-o"])
            .arg(dir.path().join(library))
            .arg(&source)
            .status();
        assert!(built.unwrap().success());
    }
    let output = tilebase("count 2x2 --device cuda")
        .env("LD_LIBRARY_PATH", dir.path())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(
        said.contains("CUDA 11.4") && said.contains("12.0"),
        "{said}"
    );
}

#[test]
fn what_solving_on_a_gpu_needs_is_reported() {
    let plan = |options: &str| json(&format!("solve 4x4 --device cuda --dry-run {options}"));
    let small = plan("--to 64 --gpu-memory 140GB --memory 0");
    let large = plan("--to 128 --gpu-memory 140GB --memory 100GB");
    assert_eq!((&small["bits"], &large["bits"]), (&64.into(), &32.into()));
    assert_eq!(small["checkpoint_host_bytes"], 0);
    let host = large["checkpoint_host_bytes"].as_u64().unwrap();
    assert!((50_000_000_000..100_000_000_000).contains(&host), "{host}");
    // Less memory makes more passes.
    let less = plan("--to 128 --gpu-memory 140GB --memory 40GB");
    let passes = |plan: &serde_json::Value| plan["passes"].as_f64().unwrap();
    assert!(passes(&less) > passes(&large));
    assert!(passes(&small) < 2.0);
    // The same is refused as in a run, and games whose tables would fill the memory are reported.
    fails("solve 4x4 --device cuda --dry-run", 2);
    fails("solve 2x2 --objective moves --device cuda --dry-run", 2);
    assert_eq!(plan("--to 2048 --gpu-memory 140GB")["fits"], false);
}

#[test]
fn wrong_positions_for_a_gpu_are_refused_before_the_work() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("boards.txt");
    std::fs::write(&file, "2,2/.,.\n\n2,x/.,.\n").unwrap();
    for (options, said) in [
        ("--board 2,2,2/.,.,.".to_owned(), "2 expected"),
        ("--board 8,16/.,2".to_owned(), "without the target tile 16"),
        ("--board 8,16/.,2 --bits 16".to_owned(), "probe the table"),
        (format!("--boards {}", file.display()), "line 3:"),
        ("--boards nowhere.txt".to_owned(), "nowhere.txt"),
    ] {
        let error = fails(&format!("solve 2x2 --to 16 --device cuda {options}"), 2);
        assert!(error.contains(said), "{options}: {error}");
    }
    for option in [
        "--board 2,2/.,.",
        "--boards x",
        "--bits 32",
        "--gpu-memory 1GB",
    ] {
        let error = fails(&format!("solve 2x2 --to 16 {option}"), 2);
        assert!(error.contains("needs --device cuda"), "{error}");
    }
}

#[test]
fn positions_on_a_gpu_are_worth_what_the_table_says() {
    if has_gpu() {
        let dir = tempfile::tempdir().unwrap();
        let table = dir.path().join("table");
        json(&format!("solve 3x3 --to 128 --out {}", table.display()));
        let board = "2,4,8/16,32,64/2,4,.";
        let truth = json(&format!("probe {} --board {board}", table.display()));
        let found = json(&format!("solve 3x3 --to 128 --device cuda --board {board}"));
        assert_eq!(found["positions"][0]["value"], truth["value"]);
        for m in found["positions"][0]["moves"].as_array().unwrap() {
            let mut moves = truth["moves"].as_array().unwrap().iter();
            let same = moves.find(|other| other["move"] == m["move"]).unwrap();
            assert_eq!(m["value"], same["value"]);
        }
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
