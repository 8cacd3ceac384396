//! What can happen to a table on disk: other games, damage, kills, full disks.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use tilebase_game::{Board, Rng};
use tilebase_table::{Objective, Probe, Table, TableError, verify};
use tilebase_util::progress::{Silent, StopAfter};

use crate::common::{SmallDisk, fails, json, number, path, run, temporary, tilebase};

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
    assert!(line.contains("another process is using "), "{line}");
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
fn a_broken_manifest_is_reported() {
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
        "table.json has format 99, and this program knows formats up to 3: use the version that wrote it",
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

    // As the message says: delete that file and run solve on the directory.
    fs::remove_file(&manifest).unwrap();
    json(&command);
    assert_eq!(fs::read_to_string(&manifest).unwrap(), good);

    // An unfinished one is resumed, and not used before.
    let whole = files(&table);
    fs::remove_dir_all(&table).unwrap();
    unfinished("2x3-to-16", &table);
    let line = fails(&format!("probe {table} --start"), 1);
    assert!(
        line.contains("is not finished: run the same 'tilebase solve' again to resume it"),
        "{line}"
    );
    json(&command);
    let again = files(&table);
    assert_eq!(again["table.json"], good.as_bytes());
    assert_eq!(again.len(), whole.len());
}

/// Leaves a table that is not finished.
fn unfinished(game: &str, table: &str) {
    for asked in 1.. {
        let result = tilebase_solve::solve(
            &game.parse().unwrap(),
            Objective::Win,
            Path::new(table),
            &tilebase_solve::SolveOptions::default(),
            &StopAfter::new(asked - 1),
        );
        assert!(result.is_err(), "interrupted too late");
        if Path::new(table).join("table.json").exists() {
            return;
        }
    }
}

/// The answers of a table for many boards, if it has any.
fn probe_all(dir: &Path, boards: &[Board]) -> Result<Vec<(Board, Probe)>, TableError> {
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
fn damage_is_reported_and_mended() {
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
            line.contains("delete that file, and run the same 'tilebase solve' again"),
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
        // Solving again reports the damage too, and then does as the message says.
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
fn a_directory_that_must_not_be_written_to_is_reported() {
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
