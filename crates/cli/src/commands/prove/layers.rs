//! `prove` by layers.

use serde::Serialize;
use tilebase_game::{Variant, tile_value};
use tilebase_prove::{
    Contest, LayerResult, LayersError, LayersOptions, LayersReport, Winner, solve_layers,
};
use tilebase_solve::{GpuOptions, Width, solve_on_gpu};
use tilebase_table::Objective;
use tilebase_util::{Device, bytes_text};

use super::{Prove, sentence};
use crate::commands::solve;
use crate::failure::Failure;
use crate::memory;
use crate::output::{self, grouped};
use crate::progress::ProgressLine;

#[derive(Serialize)]
struct LayerAnswer {
    sum: u32,
    states: u64,
    winning: u64,
    afterstates: u64,
    winning_afterstates: u64,
}

#[derive(Serialize)]
struct Answer {
    shape: String,
    to: u128,
    drops: String,
    winner: String,
    engine: &'static str,
    /// All live states are visited.
    visited: u64,
    winning: u64,
    lost: u64,
    afterstates: u64,
    winning_afterstates: u64,
    layers: Vec<LayerAnswer>,
    count_seconds: f64,
    seconds: f64,
    device: &'static str,
    threads: usize,
    peak_memory_bytes: Option<u64>,
    #[serde(skip)]
    sentence: String,
}

/// Solves by layers, and prints what was found.
pub fn run(prove: &Prove, contest: &Contest, json: bool) -> Result<(), Failure> {
    let options = LayersOptions {
        threads: prove.machine.threads.number(),
        memory: prove.machine.memory.bytes(),
        dir: prove.dir.clone(),
    };
    if let (Device::Cuda, Some(_)) = (prove.machine.device, &prove.dir) {
        return Err(Failure::request(
            "a GPU keeps no layers: leave --dir out, or use --device cpu",
        ));
    }
    let report = match prove.machine.device {
        Device::Cuda if contest.target() <= contest.largest_exponent() => {
            on_gpu(contest, &options)?
        }
        _ => solve_layers(contest, &options, &ProgressLine::new()).map_err(failure)?,
    };
    let layers = report.layers.iter().map(|layer| LayerAnswer {
        sum: layer.sum,
        states: layer.states,
        winning: layer.winning,
        afterstates: layer.afterstates,
        winning_afterstates: layer.winning_afterstates,
    });
    let answer = Answer {
        shape: contest.shape().to_string(),
        to: tile_value(contest.target()),
        drops: contest.drops().to_string(),
        winner: report.winner.to_string(),
        engine: "layers",
        visited: report.states(),
        winning: report.winning(),
        lost: report.lost,
        afterstates: report.afterstates(),
        winning_afterstates: report.winning_afterstates(),
        layers: layers.collect(),
        count_seconds: report.count_seconds,
        seconds: report.seconds(),
        device: prove.machine.device.name(),
        threads: options.threads,
        peak_memory_bytes: memory::peak(),
        sentence: sentence(report.winner, contest),
    };
    output::print(json, &answer, Answer::text)
}

/// Who wins, by the first GPU: Slider wins what is a sure win of the game against chance.
fn on_gpu(contest: &Contest, options: &LayersOptions) -> Result<LayersReport, Failure> {
    let (shape, target) = (contest.shape(), contest.target());
    let variant = Variant::new(shape, Some(target), contest.drops().spawn(), 1)
        .map_err(|_| failure(LayersError::Target(target)))?;
    let options = GpuOptions {
        width: Some(Width::Bits32),
        memory: options.memory,
        ..GpuOptions::default()
    };
    let solution = solve_on_gpu(&variant, Objective::Win, &options, &ProgressLine::new())
        .map_err(solve::failure)?;
    let layers = solution.layers.iter().map(|layer| LayerResult {
        sum: layer.sum,
        states: layer.states,
        winning: layer.sure_wins,
        afterstates: layer.afterstates,
        winning_afterstates: layer.sure_afterstates,
    });
    Ok(LayersReport {
        winner: match solution.start.sure_win {
            true => Winner::Slider,
            false => Winner::Dropper,
        },
        lost: solution.lost,
        layers: layers.collect(),
        count_seconds: solution.count_seconds,
        backward_seconds: solution.backward_seconds,
    })
}

fn failure(error: LayersError) -> Failure {
    match error {
        LayersError::Interrupted => Failure::Interrupted,
        LayersError::Directory { disk } => Failure::Request(format!(
            "the layers are too large to be kept in memory: add --dir DIR, with about {} of room",
            bytes_text(disk)
        )),
        error if error.is_request() => Failure::request(error),
        error => Failure::Work(error.to_string()),
    }
}

impl Answer {
    fn text(&self) -> String {
        let peak = self
            .peak_memory_bytes
            .map_or(String::new(), |bytes| format!(", {}", bytes_text(bytes)));
        format!(
            "{}  {} of {} live states are won, {} of {} afterstates; {} states are lost at once\n  \
             {:.2} s on {} ({:.2} s of it to count){peak}\n",
            self.sentence,
            grouped(self.winning.into()),
            grouped(self.visited.into()),
            grouped(self.winning_afterstates.into()),
            grouped(self.afterstates.into()),
            grouped(self.lost.into()),
            self.seconds,
            match self.device {
                "cuda" => "a GPU".to_owned(),
                _ => format!("{} threads", self.threads),
            },
            self.count_seconds
        )
    }
}
