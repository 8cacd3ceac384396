//! `tilebase selftest`: whether this machine, or its GPU, counts, solves and plays correctly.

mod play;
mod values;

use std::fmt::Write;
use std::time::Instant;

use clap::Args;
use tilebase_count::{Count, CountError, CountOptions, CountPlan, count};
use tilebase_game::Variant;
use tilebase_gpu::GpuMemory;
use tilebase_schema::{SelftestAnswer, SelftestGame};
use tilebase_util::Device;

use crate::arguments::device_parser;
use crate::failure::Failure;
use crate::output::{self, grouped};
use crate::progress::ProgressLine;

/// Games of every kind of shape, with one kind of tile and with two, with a target and without,
/// and formations: with and without masks, symmetries, goal cells, walls that are free.
const GAMES: [&str; 26] = [
    "1x4",
    "2x2",
    "2x3",
    "3x2-to-32",
    "2x4-to-64",
    "4x2",
    "3x3-to-64",
    "3x3-to-1024",
    "3x3-to-64-spawn-2:1",
    "3x4-to-16",
    "4x3-to-32",
    "4x4-to-8",
    "4x4-to-16",
    "3x3-to-64-formation-free7",
    "3x4-to-8-formation-free9",
    "4x4-to-16-formation-free6",
    "4x4-to-32-formation-L3",
    "4x4-to-16-formation-442",
    "4x4-to-8-formation-t",
    "4x4-to-8-formation-LL",
    "4x4-to-8-formation-444",
    "4x4-to-8-formation-4431",
    "4x4-to-8-walls-8-keep-fff0ff-goal-ffff0000",
    "4x4-to-8-walls-8-keep-f00f00000000f00f-goal-ffff0000ffff",
    "3x3-to-32-walls-3-keep-fff-goal-ffffffff-spawn-2:1",
    "3x4-to-16-walls-4-keep-ff+ff00-goal-ffff0000",
];
/// Games with more states are counted, but not solved.
const MOST_SOLVED: u64 = 2_000_000;
/// Larger games, for `--long`.
const LONG_GAMES: [&str; 3] = ["3x3", "3x4-to-32", "4x4-to-32"];

/// Count small games in two ways and compare every layer; on a GPU, solve and play too
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase selftest                     layers whole and in parts, on this machine's cores
  tilebase selftest --device cuda       the first CUDA GPU, layers whole and in parts, compared
                                        with this machine's cores
  tilebase selftest --device cuda --long

Exit code 0 means that all numbers agree, 1 that some differ or that no GPU can be used.")]
pub struct Selftest {
    /// What to test
    #[arg(long, value_parser = device_parser(), default_value_t)]
    device: Device,

    /// Count some larger games too, about a minute on two cores
    #[arg(long)]
    long: bool,
}

impl Selftest {
    /// Compares, and prints the result.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        let gpu = match self.device {
            Device::Cpu => None,
            Device::Cuda => Some(GpuMemory::query()?.name),
        };
        let more = if self.long { &LONG_GAMES[..] } else { &[] };
        let games = GAMES.iter().chain(more).map(|name| self.compare(name));
        let games = games.collect::<Result<Vec<_>, _>>()?;
        let play = match self.device {
            Device::Cpu => None,
            Device::Cuda => Some(play::compare()?),
        };
        let same = games.iter().all(|game| game.same);
        let answer = SelftestAnswer {
            device: self.device,
            gpu,
            same: same && play.as_ref().is_none_or(|play| play.same),
            games,
            play,
        };
        output::print(json, &answer, text)?;
        match answer.same {
            true => Ok(()),
            false => Err(Failure::Work(
                "some numbers differ: do not trust results of this machine, and please report it"
                    .to_owned(),
            )),
        }
    }

    fn compare(&self, name: &str) -> Result<SelftestGame, Failure> {
        let variant: Variant = name.parse().map_err(Failure::request)?;
        let (expected, reference_seconds) = timed(&variant, &CountOptions::default())?;
        let plan = CountPlan::sizes(&variant, u64::MAX)?;
        let mut differs_at = None;
        let mut same = true;
        let mut seconds = 0.0;
        for options in self.other_ways(&plan) {
            let (found, taken) = timed(&variant, &options)?;
            seconds += taken;
            // With too little GPU memory, layers must have been split into parts.
            let parts = options
                .gpu_memory
                .is_some_and(|free| free < plan.gpu_bytes());
            same &= expected.layers == found.layers && (!parts || found.in_parts);
            let mut pairs = expected.layers.iter().zip(&found.layers);
            let first = pairs.find(|(a, b)| a != b).map(|(a, _)| a.sum);
            differs_at = differs_at.or(first);
        }
        let values = match self.device {
            Device::Cuda if expected.states() <= MOST_SOLVED => values::compare(&variant)?,
            _ => Vec::new(),
        };
        Ok(SelftestGame {
            variant: name.to_owned(),
            states: expected.states(),
            layers: expected.layers.len(),
            same: same && values.iter().all(|values| values.same),
            differs_at,
            reference_seconds,
            seconds,
            values,
        })
    }

    /// The ways of counting that are compared with whole layers on the processor.
    fn other_ways(&self, plan: &CountPlan) -> Vec<CountOptions> {
        let least = plan.least_bytes();
        match self.device {
            // A little more than the least, for packed layers.
            Device::Cpu => vec![CountOptions {
                memory: least + least / 4,
                ..CountOptions::default()
            }],
            // Whole layers, and parts as small as possible.
            Device::Cuda => [None, Some(plan.gpu_least_bytes())]
                .map(|gpu_memory| CountOptions {
                    device: Device::Cuda,
                    gpu_memory,
                    ..CountOptions::default()
                })
                .to_vec(),
        }
    }
}

fn timed(variant: &Variant, options: &CountOptions) -> Result<(Count, f64), CountError> {
    let start = Instant::now();
    let found = count(variant, options, None, &ProgressLine::new())?;
    Ok((found, start.elapsed().as_secs_f64()))
}

fn text(answer: &SelftestAnswer) -> String {
    let compared = match &answer.gpu {
        Some(gpu) => format!("{gpu} compared with the processor"),
        None => "layers in parts compared with whole layers".to_owned(),
    };
    let mut text = format!("{compared}\n");
    for game in &answer.games {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "  {:<20} {:>13} states in {:>4} layers: {}; {:.2} s and {:.2} s",
            game.variant,
            grouped(game.states.into()),
            game.layers,
            verdict(game),
            game.reference_seconds,
            game.seconds
        );
        if !game.values.is_empty() {
            let compared: usize = game.values.iter().map(|values| values.values).sum();
            let _ = writeln!(
                text,
                "  {:<20} solved in {} ways: {} values compared",
                "",
                game.values.len(),
                grouped(compared as u128)
            );
        }
    }
    if let Some(play) = &answer.play {
        text.push_str(&play::text(play));
    }
    text
}

fn verdict(game: &SelftestGame) -> String {
    match game.differs_at {
        _ if game.same => "the same".to_owned(),
        Some(sum) => format!("DIFFERENT from sum {sum} on"),
        None if game.values.iter().any(|values| !values.same) => {
            "DIFFERENT in its values".to_owned()
        }
        None => "DIFFERENT in the number of layers".to_owned(),
    }
}
