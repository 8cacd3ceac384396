//! What solving by layers takes on larger games. Not a check: run by name, in a release build,
//! with `cargo test --release -p tilebase-prove --test figures NAME -- --ignored --nocapture`.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use tilebase_prove::{Contest, DropTiles, LayersOptions, solve_layers};
use tilebase_util::progress::Silent;

fn figures(shape: &str, target: u32, drops: DropTiles) {
    let contest = Contest::new(shape.parse().unwrap(), target.ilog2() as u8, drops).unwrap();
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let options = LayersOptions {
        dir: Some(dir.path().join("layers")),
        ..LayersOptions::default()
    };
    let report = solve_layers(&contest, &options, &Silent).unwrap();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM"));
    println!(
        "{contest}: {}, {} states of which {} won, {} lost; {} afterstates of which {} won; \
         {:.1} s to count, {:.1} s backward; {}",
        report.winner,
        report.states(),
        report.winning(),
        report.lost,
        report.afterstates(),
        report.winning_afterstates(),
        report.count_seconds,
        report.backward_seconds,
        peak.unwrap_or_default()
    );
}

#[test]
#[ignore = "figures"]
fn on_3x3() {
    figures("3x3", 512, DropTiles::Twos);
    figures("3x3", 1024, DropTiles::Twos);
    figures("3x3", 32, DropTiles::Both);
}

#[test]
#[ignore = "figures"]
fn on_3x4_to_64() {
    figures("3x4", 64, DropTiles::Twos);
    figures("3x4", 64, DropTiles::Both);
}

#[test]
#[ignore = "figures"]
fn on_3x4_to_128() {
    figures("3x4", 128, DropTiles::Twos);
    figures("3x4", 128, DropTiles::Both);
}

#[test]
#[ignore = "figures"]
fn on_4x4_to_16() {
    figures("4x4", 16, DropTiles::Twos);
    figures("4x4", 16, DropTiles::Both);
}

#[test]
#[ignore = "figures"]
fn on_4x4_to_32_with_2s() {
    figures("4x4", 32, DropTiles::Twos);
}

#[test]
#[ignore = "figures"]
fn on_4x4_to_32() {
    figures("4x4", 32, DropTiles::Both);
}
