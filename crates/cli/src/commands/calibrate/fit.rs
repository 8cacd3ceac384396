//! `tilebase calibrate fit`: a forecast from samples.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use tilebase_play::Forecast;
use tilebase_play::calibration::fit_forecast;
use tilebase_schema::ForecastAnswer;

use super::lines;
use crate::failure::Failure;
use crate::output::{self, grouped};

/// Fit a forecast to samples
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase calibrate fit strong.jsonl disturbed.jsonl --out forecast.json

The standard errors in the file are those of the forecast that is built in: measure them again with
'tilebase calibrate check' on other samples, and with 'tilebase play --board' on single positions.")]
pub struct Fit {
    /// Files of samples, made by 'tilebase calibrate sample'
    #[arg(required = true, value_name = "FILE")]
    samples: Vec<PathBuf>,

    /// File for the forecast
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl Fit {
    /// Fits a forecast and writes it.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        let start = Instant::now();
        let samples = lines::read(&self.samples)?;
        let errors = Forecast::built_in()
            .ok_or_else(|| Failure::Work("the built-in forecast is damaged".to_owned()))?;
        let fitted = fit_forecast(&samples, errors);
        let text = serde_json::to_string_pretty(&fitted)
            .map_err(|error| Failure::Work(error.to_string()))?;
        std::fs::write(&self.out, text + "\n")
            .map_err(|error| Failure::work(&format!("writing {}", self.out.display()), error))?;
        let answer = ForecastAnswer {
            file: self.out.clone(),
            samples: samples.len() as u64,
            seconds: start.elapsed().as_secs_f64(),
        };
        output::print(json, &answer, |answer| {
            let samples = grouped(answer.samples.into());
            format!("fitted to {samples} samples: {}\n", answer.file.display())
        })
    }
}
