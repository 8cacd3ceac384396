//! `tilebase train`: an n-tuple network by self-play.

mod run;

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use tilebase_network::NTupleNetwork;
use tilebase_network::train::{TrainError, Trainer, TrainingConfig, TrainingState};
use tilebase_schema::{TrainAnswer, TrainingProgress};
use tilebase_util::Device;

use super::network_file;
use crate::arguments::{device_parser, whole};
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{self, grouped};

/// Train an n-tuple network for 4x4 by self-play
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase train --out my.network --games 256 --steps 100000
  tilebase train --out my.network --device cuda --games 16384 --steps 4000000 \\
    --initial-value 320000 --learning-rate 0.1 --tc-after 3000000 --stage-after 600000 \\
    --checkpoint my.checkpoint
  tilebase play 4x4 --player expectimax --network my.network --depth 2 --games 100 --seed 1

Training is TD(0) learning of afterstates. In a step every game makes one move. The same options
give the same weights, bit by bit, on every CPU and GPU, interrupted and resumed from a checkpoint
or not. Ctrl-C ends training and keeps the network. It takes 2.5 GiB of memory, or GPU memory.")]
pub struct Train {
    /// File for the network
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<0>)]
    seed: u64,

    /// Games that run in lockstep
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = games)]
    games: u32,

    /// Moves in each game slot
    #[arg(long, value_name = "N", value_parser = whole::<1>)]
    steps: u64,

    /// Value of boards before any training; a large one makes the player explore (optimistic
    /// initialization)
    #[arg(long, value_name = "POINTS", default_value_t = 0.0)]
    initial_value: f32,

    /// Learning rate for all weights; if not given, each weight has its own (TC learning)
    #[arg(long, value_name = "R", default_value_t = 0.0)]
    learning_rate: f32,

    /// Switch to TC learning after this many steps
    #[arg(long, value_name = "N", value_parser = whole::<0>, requires = "learning_rate")]
    tc_after: Option<u64>,

    /// Start from this network, with both stages
    #[arg(long, value_name = "FILE", conflicts_with = "stage_after")]
    from: Option<PathBuf>,

    /// Give boards with a 16384 weights of their own (a second stage) after this many steps
    #[arg(long, value_name = "N", value_parser = whole::<0>)]
    stage_after: Option<u64>,

    /// Round the weights in the file to multiples of this (quantization)
    #[arg(long, value_name = "POINTS", default_value_t = 1.0)]
    quantum: f32,

    /// Keep the state of training in this file, and resume from it if it exists (1.6 GB)
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Where to train: one core of the CPU, or the first CUDA GPU
    #[arg(long, value_parser = device_parser(), default_value_t)]
    device: Device,
}

fn games(text: &str) -> Result<u32, String> {
    // More would overflow the count of a weight's errors in one step.
    const MAX_GAMES: u32 = 1 << 19;
    match text.parse() {
        Ok(games) if (1..=MAX_GAMES).contains(&games) => Ok(games),
        _ => Err(format!("use a whole number from 1 to {MAX_GAMES}")),
    }
}

impl Train {
    /// Trains, and writes the network.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        self.check()?;
        let start = Instant::now();
        let file = network_file::create(&self.out)?;
        let mut trainer = self.trainer()?;
        let (steps, progress) = self.train(trainer.as_mut())?;
        let network = self.network(trainer.as_mut())?;
        let bytes = network_file::write(&network, file, &self.out)?;
        let seconds = start.elapsed().as_secs_f64();
        let moves = steps * u64::from(self.games);
        let answer = TrainAnswer {
            file: self.out.clone(),
            bytes,
            seed: self.seed,
            games: self.games,
            steps,
            moves,
            device: self.device,
            weights: network.stored(),
            progress,
            moves_per_second: moves as f64 / seconds,
            seconds,
            interrupted: interrupt::asked(),
        };
        output::print(json, &answer, text)?;
        match answer.interrupted {
            true => Err(Failure::Interrupted),
            false => Ok(()),
        }
    }

    fn check(&self) -> Result<(), Failure> {
        let wrong = |what: &str| Err(Failure::request(what));
        if !self.initial_value.is_finite() {
            return wrong("--initial-value must be a number of points, such as 150000");
        }
        if !(0.0..=1.0).contains(&self.learning_rate) {
            return wrong("--learning-rate must be from 0 to 1, such as 0.1");
        }
        network_file::check_quantum(self.quantum)
    }

    fn config(&self) -> TrainingConfig {
        TrainingConfig {
            seed: self.seed,
            games: self.games,
            initial_value: self.initial_value,
            learning_rate: self.learning_rate,
        }
    }

    fn network(&self, trainer: &mut dyn Trainer) -> Result<NTupleNetwork, Failure> {
        let mut network = None;
        let mut make = |state: &mut TrainingState| network = Some(state.network(self.quantum));
        trainer.visit_state(&mut make).map_err(failure)?;
        network
            .transpose()
            .map_err(|error| Failure::Work(error.to_string()))?
            .ok_or_else(|| Failure::Work("the trainer has no network".to_owned()))
    }
}

fn failure(error: TrainError) -> Failure {
    match error {
        TrainError::Gpu(error) => error.into(),
        error => Failure::Work(error.to_string()),
    }
}

fn text(answer: &TrainAnswer) -> String {
    let mut text =
        String::from("       steps    games  mean score   2048   8192  16384    32768\n");
    for entry in &answer.progress {
        text.push_str(&progress_text(entry));
    }
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{} weights in {}, {} bytes; {} moves, {} a second, {:.1} s",
        grouped(answer.weights.into()),
        answer.file.display(),
        grouped(answer.bytes.into()),
        grouped(answer.moves.into()),
        grouped(answer.moves_per_second as u128),
        answer.seconds
    );
    text
}

fn progress_text(entry: &TrainingProgress) -> String {
    format!(
        "{:>12} {:>8} {:>11.0} {:>5.1}% {:>5.1}% {:>5.1}% {:>7.3}%\n",
        grouped(entry.steps.into()),
        grouped(entry.games.into()),
        entry.mean_score.unwrap_or(0.0),
        100.0 * entry.reached_2048,
        100.0 * entry.reached_8192,
        100.0 * entry.reached_16384,
        100.0 * entry.reached_32768,
    )
}
