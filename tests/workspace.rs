//! Rules that the source files of the workspace keep.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The Rust files in a directory, sorted, with those in its subdirectories if wanted.
fn rust_files(dir: &Path, deep: bool) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() && deep {
            files.extend(rust_files(&path, deep));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn crates() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("crates")).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// A test file that `main.rs` does not name would never run.
#[test]
fn every_test_file_is_run() {
    let mut directories: Vec<PathBuf> = crates().iter().map(|dir| dir.join("tests")).collect();
    directories.push(root().join("tests"));
    for dir in directories {
        let Ok(main) = fs::read_to_string(dir.join("main.rs")) else {
            continue;
        };
        for file in rust_files(&dir, false) {
            let name = file.file_stem().unwrap().to_str().unwrap();
            let named = name == "main" || main.contains(&format!("mod {name};"));
            assert!(named, "{} is not in main.rs", file.display());
        }
    }
}

/// Errors of libraries state facts; only the command line knows its flags and commands.
#[test]
fn libraries_name_no_flags() {
    for dir in crates() {
        if dir.ends_with("cli") {
            continue;
        }
        for file in rust_files(&dir.join("src"), true) {
            let text = fs::read_to_string(&file).unwrap();
            for (number, line) in (1..).zip(text.lines()) {
                let code = !line.trim_start().starts_with("//");
                let flag = line
                    .split(" --")
                    .skip(1)
                    .any(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()));
                let command = line.contains("'tilebase ");
                assert!(
                    !(code && (flag || command)),
                    "{}:{number}: {}",
                    file.display(),
                    line.trim()
                );
            }
        }
    }
}
