//! Helpers of the tests that run the program.
#![allow(clippy::panic, reason = "a test may fail")]

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// The program with arguments, and nothing on its stdin.
pub fn tilebase(arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilebase"));
    command
        .args(arguments.split_whitespace())
        .stdin(Stdio::null());
    command
}

/// Runs the program.
pub fn run(arguments: &str) -> Output {
    tilebase(arguments).output().unwrap()
}

/// Runs a command that must succeed, and returns its text.
pub fn text(arguments: &str) -> String {
    let output = run(arguments);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments}: {stderr}");
    assert_eq!(stderr, "", "{arguments}");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs a command that must succeed, and returns its JSON object.
pub fn json(arguments: &str) -> Value {
    let object: Value = serde_json::from_str(&text(&format!("{arguments} --json"))).unwrap();
    check_answer(&object, arguments);
    object
}

/// Checks what holds for the JSON of every command: the version, and names in snake_case.
pub fn check_answer(answer: &Value, arguments: &str) {
    assert_eq!(answer["version"], env!("CARGO_PKG_VERSION"), "{arguments}");
    check_names(answer, arguments);
}

fn check_names(value: &Value, arguments: &str) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let snake = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
                assert!(name.chars().all(snake), "{arguments}: {name}");
                // These are spelled as the flags that take them.
                if !matches!(name.as_str(), "player" | "heuristic") {
                    check_names(value, arguments);
                }
            }
        }
        Value::Array(values) => values
            .iter()
            .for_each(|value| check_names(value, arguments)),
        Value::String(text) => assert!(!is_foreign_word(text), "{arguments}: {text}"),
        _ => (),
    }
}

/// Whether a text looks like an enumerated value of another style, such as `sure-win` or
/// `sureWin`.
fn is_foreign_word(text: &str) -> bool {
    let hyphenated = text.split('-').count() > 1
        && text
            .split('-')
            .all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase()));
    let camel = text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_alphabetic())
        && text.chars().any(|c| c.is_ascii_uppercase());
    hyphenated || camel
}

/// A number in an answer.
pub fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is not a number"))
}

/// Runs a command that must fail, and returns its one line on stderr.
pub fn fails(arguments: &str, status: i32) -> String {
    let output = run(arguments);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(status), "{arguments}: {stderr}");
    assert!(output.stdout.is_empty(), "{arguments}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    stderr
}

/// A temporary directory, in memory if possible: a busy disk may take seconds to sync.
pub fn temporary() -> TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir()
        && let Ok(dir) = tempfile::tempdir_in(memory)
    {
        return dir;
    }
    tempfile::tempdir().unwrap()
}

/// A file in a directory.
pub fn path(dir: &TempDir, name: &str) -> String {
    dir.path().join(name).to_str().unwrap().to_owned()
}

/// A small file system in memory, unmounted when dropped.
#[cfg(target_os = "linux")]
pub struct SmallDisk {
    /// Where it is.
    pub dir: TempDir,
}

#[cfg(target_os = "linux")]
impl SmallDisk {
    /// A file system of a size such as `600k`, or `None` with a message if this user may not
    /// mount one.
    pub fn new(size: &str) -> Option<SmallDisk> {
        let dir = tempfile::tempdir().unwrap();
        let mount = mount(
            dir.path(),
            &["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"],
        );
        if !mount {
            println!("skipped: this user may not mount a small file system");
            return None;
        }
        Some(SmallDisk { dir })
    }

    /// Makes it larger.
    pub fn grow(&self, size: &str) {
        let option = format!("remount,size={size}");
        assert!(mount(self.dir.path(), &["-o", &option]));
    }
}

#[cfg(target_os = "linux")]
fn mount(place: &Path, arguments: &[&str]) -> bool {
    let mount = Command::new("mount").args(arguments).arg(place).output();
    mount.is_ok_and(|output| output.status.success())
}

#[cfg(target_os = "linux")]
impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.dir.path()).status();
    }
}
