//! `tilebase selftest`: whether this machine, or its GPU, counts as it should.

mod values;

use std::fmt::Write;
use std::time::Instant;

use clap::Args;
use serde::Serialize;
use tilebase_count::{Count, CountError, CountOptions, CountPlan, count};
use tilebase_game::Variant;
use tilebase_gpu::GpuMemory;
use tilebase_util::Device;

use crate::arguments::device_parser;
use crate::failure::Failure;
use crate::output::{self, grouped};
use crate::progress::ProgressLine;
use values::ValuesAnswer;

/// Games of every kind of shape, with both tiles and with one, with a target and without.
const GAMES: [&str; 13] = [
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
];
/// Games with more states are counted only.
const MOST_SOLVED: u64 = 2_000_000;
/// Games for those who have a minute.
const LONG_GAMES: [&str; 3] = ["3x3", "3x4-to-32", "4x4-to-32"];

/// Count small games in two ways and compare every layer; on a GPU, solve them too
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase selftest                     layers whole and in parts, on this machine's cores
  tilebase selftest --device cuda       the first CUDA GPU, layers whole and in parts, against
                                        this machine's cores
  tilebase selftest --device cuda --long

Exit code 0 says that all numbers are the same, 1 that some are not or that there is no GPU.")]
pub struct Selftest {
    /// What to test
    #[arg(long, value_parser = device_parser(), default_value_t)]
    device: Device,

    /// Count some larger games too, about a minute on two cores
    #[arg(long)]
    long: bool,
}

#[derive(Serialize)]
struct GameAnswer {
    variant: String,
    states: u64,
    layers: usize,
    same: bool,
    /// The first layer that differs.
    differs_at: Option<u32>,
    reference_seconds: f64,
    seconds: f64,
    /// The game solved on the GPU, against the processor.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<ValuesAnswer>,
}

#[derive(Serialize)]
struct Answer {
    device: &'static str,
    gpu: Option<String>,
    games: Vec<GameAnswer>,
    same: bool,
}

impl Selftest {
    /// Compares, and prints what was found.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        let gpu = match self.device {
            Device::Cpu => None,
            Device::Cuda => Some(GpuMemory::query()?.name),
        };
        let more = if self.long { &LONG_GAMES[..] } else { &[] };
        let games = GAMES.iter().chain(more).map(|name| self.compare(name));
        let games = games.collect::<Result<Vec<_>, _>>()?;
        let answer = Answer {
            device: self.device.name(),
            gpu,
            same: games.iter().all(|game| game.same),
            games,
        };
        output::print(json, &answer, Answer::text)?;
        match answer.same {
            true => Ok(()),
            false => Err(Failure::Work(
                "some layers differ: do not trust what is counted here, and please tell us"
                    .to_owned(),
            )),
        }
    }

    fn compare(&self, name: &str) -> Result<GameAnswer, Failure> {
        let variant: Variant = name.parse().map_err(Failure::request)?;
        let (expected, reference_seconds) = timed(&variant, &CountOptions::default())?;
        let plan = CountPlan::sizes(&variant, u64::MAX)?;
        let least = plan.least_bytes();
        let others = match self.device {
            // A little more than the least, for what is packed.
            Device::Cpu => vec![CountOptions {
                memory: least + least / 4,
                ..CountOptions::default()
            }],
            // Whole layers, and parts as small as can be.
            Device::Cuda => [None, Some(plan.gpu_least_bytes())]
                .map(|gpu_memory| CountOptions {
                    device: Device::Cuda,
                    gpu_memory,
                    ..CountOptions::default()
                })
                .to_vec(),
        };
        let mut differs = None;
        let mut same = true;
        let mut seconds = 0.0;
        for other in &others {
            let (found, taken) = timed(&variant, other)?;
            seconds += taken;
            // Where parts are asked for and make a difference, there must be parts.
            let parts = other.gpu_memory.is_some_and(|free| free < plan.gpu_bytes());
            same &= expected.layers == found.layers && (!parts || found.in_parts);
            let mut pairs = expected.layers.iter().zip(&found.layers);
            let first = pairs.find(|(a, b)| a != b).map(|(a, _)| a.sum);
            differs = differs.or(first);
        }
        let values = match self.device {
            Device::Cuda if expected.states() <= MOST_SOLVED => values::compare(&variant)?,
            _ => Vec::new(),
        };
        Ok(GameAnswer {
            variant: name.to_owned(),
            states: expected.states(),
            layers: expected.layers.len(),
            same: same && values.iter().all(|values| values.same),
            differs_at: differs,
            reference_seconds,
            seconds,
            values,
        })
    }
}

fn timed(variant: &Variant, options: &CountOptions) -> Result<(Count, f64), CountError> {
    let start = Instant::now();
    let found = count(variant, options, None, &ProgressLine::new())?;
    Ok((found, start.elapsed().as_secs_f64()))
}

impl Answer {
    fn text(&self) -> String {
        let what = match &self.gpu {
            Some(gpu) => format!("{gpu} against the processor"),
            None => "layers in parts against whole layers".to_owned(),
        };
        let mut text = format!("{what}\n");
        for game in &self.games {
            let verdict = match game.differs_at {
                _ if game.same => "the same".to_owned(),
                Some(sum) => format!("DIFFERENT from sum {sum} on"),
                None if game.values.iter().any(|values| !values.same) => {
                    "DIFFERENT in its values".to_owned()
                }
                None => "DIFFERENT in the number of layers".to_owned(),
            };
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "  {:<20} {:>13} states in {:>4} layers: {verdict}; {:.2} s and {:.2} s",
                game.variant,
                grouped(game.states.into()),
                game.layers,
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
        text
    }
}
