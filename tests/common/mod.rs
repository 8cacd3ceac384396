//! What the tests on the real binary share.
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
    assert_eq!(object["version"], env!("CARGO_PKG_VERSION"), "{arguments}");
    object
}

/// A number in an answer.
pub fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"))
}

/// Runs a command that must fail, and returns its line.
pub fn fails(arguments: &str, status: i32) -> String {
    let output = run(arguments);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(status), "{arguments}: {stderr}");
    assert!(output.stdout.is_empty(), "{arguments}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    stderr
}

/// A directory, in memory where that is possible: a disk that others keep busy may take
/// seconds to sync.
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

/// A small file system in memory, which goes away with it.
#[cfg(target_os = "linux")]
pub struct SmallDisk {
    /// Where it is.
    pub dir: TempDir,
}

#[cfg(target_os = "linux")]
impl SmallDisk {
    /// One of a size such as `600k`; `None`, and a word about it, where this user may not.
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
