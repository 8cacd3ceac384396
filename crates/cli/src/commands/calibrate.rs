//! `tilebase calibrate`: how estimates of positions compare with how games went on.

mod check;
mod fit;
mod lines;
mod picture;
mod sample;

use clap::{Args, Subcommand};

use crate::failure::Failure;

/// Fit and check the chances that are shown for positions of the 4x4 game
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase calibrate sample --games 150 --seed 1 --out fit.jsonl
  tilebase calibrate sample --games 100 --seed 2 --out check.jsonl
  tilebase calibrate fit fit.jsonl --out forecast.json
  tilebase calibrate check check.jsonl --forecast forecast.json --picture reliability.svg
  tilebase calibrate check check.jsonl                  the forecast that is built in")]
pub struct Calibrate {
    #[command(subcommand)]
    step: Step,
}

#[derive(Subcommand)]
enum Step {
    Sample(sample::SampleCommand),
    Fit(fit::Fit),
    Check(check::Check),
}

impl Calibrate {
    /// Runs a step.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        match &self.step {
            Step::Sample(command) => command.run(json),
            Step::Fit(command) => command.run(json),
            Step::Check(command) => command.run(json),
        }
    }
}
