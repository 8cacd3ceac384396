//! How many positions a search looks at, and how fast. `cargo bench -p tilebase-prove`;
//! `-- long` adds 4x4 to 64 and 3x4 up to 4096.

#![allow(clippy::unwrap_used, reason = "a benchmark may fail")]

use std::time::Instant;

use tilebase_prove::{Contest, ProofSearch, ProofSearchOptions, Strategy, check_strategy};
use tilebase_util::progress::Silent;

fn main() {
    let long = std::env::args().any(|argument| argument == "long");
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    println!(
        "| contest | threads | winner | visited | seconds | million/s | strategy | checked in |"
    );
    println!("|---|---:|---|---:|---:|---:|---:|---:|");
    let mut contests = vec![
        "3x3-to-512-drops-2",
        "4x4-to-32-drops-2",
        "3x4-to-64-drops-2",
        "3x4-to-128-drops-2",
        "3x3-to-64-drops-2,4",
    ];
    if long {
        contests.extend([
            "3x4-to-256-drops-2",
            "3x4-to-512-drops-2",
            "3x4-to-1024-drops-2",
            "3x4-to-2048-drops-2",
            "4x4-to-64-drops-2",
            "3x4-to-64-drops-2,4",
            "4x4-to-32-drops-2,4",
            "3x4-to-4096-drops-2",
        ]);
    }
    for contest in contests {
        let contest: Contest = contest.parse().unwrap();
        for threads in [1, cores] {
            if threads == 1 && long && cores > 1 {
                continue;
            }
            measure(&contest, threads);
        }
    }
}

fn measure(contest: &Contest, threads: usize) {
    let options = ProofSearchOptions {
        threads,
        ..ProofSearchOptions::default()
    };
    let start = Instant::now();
    let search = ProofSearch::run(contest, &options, &Silent).unwrap();
    let seconds = start.elapsed().as_secs_f64();
    let visited = search.visited();
    let mut file = Vec::new();
    let strategy = Strategy::of(&search).unwrap();
    strategy.write(&mut file).unwrap();
    drop(search);
    let start = Instant::now();
    let checked = check_strategy(&file[..], &Silent).unwrap();
    println!(
        "| {contest} | {threads} | {} | {visited} | {seconds:.2} | {:.2} | {} | {:.2} |",
        checked.winner,
        visited as f64 / seconds / 1e6,
        checked.positions,
        start.elapsed().as_secs_f64()
    );
}
