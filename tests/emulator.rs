//! Playing on a GPU, without one: a driver and a compiler that run the kernels on the processor
//! (`tests/emulator`). The kernels' logic is tested, races between threads are not.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::common::{temporary, tilebase};

/// Builds the emulator in a directory; a line says so where there is no compiler.
fn build(dir: &Path) -> bool {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/emulator");
    if Command::new("g++").arg("--version").output().is_err() {
        eprintln!("SKIPPED: the emulated GPU needs g++");
        return false;
    }
    let library = dir.join("libcuda.so");
    let built = Command::new("g++")
        .args(["-std=c++17", "-O1", "-shared", "-fPIC", "-o"])
        .arg(&library)
        .arg(source.join("cuda.cpp"))
        .status();
    assert!(built.unwrap().success());
    std::fs::copy(&library, dir.join("libnvrtc.so")).unwrap();
    std::fs::copy(source.join("device.h"), dir.join("device.h")).unwrap();
    true
}

/// Plays on the processor and on the emulated GPU with this much memory, and compares games.
fn same_games(dir: &Path, options: &str, memory: u64) {
    let play = |device: &str| -> (Value, Vec<u8>) {
        let file = dir.join(format!("{device}.tb"));
        let line = format!("play 4x4 --player expectimax --seed 5 --json {options}");
        let output = tilebase(&line)
            .args(["--device", device, "--record"])
            .arg(&file)
            .env("LD_LIBRARY_PATH", dir)
            .env("EMULATED_GPU_MEMORY", memory.to_string())
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{options}: {said}");
        let answer = serde_json::from_slice(&output.stdout).unwrap();
        (answer, std::fs::read(&file).unwrap())
    };
    let ((expected, games), (found, other_games)) = std::thread::scope(|scope| {
        let expected = scope.spawn(|| play("cpu"));
        let found = play("cuda");
        (expected.join().unwrap(), found)
    });
    assert!(games == other_games, "{options}");
    assert_eq!(found["device"], "cuda");
    assert_eq!(found["gpu"], "emulated GPU");
    assert_eq!(expected["gpu"], Value::Null);
    for field in [
        "games",
        "won",
        "mean_score",
        "reached",
        "max_tile",
        "search",
    ] {
        assert_eq!(found[field], expected[field], "{options}: {field}");
    }
}

/// One test, since building the emulator takes longer than most of what it does.
#[test]
fn an_emulated_gpu_plays_like_the_processor() {
    let dir = temporary();
    if !build(dir.path()) {
        return;
    }
    games_are_the_same(dir.path());
    comparisons_are_the_same(dir.path());
    what_a_gpu_cannot_search_is_refused(dir.path());
}

fn games_are_the_same(dir: &Path) {
    let empty = "--board 16,16,.,./2,2,.,./.,.,.,./.,.,.,. --extend-above 16";
    let late = "--board 16384,8192,4096,2048/128,256,512,1024/64,32,16,8/.,2,.,4";
    for (options, memory) in [
        ("--games 3 --depth 3 --to 64".to_owned(), 256 << 20),
        ("--games 20 --depth 1 --to 128".to_owned(), 256 << 20),
        (
            "--games 3 --depth 2 --to 64 --spawn 2:1".to_owned(),
            256 << 20,
        ),
        (
            "--games 2 --depth 2 --to 64 --pruning-margin inf".to_owned(),
            256 << 20,
        ),
        // The chain merges to a 32768, and the search goes nine slides deep.
        (
            format!("--games 2 --depth 2 --extend-above 10 --to 32768 {late}"),
            256 << 20,
        ),
        // Too little memory for all games at once, and for one game.
        (
            format!(
                "--games 6 --depth 4 --to 32 {}",
                empty.replacen("2,2", "2,.", 1)
            ),
            15 << 20,
        ),
        (format!("--games 1 --depth 5 --to 32 {empty}"), 15 << 20),
    ] {
        same_games(dir, &options, memory);
    }
}

fn comparisons_are_the_same(dir: &Path) {
    let [expected, found] = ["cpu", "cuda"].map(|device| -> Value {
        let line = "play 4x4 --games 32 --to 32 --seed 2 --json --device";
        let output = tilebase(&format!("{line} {device} --compare --depth=2 --depth=1"))
            .env("LD_LIBRARY_PATH", dir)
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{said}");
        serde_json::from_slice(&output.stdout).unwrap()
    });
    assert_eq!(found["gpu"], "emulated GPU");
    assert_eq!(found["pairs"], 32);
    for field in ["a", "b", "mean_difference", "mean_difference_low", "better"] {
        assert_eq!(found[field], expected[field], "{field}");
    }
}

fn what_a_gpu_cannot_search_is_refused(dir: &Path) {
    for (options, hint) in [
        ("--player greedy", "expectimax"),
        ("--player expectimax --positions 100", "--depth"),
        ("--player expectimax --time 100", "--depth"),
        ("--player expectimax --cutoff 0.1", "--cutoff"),
        (
            "--player expectimax --evaluation smooth",
            "--evaluation network",
        ),
    ] {
        let output = tilebase(&format!("play 4x4 --device cuda {options}"))
            .env("LD_LIBRARY_PATH", dir)
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{options}: {said}");
        assert!(said.contains(hint) && said.lines().count() == 1, "{said}");
    }
}
