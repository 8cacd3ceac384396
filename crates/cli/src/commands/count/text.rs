//! The answers of `count` as text.

use std::fmt::Write;

use tilebase_schema::{CountAnswer, CountBounds, CountDryRun, CountGpuNeed, UncountableGame};
use tilebase_util::{Device, bytes_text};

use crate::cluster::reports_text;
use crate::output::{game_text, gpu_text, grouped, time_text};

// Writing to a string cannot fail, so the results of `writeln!` are ignored.

/// A finished count.
pub fn count(answer: &CountAnswer) -> String {
    let game = game_text(&answer.shape, answer.to, &answer.walls);
    let mut text = format!(
        "{game}: {} live states, {} lost, {} afterstates\n",
        grouped(answer.states.into()),
        grouped(answer.lost.into()),
        grouped(answer.afterstates.into()),
    );
    let layers = &answer.layers;
    let largest = layers.iter().max_by_key(|layer| layer.states);
    if let (Some(first), Some(last), Some(largest)) = (layers.first(), layers.last(), largest) {
        let _ = writeln!(
            text,
            "  {} layers, tile sums {} to {}; most states, {}, at sum {}",
            layers.len(),
            first.sum,
            last.sum,
            grouped(largest.states.into()),
            largest.sum
        );
    }
    text.extend(answer.bounds.as_ref().map(bounds));
    if let (Some(dir), Some(bytes), Some(bits)) = (&answer.dir, answer.bytes, answer.bits_per_state)
    {
        let _ = writeln!(
            text,
            "  states kept in {}: {}, {bits:.2} bits a state",
            dir.display(),
            bytes_text(bytes)
        );
    }
    if layers.iter().any(|layer| layer.by_largest.is_some()) {
        text.push_str(&by_largest(answer));
    }
    text.push_str(&machine(answer));
    text
}

/// How long it took, and on what.
fn machine(answer: &CountAnswer) -> String {
    let device = match (answer.device, answer.pass_seconds) {
        (Device::Cpu, _) if answer.threads == 1 => "1 thread".to_owned(),
        (Device::Cpu, _) => format!("{} threads", answer.threads),
        (Device::Cuda, Some(seconds)) => format!("a GPU, {seconds:.2} s of them in passes"),
        (Device::Cuda, None) => "a GPU".to_owned(),
    };
    let peak = answer
        .peak_memory_bytes
        .map_or(String::new(), |bytes| format!(", {}", bytes_text(bytes)));
    let parts = if answer.in_parts {
        ", layers in parts"
    } else {
        ""
    };
    match &answer.processes {
        None => format!("  {:.2} s on {device}{peak}{parts}\n", answer.seconds),
        Some(reports) => format!(
            "  {:.2} s by {} processes, this one on {device}\n{}",
            answer.seconds,
            reports.len(),
            reports_text(reports)
        ),
    }
}

/// A table of the states by sum and largest tile.
fn by_largest(answer: &CountAnswer) -> String {
    let mut text = format!(
        "  {:>6}  {:>8}  {:>16}  {:>14}\n",
        "sum", "largest", "states", "lost"
    );
    for layer in &answer.layers {
        for tile in layer.by_largest.iter().flatten() {
            let _ = writeln!(
                text,
                "  {:>6}  {:>8}  {:>16}  {:>14}",
                layer.sum,
                tile.largest,
                grouped(tile.states.into()),
                grouped(tile.lost.into())
            );
        }
    }
    text
}

/// The memory that a count would need: of one process, or of each of several.
fn memory_plan(answer: &CountDryRun) -> String {
    let whole = bytes_text(answer.whole_bytes);
    let allowed = bytes_text(answer.memory_bytes);
    let Some(bytes) = &answer.process_bytes else {
        let least = bytes_text(answer.least_bytes);
        let verdict = match (answer.fits, answer.in_parts) {
            (false, _) => format!("too little: at least {least}"),
            (_, true) => "enough to count in parts".to_owned(),
            (_, false) => "enough for whole layers".to_owned(),
        };
        return format!(
            "  memory: {whole} for whole layers, at least {least} in parts; allowed {allowed}: {verdict}\n"
        );
    };
    format!(
        "  memory: {} for each of {} processes at most, {} in all, {whole} for one alone; allowed {allowed} each: {}\n",
        bytes_text(bytes.iter().max().copied().unwrap_or(0)),
        bytes.len(),
        bytes_text(bytes.iter().sum()),
        if answer.fits { "enough" } else { "too little" }
    )
}

/// What a count would need.
pub fn plan(answer: &CountDryRun) -> String {
    let game = game_text(&answer.shape, answer.to, &answer.walls);
    let mut text = format!(
        "{game}: up to {} layers, the largest {}; tables {}\n{}\
         \x20 with --dir about {} on disk; about {} (both are rough)\n",
        grouped(answer.layers.into()),
        bytes_text(answer.largest_layer_bytes),
        bytes_text(answer.table_bytes),
        memory_plan(answer),
        bytes_text(answer.disk_bytes_estimate),
        time_text(answer.seconds_estimate),
    );
    text.extend(answer.gpu.as_ref().map(gpu_plan));
    text.extend(answer.bounds.as_ref().map(bounds));
    text
}

fn gpu_plan(answer: &CountGpuNeed) -> String {
    let gpu = answer.name.as_deref().zip(answer.free_bytes);
    let verdict = gpu_text(gpu, answer.fits, answer.missing.as_deref());
    let parts = match answer.in_parts {
        true => format!(
            " in parts, with {} of this machine's memory",
            bytes_text(answer.host_bytes)
        ),
        false => String::new(),
    };
    format!(
        "  GPU: {} of its memory for whole layers, at least {} in parts; about {} on an H200{parts} (rough); {verdict}\n",
        bytes_text(answer.needed_bytes),
        bytes_text(answer.least_bytes),
        time_text(answer.seconds_estimate)
    )
}

/// A game that cannot be counted.
pub fn uncountable(answer: &UncountableGame) -> String {
    let game = game_text(&answer.shape, answer.to, &answer.walls);
    format!(
        "{game}: cannot be counted\n  {}\n{}",
        answer.reason,
        bounds(&answer.bounds)
    )
}

fn bounds(answer: &CountBounds) -> String {
    format!(
        "  upper bounds: {} (baseline), {} (layer reachability); largest possible tile {}\n",
        grouped(answer.baseline),
        grouped(answer.layer_reachability),
        answer.largest_tile
    )
}
