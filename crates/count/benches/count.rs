//! Speed of counting, with what a state costs.
//!
//! `cargo bench -p tilebase-count` takes a few seconds; `-- long` adds 4x4 to 32, about a
//! minute. docs/benchmarks.md says what bounds the figures.

use std::time::Instant;

use tilebase_count::{Count, CountOptions, CountPlan, count};
use tilebase_game::Variant;
use tilebase_util::progress::Silent;

fn main() {
    let long = std::env::args().any(|argument| argument == "long");
    println!(
        "| game | threads | live states | seconds | million states/s | bits looked at per state |"
    );
    println!("|---|---:|---:|---:|---:|---:|");
    let one = run("4x4-to-16", 1, 5);
    let two = run("4x4-to-16", 2, 5);
    run("3x3-to-1024", 1, 3);
    run("3x3-to-1024", 2, 3);
    run("3x4-to-32", 1, 1);
    run("3x4-to-32", 2, 1);
    let (one, two) = if long {
        (run("4x4-to-32", 1, 1), run("4x4-to-32", 2, 1))
    } else {
        (one, two)
    };
    println!(
        "\ntwo threads against one on the largest game: {:.2} times",
        one / two
    );
}

/// Counts a game some times; prints and returns the best time.
fn run(name: &str, threads: usize, times: usize) -> f64 {
    let Ok(variant) = name.parse::<Variant>() else {
        return f64::NAN;
    };
    let options = CountOptions {
        threads,
        device: tilebase_util::Device::Cpu,
        by_largest: false,
        ..CountOptions::default()
    };
    let mut best = f64::INFINITY;
    let mut states = 0;
    for _ in 0..times {
        let start = Instant::now();
        let found = count(&variant, &options, None, &Silent);
        best = best.min(start.elapsed().as_secs_f64());
        states = found.as_ref().map_or(0, Count::states);
    }
    let bits = CountPlan::new(&variant, u64::MAX).map_or(0, |plan| 8 * plan.total_bytes);
    println!(
        "| {name} | {threads} | {states} | {best:.2} | {:.1} | {:.0} |",
        states as f64 / best / 1e6,
        bits as f64 / states as f64
    );
    best
}
