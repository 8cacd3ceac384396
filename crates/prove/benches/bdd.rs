//! How contests are decided by each way, beside the published figures. `cargo bench -p
//! tilebase-symbolic`; `-- long` adds 3x3 to 512 and 4x4 to 32. An argument such as `3x3:6`
//! benches that contest alone.

#![allow(clippy::unwrap_used, reason = "a benchmark may fail")]

use tilebase_prove::bdd::{BddOptions, CellEncoding, CellOrder, Sweep, WinningSide, solve};
use tilebase_prove::{Contest, DropTiles};
use tilebase_util::progress::Silent;

/// Run time in seconds, nodes of the largest diagram and megabytes of the final table on
/// 16 threads, from tables 2 and 3 of the thesis.
const PUBLISHED: [(&str, &str, u32, u64, u32); 4] = [
    ("3x3 to 512", "accumulative", 295, 11_445_847, 49_152),
    ("3x3 to 512", "sweep", 176, 5_043_195, 24_576),
    ("4x4 to 16", "accumulative", 17, 10_346_719, 6_144),
    ("4x4 to 16", "sweep", 8, 3_555_795, 3_072),
];

/// Nodes, states and bytes a state, from table 4 of the thesis.
const PUBLISHED_RATES: [(&str, &str, &str, &str, &str); 4] = [
    ("3x3 to 512", "all in the end", "1.1e7", "3.6e8", "0.749"),
    ("3x3 to 512", "(8,2)", "1.1e6", "3.6e7", "0.746"),
    ("3x3 to 512", "(8,1)", "4.4e6", "4.5e7", "2.371"),
    ("3x3 to 512", "(7,2)", "1.5e6", "1.2e7", "2.929"),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    println!("published, 16 threads:");
    println!("| contest | approach | seconds | largest diagram | table, MB |");
    println!("|---|---|---:|---:|---:|");
    for (contest, approach, seconds, nodes, megabytes) in PUBLISHED {
        println!("| {contest} | {approach} | {seconds} | {nodes} | {megabytes} |");
    }
    println!("\n| contest | when | nodes | states | bytes a state |");
    println!("|---|---|---:|---:|---:|");
    for (contest, when, nodes, states, bytes) in PUBLISHED_RATES {
        println!("| {contest} | {when} | {nodes} | {states} | {bytes} |");
    }
    println!("\nhere, 2 threads:");
    println!(
        "| contest | encoding | order | sweep | side | winner | lines | steps | largest diagram \
         | states | bytes a state | peak nodes | seconds |"
    );
    println!("|---|---|---|---|---|---|---:|---:|---:|---:|---:|---:|---:|");
    let named: Vec<(&str, u8)> = arguments
        .iter()
        .filter_map(|argument| argument.split_once(':'))
        .map(|(shape, target)| (shape, target.parse().unwrap()))
        .collect();
    let contests = if named.is_empty() {
        vec![("3x3", 5), ("4x4", 4)]
    } else {
        named
    };
    for (shape, target) in contests {
        for options in ways() {
            run(shape, target, &options);
        }
    }
    if arguments.iter().any(|argument| argument == "long") {
        let options = BddOptions {
            threads: 2,
            memory: 8 << 30,
            ..BddOptions::default()
        };
        run("3x3", 9, &options);
        let strong = BddOptions {
            strong: true,
            ..options
        };
        run("4x4", 5, &strong);
    }
}

/// The default, and each choice changed alone.
fn ways() -> Vec<BddOptions> {
    let base = BddOptions {
        threads: 2,
        strong: true,
        ..BddOptions::default()
    };
    let mut ways = vec![base];
    ways.extend(
        WinningSide::ALL[1..]
            .iter()
            .map(|&side| BddOptions { side, ..base }),
    );
    ways.extend(
        Sweep::ALL[1..]
            .iter()
            .map(|&sweep| BddOptions { sweep, ..base }),
    );
    ways.extend(
        CellEncoding::ALL[1..]
            .iter()
            .map(|&encoding| BddOptions { encoding, ..base }),
    );
    ways.extend(
        CellOrder::ALL[1..]
            .iter()
            .map(|&order| BddOptions { order, ..base }),
    );
    ways.push(BddOptions {
        constrain: true,
        ..base
    });
    ways
}

fn run(shape: &str, target: u8, options: &BddOptions) {
    let contest = Contest::new(shape.parse().unwrap(), target, DropTiles::Twos).unwrap();
    let report = solve(&contest, options, &Silent).unwrap();
    println!(
        "| {shape} to {}{} | {} | {} | {} | {} | {} | {} | {} | {} | {:.3e} | {:.3e} | {} | {:.2} |",
        1u32 << target,
        if options.constrain {
            ", constrained"
        } else {
            ""
        },
        report.encoding,
        report.order,
        report.sweep,
        report.side,
        report.winner,
        report.lines,
        report.iterations,
        report.largest_nodes,
        report.states as f64,
        report.bytes_per_state.unwrap_or(0.0),
        report.peak_nodes,
        report.seconds,
    );
}
