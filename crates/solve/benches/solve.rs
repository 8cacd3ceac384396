//! How fast games are solved and tables are probed. `cargo bench -p tilebase-solve`; `--
//! long` adds 4x4 to 32 and formations to 512.
//!
//! For comparison: 2048EndgameTablebase makes and solves about 1.35 million afterstates a second on
//! a core, its L3-256 on a core of the machine that docs/benchmarks.md is about.

#![allow(clippy::unwrap_used, reason = "a benchmark may fail")]

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use tilebase_game::{Board, Rng, Variant};
use tilebase_solve::{SolveOptions, solve};
use tilebase_table::{Objective, Table};
use tilebase_util::progress::Silent;

fn main() {
    let long = std::env::args().any(|argument| argument == "long");
    let dir = tempfile::tempdir().unwrap();
    println!("counted, solved and written:");
    println!(
        "| game | objective | bits | threads | live states | seconds | million states/s | bytes a state | of them values |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|---:|");
    let mut games = vec![
        ("3x3-to-1024", Objective::Win, 64),
        ("4x4-to-16", Objective::Win, 64),
        ("3x3-to-512", Objective::Win, 64),
        ("3x3-to-512", Objective::Score, 64),
        ("3x3-to-512", Objective::Moves, 64),
        ("4x4-to-128-formation-L3", Objective::Win, 64),
        ("4x4-to-128-formation-L3", Objective::Win, 16),
    ];
    let short = games.len();
    if long {
        games.push(("4x4-to-32", Objective::Win, 64));
        games.push(("4x4-to-512-formation-L3", Objective::Win, 64));
        games.push(("4x4-to-512-formation-L3", Objective::Win, 16));
        games.push(("4x4-to-512-formation-442", Objective::Win, 16));
        games.push(("4x4-to-512-formation-t", Objective::Win, 16));
    }
    for (i, (game, objective, bits)) in games.into_iter().enumerate() {
        let threads: &[usize] = if i < short { &[1, 2] } else { &[2] };
        for &threads in threads {
            run(game, objective, bits, threads, &dir.path().join("table"));
        }
    }
    probing(dir.path());
}

fn run(game: &str, objective: Objective, bits: u32, threads: usize, dir: &Path) {
    // The clock stops before the old table is removed.
    let _ = std::fs::remove_dir_all(dir);
    let variant: Variant = game.parse().unwrap();
    let options = SolveOptions {
        threads,
        rounded: bits == 16,
        ..SolveOptions::default()
    };
    let start = Instant::now();
    let manifest = solve(&variant, objective, dir, &options, &Silent).unwrap();
    let seconds = start.elapsed().as_secs_f64();
    let states = manifest.states() as f64;
    println!(
        "| {game} | {objective} | {bits} | {threads} | {} | {seconds:.2} | {:.1} | {:.2} | {:.2} |",
        manifest.states(),
        states / seconds / 1e6,
        manifest.bytes() as f64 / states,
        manifest.sections().values as f64 / states,
    );
}

/// Random states of a large table, looked up one at a time on one thread.
fn probing(dir: &Path) {
    let variant: Variant = "3x3-to-512".parse().unwrap();
    let dir = dir.join("probed");
    solve(
        &variant,
        Objective::Win,
        &dir,
        &SolveOptions::default(),
        &Silent,
    )
    .unwrap();
    let table = Table::open(&dir).unwrap();
    let mut rng = Rng::new(1);
    let mut boards: Vec<Board> = Vec::new();
    for entry in table.layers() {
        let sets = table.sets(entry.sum).unwrap().unwrap();
        boards.extend(sets.states.iter().filter(|_| rng.below(64) == 0));
    }
    for i in (1..boards.len()).rev() {
        boards.swap(i, rng.below(i as u32 + 1) as usize);
    }
    println!(
        "\nprobes of 3x3 to 512, {} random states in random order, one thread:",
        boards.len()
    );
    println!("| | microseconds a probe |");
    println!("|---|---:|");
    for name in ["first time, every page checked", "again"] {
        let start = Instant::now();
        for &board in &boards {
            black_box(table.probe(board).unwrap());
        }
        let seconds = start.elapsed().as_secs_f64();
        println!("| {name} | {:.2} |", 1e6 * seconds / boards.len() as f64);
    }
    let start = Instant::now();
    let opened = Table::open(&dir).unwrap();
    black_box(opened.probe(boards[0]).unwrap());
    println!(
        "| opening the table and the first probe | {:.0} |",
        1e6 * start.elapsed().as_secs_f64()
    );
}
