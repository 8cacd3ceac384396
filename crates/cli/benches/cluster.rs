//! Several processes of this machine against one with as many threads.
//!
//! `cargo bench -p tilebase --bench cluster` takes a few seconds; `-- long` counts 4x4 to 32, in some
//! minutes. Runs take turns, and every time is the best of some, so that ratios hold on a noisy
//! machine. docs/cluster.md explains the figures.

use std::process::{Command, ExitCode};

use serde_json::Value;

/// How many processes, each with one thread.
const PROCESSES: [u64; 3] = [2, 4, 8];

fn main() -> ExitCode {
    let long = std::env::args().any(|argument| argument == "long");
    let (game, times) = match long {
        true => ("4x4 --to 32", 3),
        false => ("4x4 --to 16", 5),
    };
    println!("count {game}");
    println!(
        "| processes, one thread each | seconds | one process with as many | ratio | bytes sent a state | memory of a process | of one | ratio |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|---:|");
    for processes in PROCESSES {
        let [mut best, mut best_alone] = [Value::Null, Value::Null];
        for _ in 0..times {
            for (arguments, best) in [
                (format!("--threads {processes}"), &mut best_alone),
                (format!("--threads 1 --processes {processes}"), &mut best),
            ] {
                match run(&format!("count {game} {arguments} --json")) {
                    Ok(answer) if best.is_null() || seconds(&answer) < seconds(best) => {
                        *best = answer;
                    }
                    Ok(_) => {}
                    Err(what) => {
                        eprintln!("{what}");
                        return ExitCode::FAILURE;
                    }
                }
            }
        }
        print_line(processes, &best, &best_alone);
    }
    ExitCode::SUCCESS
}

fn print_line(processes: u64, answer: &Value, alone: &Value) {
    let reports = answer["processes"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    let of = |name: &'static str| {
        reports
            .iter()
            .filter_map(move |report| report[name].as_u64())
    };
    let sent = of("bytes_sent").sum::<u64>() as f64 / answer["states"].as_f64().unwrap_or(1.0);
    let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    let memory = mib(of("peak_memory_bytes").max().unwrap_or(0));
    let memory_alone = mib(alone["peak_memory_bytes"].as_u64().unwrap_or(0));
    println!(
        "| {processes} | {:.2} | {:.2} | {:.2} | {sent:.2} | {memory:.0} MiB | {memory_alone:.0} MiB | {:.2} |",
        seconds(answer),
        seconds(alone),
        seconds(answer) / seconds(alone),
        memory / memory_alone
    );
}

fn seconds(answer: &Value) -> f64 {
    answer["seconds"].as_f64().unwrap_or(f64::NAN)
}

/// The answer of the program.
fn run(arguments: &str) -> Result<Value, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_tilebase"))
        .args(arguments.split(' '))
        .output()
        .map_err(|error| error.to_string())?;
    serde_json::from_slice(&output.stdout)
        .map_err(|_| String::from_utf8_lossy(&output.stderr).into_owned())
}
