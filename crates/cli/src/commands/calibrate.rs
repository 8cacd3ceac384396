//! `tilebase calibrate`: how estimates of positions compare with how games went on.

mod sample;

use clap::{Args, Subcommand};

use crate::failure::Failure;

/// Fit and check the chances that are shown for positions of the 4x4 game
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase calibrate sample --games 900 --seed 1 --out fit.jsonl
  tilebase calibrate sample --games 900 --seed 2 --out check.jsonl")]
pub struct Calibrate {
    #[command(subcommand)]
    step: Step,
}

#[derive(Subcommand)]
enum Step {
    Sample(sample::SampleCommand),
}

impl Calibrate {
    /// Runs a step.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        match &self.step {
            Step::Sample(command) => command.run(json),
        }
    }
}
