//! Plans beside the published figures, how far they are from the bound, and how fast positions
//! are expanded. `cargo bench -p tilebase-plan`; `-- long` adds proofs and games of some minutes.

#![allow(clippy::unwrap_used, reason = "a benchmark may fail")]

use std::time::Instant;

use tilebase_game::{Spawn, tile_value};
use tilebase_plan::{
    COMPARISON_WIDTH, Heuristic, PlanOptions, PlanStart, PlanTask, SearchLimits, SearchMethod,
    SpawnRule, compare, guarantee, plan,
};
use tilebase_util::progress::Silent;

fn main() {
    let long = std::env::args().any(|argument| argument == "long");
    comparison();
    quality(long);
    adversary(long);
}

/// Every published figure.
fn comparison() {
    println!(
        "| board | to | heuristic | slides | seconds | published | seconds | times as fast | kept |"
    );
    println!("|---|---:|---|---:|---:|---:|---:|---:|---|");
    let rows = compare(COMPARISON_WIDTH, &Silent).unwrap().unwrap();
    let mut kept = 0;
    let mut all = 0;
    for row in &rows {
        let (Some(published), Some(keeps_up)) = (row.published, row.keeps_up()) else {
            continue;
        };
        all += 1;
        kept += u32::from(keeps_up);
        println!(
            "| {} | {} | {} | {} | {:.5} | {} | {:.2} | {:.0} | {} |",
            row.task.shape(),
            tile_value(row.task.goal()),
            row.heuristic,
            row.outcome.plan.steps(),
            row.seconds,
            published.steps.map_or(String::new(), |n| n.to_string()),
            published.seconds,
            row.faster().unwrap(),
            if keeps_up { "yes" } else { "NO" }
        );
    }
    println!("\n{kept} of {all}: no more slides, in at most a fiftieth of the time\n");
}

fn task(shape: &str, exponent: u8, rule: SpawnRule) -> PlanTask {
    let shape = shape.parse().unwrap();
    PlanTask::new(shape, exponent, PlanStart::Tiles(2), Spawn::TWOS, rule, 0).unwrap()
}

/// Our own searches: how close to the bound, how fast, how small.
fn quality(long: bool) {
    println!(
        "| board | to | rule | search | slides | at least | seconds | expanded | million/s | \
         stored | bytes each |"
    );
    println!("|---|---:|---|---|---:|---:|---:|---:|---:|---:|---:|");
    let beam = PlanOptions::default();
    let astar = PlanOptions {
        method: SearchMethod::AStar,
        heuristic: Heuristic::Merge,
        ..beam
    };
    let mut runs = vec![
        (task("4x4", 11, SpawnRule::First), beam),
        (task("4x4", 11, SpawnRule::Random), beam),
        (task("4x4", 11, SpawnRule::Best), beam),
        (task("4x4", 10, SpawnRule::First), astar),
        (task("8x8", 11, SpawnRule::First), beam),
        (task("16x16", 11, SpawnRule::First), beam),
        (task("32x32", 11, SpawnRule::First), beam),
        (task("32x32", 10, SpawnRule::First), astar),
        (task("3x3", 9, SpawnRule::First), beam),
        (task("3x3", 9, SpawnRule::Best), beam),
        (task("4x4", 16, SpawnRule::First), beam),
    ];
    if long {
        let breadth = PlanOptions {
            method: SearchMethod::Breadth,
            ..beam
        };
        runs.push((task("4x4", 11, SpawnRule::First), astar));
        runs.push((task("3x3", 9, SpawnRule::First), breadth));
        runs.push((task("4x4", 15, SpawnRule::Best), beam));
        runs.push((task("5x5", 20, SpawnRule::First), beam));
    }
    for (task, options) in runs {
        let start = Instant::now();
        let outcome = plan(&task, &options, &Silent);
        let seconds = start.elapsed().as_secs_f64();
        outcome.plan.replay(&task).unwrap();
        let work = outcome.work;
        println!(
            "| {} | {} | {} | {} | {} | {} | {seconds:.4} | {} | {:.2} | {} | {:.1} |",
            task.shape(),
            tile_value(task.goal()),
            task.rule(),
            options.method,
            outcome.plan.steps(),
            outcome.lower_bound,
            work.expanded,
            work.expanded as f64 / seconds / 1e6,
            work.stored,
            work.bytes_per_node()
        );
    }
    println!();
}

/// The fewest slides within which a tile can be forced.
fn adversary(long: bool) {
    println!("| board | to | forced within | at least | seconds | expanded |");
    println!("|---|---:|---:|---:|---:|---:|");
    let mut games = vec![("2x3", 6), ("3x3", 5), ("3x3", 6), ("3x3", 9), ("4x4", 4)];
    if long {
        games.push(("4x4", 5));
    }
    for (shape, exponent) in games {
        let task = task(shape, exponent, SpawnRule::Worst);
        let start = Instant::now();
        let outcome = guarantee(&task, SearchLimits::default(), &Silent).unwrap();
        println!(
            "| {} | {} | {} | {} | {:.2} | {} |",
            task.shape(),
            tile_value(task.goal()),
            outcome.plan.steps(),
            task.lower_bound(),
            start.elapsed().as_secs_f64(),
            outcome.work.expanded
        );
    }
}
