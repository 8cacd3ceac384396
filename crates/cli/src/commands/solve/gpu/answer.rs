//! What solving on a GPU found.

use std::fmt::Write;

use serde::Serialize;
use tilebase_game::{Variant, tile_value};
use tilebase_schema::{Category, StartValue};
use tilebase_solve::{GpuAnswer, GpuSolution};
use tilebase_table::{Objective, Value};
use tilebase_util::bytes_text;

use crate::commands::solve::{error_bound, start_value, states_text, verdict};
use crate::output::{game_text, notation, probability};

/// The answer of the command.
#[derive(Serialize)]
pub struct Answer {
    shape: String,
    to: Option<u128>,
    spawn: String,
    start_tiles: u16,
    objective: &'static str,
    discount: f64,
    states: u64,
    lost: u64,
    afterstates: u64,
    /// Without a target every game is lost in the end, which says nothing.
    sure_wins: Option<u64>,
    sure_losses: Option<u64>,
    #[serde(flatten)]
    start: StartValue,
    error_bound: Option<f64>,
    relative_error_bound: f64,
    bits: u64,
    /// There is none: what was asked for is in `positions`.
    table: Option<String>,
    positions: Vec<Position>,
    layers: Vec<Layer>,
    seconds: f64,
    count_seconds: f64,
    backward_seconds: f64,
    checkpoints: usize,
    checkpoint_gpu_bytes: u64,
    checkpoint_host_bytes: u64,
    passes: f64,
    gpu_bytes: u64,
    device: &'static str,
}

#[derive(Serialize)]
struct Layer {
    sum: u32,
    states: u64,
    afterstates: u64,
    sure_wins: u64,
    sure_losses: u64,
}

#[derive(Serialize)]
struct Position {
    board: String,
    tiles: String,
    value: Option<f64>,
    complement: Option<f64>,
    category: Option<&'static str>,
    moves: Vec<MoveAnswer>,
}

#[derive(Serialize)]
struct MoveAnswer {
    #[serde(rename = "move")]
    name: &'static str,
    value: Option<f64>,
    complement: Option<f64>,
    category: Option<&'static str>,
    afterstate: String,
}

impl Answer {
    /// What was found, in so many seconds.
    pub fn new(
        variant: &Variant,
        objective: Objective,
        solution: &GpuSolution,
        seconds: f64,
    ) -> Answer {
        let start = solution.start;
        let aims = variant.target().is_some();
        let sum =
            |of: fn(&tilebase_solve::GpuSolvedLayer) -> u64| solution.layers.iter().map(of).sum();
        let [checkpoint_gpu_bytes, checkpoint_host_bytes] = solution.checkpoint_bytes;
        let position = |answer: &GpuAnswer| Position::new(variant, answer);
        let layers = solution.layers.iter().map(|layer| Layer {
            sum: layer.sum,
            states: layer.states,
            afterstates: layer.afterstates,
            sure_wins: layer.sure_wins,
            sure_losses: layer.sure_losses,
        });
        Answer {
            shape: variant.shape().to_string(),
            to: variant.target().map(tile_value),
            spawn: variant.spawn().to_string(),
            start_tiles: variant.start_tiles(),
            objective: objective.name(),
            discount: objective.discount(),
            states: sum(|layer| layer.states),
            lost: solution.lost,
            afterstates: sum(|layer| layer.afterstates),
            sure_wins: aims.then(|| sum(|layer| layer.sure_wins)),
            sure_losses: aims.then(|| sum(|layer| layer.sure_losses)),
            start: start_value(Some(&start), aims),
            error_bound: error_bound(objective, &start, solution.relative_error_bound),
            relative_error_bound: solution.relative_error_bound,
            bits: 8 * solution.width.bytes(),
            table: None,
            positions: solution.answers.iter().map(position).collect(),
            layers: layers.collect(),
            seconds,
            count_seconds: solution.count_seconds,
            backward_seconds: solution.backward_seconds,
            checkpoints: solution.checkpoints,
            checkpoint_gpu_bytes,
            checkpoint_host_bytes,
            passes: solution.passes,
            gpu_bytes: solution.gpu_bytes,
            device: "cuda",
        }
    }

    /// The same for people.
    pub fn text(&self, objective: Objective) -> String {
        let verdict = verdict(objective, &self.start);
        let mut text = format!("{}: {verdict}\n", game_text(&self.shape, self.to));
        let sure = match self.start.category {
            Some(Category::SureWin) => "; the start is a sure win",
            Some(Category::SureLoss) => "; the start is a sure loss",
            Some(_) => "; the start is no sure win",
            None => "",
        };
        let _ = writeln!(
            text,
            "  values of {} bits, relative error below {:.0e}{sure}",
            self.bits, self.relative_error_bound,
        );
        let sure = self.sure_wins.zip(self.sure_losses);
        text.push_str(&states_text(self.states, sure, self.afterstates));
        let _ = writeln!(
            text,
            "  {:.2} s on the GPU: {:.2} s of counting, {:.2} s of going back over {} checkpoints, each layer made {:.2} times on the way up to others",
            self.seconds, self.count_seconds, self.backward_seconds, self.checkpoints, self.passes
        );
        let _ = writeln!(
            text,
            "  {} of the GPU's memory, and {} there and {} in this machine's for checkpoints",
            bytes_text(self.gpu_bytes),
            bytes_text(self.checkpoint_gpu_bytes),
            bytes_text(self.checkpoint_host_bytes)
        );
        for position in &self.positions {
            let _ = writeln!(text, "{}", position.text());
        }
        text
    }
}

impl Position {
    fn new(variant: &Variant, answer: &GpuAnswer) -> Position {
        let shape = variant.shape();
        let category = |value: Value| variant.target().map(|_| value.category.name());
        let grid = answer.board.unpack(shape);
        let complement = |value: Value| value.win.map(|chance| chance.q());
        let moves = answer.moves.iter().map(|&(m, after, value)| MoveAnswer {
            name: m.name(),
            value: value.value,
            complement: complement(value),
            category: category(value),
            afterstate: notation(&after.unpack(shape)),
        });
        Position {
            board: notation(&grid),
            tiles: grid.to_string(),
            value: answer.value.and_then(|value| value.value),
            complement: answer.value.and_then(complement),
            category: answer.value.and_then(category),
            moves: moves.collect(),
        }
    }

    fn text(&self) -> String {
        let number = |value: Option<f64>, complement: Option<f64>| match (value, complement) {
            (Some(value), Some(complement)) => probability(value, complement),
            (Some(value), None) => format!("{value:.12}"),
            (None, _) => "none".to_owned(),
        };
        if self.value.is_none() {
            return format!("{}: no live position of the game", self.tiles);
        }
        let moves = self.moves.iter();
        let moves: Vec<String> = moves
            .map(|m| format!("{} {}", m.name, number(m.value, m.complement)))
            .collect();
        let value = number(self.value, self.complement);
        format!("{}: {value}; {}", self.tiles, moves.join(", "))
    }
}
