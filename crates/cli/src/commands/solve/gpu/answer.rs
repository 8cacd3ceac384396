//! The answer of solving on a GPU.

use std::fmt::Write;

use tilebase_game::{Variant, tile_value};
use tilebase_schema::{
    Category, Device, GpuMove, GpuPosition, GpuSolveAnswer, GpuSolveLayer, Walls,
};
use tilebase_solve::{GpuAnswer, GpuSolution, GpuSolvedLayer};
use tilebase_table::{Objective, Value};
use tilebase_util::bytes_text;

use crate::commands::solve::{error_bound, start_value, states_text, verdict};
use crate::output::{game_text, notation, probability};

/// The answer for a solution that took some seconds.
pub fn answer(
    variant: &Variant,
    objective: Objective,
    solution: &GpuSolution,
    seconds: f64,
) -> GpuSolveAnswer {
    let start = solution.start;
    let has_target = variant.target().is_some();
    let sum = |of: fn(&GpuSolvedLayer) -> u64| solution.layers.iter().map(of).sum();
    let [checkpoint_gpu_bytes, checkpoint_host_bytes] = solution.checkpoint_bytes;
    let positions = solution.answers.iter();
    GpuSolveAnswer {
        shape: variant.shape().to_string(),
        to: variant.target().map(tile_value),
        spawn: variant.spawn().to_string(),
        start_tiles: variant.start_tiles(),
        walls: Walls::of(variant),
        objective: objective.name(),
        discount: objective.discount(),
        states: sum(|layer| layer.states),
        lost: solution.lost,
        afterstates: sum(|layer| layer.afterstates),
        // Without a target every game is lost in the end, so nothing is sure but that.
        sure_wins: has_target.then(|| sum(|layer| layer.sure_wins)),
        sure_losses: has_target.then(|| sum(|layer| layer.sure_losses)),
        start: start_value(Some(&start), has_target),
        error_bound: error_bound(objective, &start, solution.relative_error_bound),
        relative_error_bound: solution.relative_error_bound,
        bits: 8 * solution.width.bytes(),
        table: None,
        positions: positions.map(|answer| position(variant, answer)).collect(),
        layers: solution.layers.iter().map(layer).collect(),
        seconds,
        count_seconds: solution.count_seconds,
        backward_seconds: solution.backward_seconds,
        checkpoints: solution.checkpoints,
        checkpoint_gpu_bytes,
        checkpoint_host_bytes,
        passes: solution.passes,
        gpu_bytes: solution.gpu_bytes,
        device: Device::Cuda,
    }
}

fn layer(layer: &GpuSolvedLayer) -> GpuSolveLayer {
    GpuSolveLayer {
        sum: layer.sum,
        states: layer.states,
        afterstates: layer.afterstates,
        sure_wins: layer.sure_wins,
        sure_losses: layer.sure_losses,
    }
}

fn position(variant: &Variant, answer: &GpuAnswer) -> GpuPosition {
    let shape = variant.shape();
    let category = |value: Value| variant.target().map(|_| value.category.into());
    let grid = answer.board.unpack(shape);
    let complement = |value: Value| value.win.map(|chance| chance.q());
    let moves = answer.moves.iter().map(|&(m, after, value)| GpuMove {
        direction: m.into(),
        value: value.value,
        complement: complement(value),
        category: category(value),
        afterstate: notation(&after.unpack(shape)),
    });
    GpuPosition {
        board: notation(&grid),
        tiles: variant.tiles_text(&grid),
        value: answer.value.and_then(|value| value.value),
        complement: answer.value.and_then(complement),
        category: answer.value.and_then(category),
        moves: moves.collect(),
    }
}

/// The answer as text.
pub fn text(answer: &GpuSolveAnswer, objective: Objective) -> String {
    let verdict = verdict(objective, &answer.start);
    let mut text = format!(
        "{}: {verdict}\n",
        game_text(&answer.shape, answer.to, &answer.walls)
    );
    let sure = match answer.start.category {
        Some(Category::SureWin) => "; the start is a sure win",
        Some(Category::SureLoss) => "; the start is a sure loss",
        Some(_) => "; the start is not a sure win",
        None => "",
    };
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "  values of {} bits, relative error below {:.0e}{sure}",
        answer.bits, answer.relative_error_bound,
    );
    let sure = answer.sure_wins.zip(answer.sure_losses);
    text.push_str(&states_text(answer.states, sure, answer.afterstates));
    let _ = writeln!(
        text,
        "  {:.2} s on the GPU: {:.2} s for the first way up, {:.2} s for the backward pass with {} checkpoints; each layer was made {:.2} times on the way up to others",
        answer.seconds,
        answer.count_seconds,
        answer.backward_seconds,
        answer.checkpoints,
        answer.passes
    );
    let _ = writeln!(
        text,
        "  {} of GPU memory; checkpoints: {} on the GPU, {} in this machine's memory",
        bytes_text(answer.gpu_bytes),
        bytes_text(answer.checkpoint_gpu_bytes),
        bytes_text(answer.checkpoint_host_bytes)
    );
    for position in &answer.positions {
        let _ = writeln!(text, "{}", position_text(position));
    }
    text
}

fn position_text(position: &GpuPosition) -> String {
    let number = |value: Option<f64>, complement: Option<f64>| match (value, complement) {
        (Some(value), Some(complement)) => probability(value, complement),
        (Some(value), None) => format!("{value:.12}"),
        (None, _) => "none".to_owned(),
    };
    if position.value.is_none() {
        return format!("{}: not a live position of the game", position.tiles);
    }
    let moves = position.moves.iter();
    let moves: Vec<String> = moves
        .map(|m| format!("{} {}", m.direction, number(m.value, m.complement)))
        .collect();
    let value = number(position.value, position.complement);
    format!("{}: {value}; {}", position.tiles, moves.join(", "))
}
