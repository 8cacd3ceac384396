//! `tilebase count` as a user runs it: answers, directories, and everything that can
//! happen to them.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::{SmallDisk, fails, json, path, temporary, tilebase};

/// The parts of an answer that do not depend on the machine.
fn numbers(answer: &Value) -> Value {
    serde_json::json!([
        answer["states"],
        answer["lost"],
        answer["afterstates"],
        answer["layers"]
    ])
}

#[test]
fn the_answer_has_all_that_is_promised() {
    let answer = json("count 3x3 --to 64 --bounds");
    assert_eq!(answer["shape"], "3x3");
    assert_eq!(answer["to"], 64);
    assert_eq!(answer["states"], 594046);
    assert_eq!(answer["lost"], 15935);
    assert_eq!(answer["afterstates"], 304257);
    assert_eq!(answer["device"], "cpu");
    assert_eq!(answer["bounds"]["baseline"], 9815535);
    assert_eq!(answer["bounds"]["layer_reachability"], 9814437);
    assert_eq!(answer["bounds"]["largest_tile"], 1024);
    assert!(
        answer["peak_memory_bytes"]
            .as_u64()
            .is_none_or(|bytes| bytes > 1 << 20)
    );
    let layers = answer["layers"].as_array().unwrap();
    assert_eq!(
        layers[0],
        serde_json::json!({"sum": 4, "states": 8, "lost": 0, "afterstates": 4})
    );
    for field in ["states", "lost", "afterstates"] {
        let sum: u64 = layers
            .iter()
            .map(|layer| layer[field].as_u64().unwrap())
            .sum();
        assert_eq!(answer[field], sum, "{field}");
    }
    assert!(layers.is_sorted_by_key(|layer| layer["sum"].as_u64()));
}

#[test]
fn largest_tiles_add_up() {
    let answer = json("count 3x3 --to 64 --by-largest");
    for layer in answer["layers"].as_array().unwrap() {
        for field in ["states", "lost"] {
            let tiles = layer["by_largest"].as_array().unwrap().iter();
            let sum: u64 = tiles.map(|tile| tile[field].as_u64().unwrap()).sum();
            assert_eq!(layer[field], sum);
        }
    }
}

#[test]
fn a_directory_keeps_the_states() {
    let dir = temporary();
    let plain = json("count 3x3 --to 128");
    let command = format!("count 3x3 --to 128 --dir {}", path(&dir, "d"));
    let first = json(&command);
    assert_eq!(numbers(&first), numbers(&plain));
    assert!(first["bits_per_state"].as_f64().unwrap() < 5.5);
    let again = json(&command);
    assert_eq!(numbers(&again), numbers(&plain));
    assert_eq!(again["bytes"], first["bytes"]);
    // Memory that forces parts gives the same files.
    let parts = format!("count 4x4 --to 16 --memory 48MiB --dir {}", path(&dir, "p"));
    let whole = format!("count 4x4 --to 16 --dir {}", path(&dir, "w"));
    let (parts, whole) = (json(&parts), json(&whole));
    assert_eq!(
        (&parts["in_parts"], &whole["in_parts"]),
        (&true.into(), &false.into())
    );
    assert_eq!(numbers(&parts), numbers(&whole));
    let manifest =
        |name: &str| fs::read_to_string(dir.path().join(name).join("manifest.json")).unwrap();
    assert_eq!(manifest("p"), manifest("w"), "the same checksums");
}

#[test]
fn nothing_is_written_without_a_directory() {
    let dir = temporary();
    let here = |arguments: &str| {
        tilebase(arguments)
            .current_dir(dir.path())
            .output()
            .unwrap()
    };
    assert!(here("count 3x3 --to 32").status.success());
    assert!(here("count 4x4 --to 64 --dry-run --dir d").status.success());
    assert_eq!(here("count 2x2 --to 64 --dir d").status.code(), Some(2));
    assert_eq!(
        here("count 4x4 --to 64 --memory 1MB --dir d").status.code(),
        Some(2)
    );
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

/// Killed again and again at odd moments, until it is done before that, a count goes on and ends
/// with the same numbers.
#[cfg(unix)]
#[test]
fn a_killed_count_goes_on() {
    let dir = temporary();
    for (game, extra) in [
        ("3x3 --to 512", ""),
        ("4x4 --to 16", ""),
        ("4x4 --to 16", "--memory 48MiB"),
    ] {
        let expected = numbers(&json(&format!("count {game}")));
        let place = path(&dir, &format!("{}{}", game.replace(' ', ""), extra.len()));
        let command = format!("count {game} {extra} --dir {place} --json");
        let mut kept = Vec::new();
        // Odd but repeatable moments, longer and longer, so that it ends.
        for round in 0u64..7 {
            let mut child = tilebase(&command)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let moment = Instant::now()
                + Duration::from_millis(60 + 37 * (round * round * 7 % 11) + 40 * round);
            let mut done = false;
            while !done && Instant::now() < moment {
                std::thread::sleep(Duration::from_millis(2));
                done = child.try_wait().unwrap().is_some();
            }
            child.kill().unwrap();
            child.wait().unwrap();
            kept.push(layers_kept(Path::new(&place)));
            if done {
                break;
            }
        }
        assert!(kept.len() > 1, "it was never killed");
        assert!(kept.is_sorted(), "{kept:?}");
        assert!(kept.iter().any(|&layers| layers > 0), "{kept:?}");
        assert_eq!(
            numbers(&json(&format!("count {game} {extra} --dir {place}"))),
            expected,
            "{game}"
        );
    }
}

fn layers_kept(dir: &Path) -> usize {
    let Ok(text) = fs::read(dir.join("manifest.json")) else {
        return 0;
    };
    let manifest: Value = serde_json::from_slice(&text).unwrap();
    manifest["layers"].as_array().unwrap().len()
}

/// Ctrl-C keeps all finished layers.
#[cfg(unix)]
#[test]
fn an_interrupted_count_keeps_its_layers() {
    let dir = temporary();
    let place = path(&dir, "d");
    let child = tilebase(&format!("count 4x4 --to 32 --dir {place}"))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(1500));
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
    assert!(layers_kept(Path::new(&place)) > 3);
}

#[test]
fn damage_is_found_and_mended() {
    let dir = temporary();
    let place = path(&dir, "d");
    let command = format!("count 3x3 --to 32 --dir {place}");
    let expected = numbers(&json(&command));
    let file = Path::new(&place).join("layer-000040.states");
    let good = fs::read(&file).unwrap();

    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 4;
    fs::write(&file, &flipped).unwrap();
    let line = fails(&command, 1);
    assert!(
        line.contains("layer-000040.states is damaged (checksum "),
        "{line}"
    );

    fs::write(&file, &good[..good.len() - 1]).unwrap();
    let line = fails(&command, 1);
    assert!(
        line.contains(&format!(
            "({} bytes instead of {})",
            good.len() - 1,
            good.len()
        )),
        "{line}"
    );
    assert!(
        line.contains("delete it to count it and all layers after it again"),
        "{line}"
    );

    fs::remove_file(&file).unwrap();
    assert_eq!(numbers(&json(&command)), expected);
    assert_eq!(fs::read(&file).unwrap(), good);

    // Left-overs of a killed run are cleared away.
    fs::write(Path::new(&place).join("layer-000040.states.tmp"), b"half").unwrap();
    assert_eq!(numbers(&json(&command)), expected);
    assert!(!Path::new(&place).join("layer-000040.states.tmp").exists());

    let manifest = Path::new(&place).join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, &text[..text.len() / 2]).unwrap();
    let line = fails(&command, 1);
    assert!(line.contains("manifest.json is damaged"), "{line}");
    // Its numbers are in no other file.
    let wrong = text.replacen("\"lost\":[0", "\"lost\":[4", 1);
    assert_ne!(wrong, text);
    fs::write(&manifest, wrong).unwrap();
    let line = fails(&command, 1);
    assert!(
        line.contains("delete it to count all layers again"),
        "{line}"
    );
    fs::write(&manifest, text.replace("\"format\":2", "\"format\":99")).unwrap();
    let line = fails(&command, 1);
    assert!(
        line.contains("has format 99, and this program reads format 2"),
        "{line}"
    );
    fs::remove_file(&manifest).unwrap();
    assert_eq!(numbers(&json(&command)), expected);
}

#[test]
fn a_directory_belongs_to_one_game() {
    let dir = temporary();
    let place = path(&dir, "d");
    json(&format!("count 2x2 --to 16 --dir {place}"));
    let before = fs::read(Path::new(&place).join("manifest.json")).unwrap();
    for other in [
        "2x2 --to 32",
        "3x3 --to 16",
        "2x2 --to 16 --spawn 2:1",
        "2x2 --to 16 --start-tiles 3",
    ] {
        let line = fails(&format!("count {other} --dir {place}"), 2);
        assert!(line.contains("holds 2x2-to-16, not "), "{line}");
    }
    assert_eq!(
        fs::read(Path::new(&place).join("manifest.json")).unwrap(),
        before
    );
    let line = fails("count 2x2 --to 16 --dir /dev/null/d", 1);
    assert!(line.starts_with("tilebase: /dev/null/d: "), "{line}");
}

/// A disk that is full ends the count with a word, and what was kept is good.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_nothing() {
    let Some(disk) = SmallDisk::new("600k") else {
        return;
    };
    let place = path(&disk.dir, "d");
    let command = format!("count 3x3 --to 128 --dir {place}");
    let line = fails(&command, 1);
    assert!(line.contains("No space left on device"), "{line}");
    let kept = layers_kept(Path::new(&place));
    disk.grow("64m");
    let answer = json(&command);
    assert_eq!(numbers(&answer), numbers(&json("count 3x3 --to 128")));
    assert!(layers_kept(Path::new(&place)) > kept);
}

#[test]
fn a_dry_run_shows_what_is_needed() {
    let answer = json("count 4x4 --to 64 --dry-run --memory 8GiB");
    assert_eq!(
        (&answer["fits"], &answer["in_parts"]),
        (&true.into(), &false.into())
    );
    let answer = json("count 4x4 --to 64 --dry-run --memory 2GiB");
    assert_eq!(
        (&answer["fits"], &answer["in_parts"]),
        (&true.into(), &true.into())
    );
    let answer = json("count 4x4 --to 64 --dry-run --memory 100MB");
    assert_eq!(answer["fits"], false);
    let layer = answer["largest_layer_bytes"].as_u64().unwrap();
    assert!((1_600_000_000..1_800_000_000).contains(&layer), "{layer}");
}

/// Bounds are there for any target, also for games that cannot be counted.
#[test]
fn bounds_need_no_count() {
    for (game, baseline, layers) in [
        ("2x2 --to 2048", 8073u64, 905u64),
        ("3x3 --to 2048", 1_970_527_185, 1_400_665_575),
        (
            "4x4 --to 2048",
            44_096_709_674_720_289,
            44_096_167_159_459_777,
        ),
    ] {
        let answer = json(&format!("count {game} --bounds --dry-run"));
        assert_eq!(answer["bounds"]["baseline"], baseline, "{game}");
        assert_eq!(answer["bounds"]["layer_reachability"], layers, "{game}");
    }
    let answer = json("count 4x4 --to 131072 --bounds --dry-run");
    assert_eq!(answer["bounds"]["largest_tile"], 131072);
    assert!(
        answer["reason"]
            .as_str()
            .unwrap()
            .contains("too large: at most 32768")
    );
}

#[test]
fn a_figure_is_drawn() {
    let dir = temporary();
    let file = path(&dir, "layers.svg");
    json(&format!("count 3x3 --to 64 --svg {file}"));
    let svg = fs::read_to_string(&file).unwrap();
    assert!(
        svg.starts_with("<svg") && svg.contains("3x3-to-64") && svg.contains("largest tile"),
        "{svg}"
    );
    let line = fails("count 2x2 --to 8 --svg /dev/null/x.svg", 1);
    assert!(line.contains("/dev/null/x.svg"), "{line}");
}

#[test]
fn wrong_requests_are_refused() {
    for (arguments, expected) in [
        ("count", "<SHAPE>"),
        (
            "count 3x3 --to 4096",
            "a 3x3 board can never hold the target 4096, at most a 1024: choose a smaller one with --to",
        ),
        ("count 8x8 --to 64", "shape 8x8 is too large: at most 4x4"),
        (
            "count 3x3 --to 64 --memory 0",
            "of memory, but only 0 bytes is allowed: allow more with --memory, or choose a smaller target",
        ),
        (
            "count 3x3 --to 64 --memory lots",
            "use a number with a unit, such as 8GB or 512MiB",
        ),
        ("count 3x3 --to 64 --device abacus", "possible values: cpu"),
        (
            "count 4x4 --to 2048 --memory 1GB",
            "counting needs at least ",
        ),
    ] {
        let line = fails(arguments, 2);
        assert!(line.contains(expected), "{line}");
    }
}
