//! `tilebase calibrate check`: a forecast compared with how games went on.

use std::borrow::Cow;
use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use tilebase_play::Forecast;
use tilebase_play::calibration::{ReliabilityBin, check_chances, check_losses, check_scores};
use tilebase_schema::{CalibrationAnswer, CalibrationBin, LossCalibration, TileCalibration};

use super::{lines, picture};
use crate::failure::Failure;
use crate::output::{self, grouped};

/// Compare a forecast with how games went on
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase calibrate check check.jsonl
  tilebase calibrate check check.jsonl --picture reliability.svg --json

Use samples that the forecast was not fitted to: of games with another seed.")]
pub struct Check {
    /// Files of samples, made by 'tilebase calibrate sample'
    #[arg(required = true, value_name = "FILE")]
    samples: Vec<PathBuf>,

    /// File of the forecast, made by 'tilebase calibrate fit' [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    forecast: Option<PathBuf>,

    /// Draw the reliability diagram into this SVG file
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
}

impl Check {
    /// Compares, and prints the comparison.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        let forecast = self.forecast()?;
        let samples = lines::read(&self.samples)?;
        let tiles = check_chances(&forecast, &samples).into_iter();
        let losses = check_losses(&samples).into_iter();
        let answer = CalibrationAnswer {
            samples: samples.len() as u64,
            tiles: tiles
                .map(|check| TileCalibration {
                    tile: check.tile,
                    samples: check.samples,
                    rate: check.rate,
                    brier: check.brier,
                    brier_of_rate: check.brier_of_rate,
                    bins: check.bins.into_iter().map(bin).collect(),
                })
                .collect(),
            scores: check_scores(&forecast, &samples)
                .into_iter()
                .map(bin)
                .collect(),
            losses: losses
                .map(|check| LossCalibration {
                    from: check.from,
                    below: Some(check.below).filter(|below| below.is_finite()),
                    moves: check.moves,
                    change: check.change,
                    became_best: check.became_best,
                })
                .collect(),
        };
        if let Some(file) = &self.picture {
            std::fs::write(file, picture::reliability(&answer))
                .map_err(|error| Failure::work(&format!("writing {}", file.display()), error))?;
        }
        output::print(json, &answer, text)
    }

    fn forecast(&self) -> Result<Cow<'static, Forecast>, Failure> {
        let Some(file) = &self.forecast else {
            let built_in = Forecast::built_in().map(Cow::Borrowed);
            return built_in
                .ok_or_else(|| Failure::Work("the built-in forecast is damaged".to_owned()));
        };
        let text = std::fs::read_to_string(file)
            .map_err(|error| Failure::work(&format!("reading {}", file.display()), error))?;
        let read = serde_json::from_str(&text).map(Cow::Owned);
        read.map_err(|error| Failure::Work(format!("{}: no forecast: {error}", file.display())))
    }
}

fn bin(bin: ReliabilityBin) -> CalibrationBin {
    CalibrationBin {
        forecast: bin.forecast,
        observed: bin.observed,
        samples: bin.samples,
        games: bin.games,
    }
}

fn text(answer: &CalibrationAnswer) -> String {
    let mut text = format!("{} samples\n", grouped(answer.samples.into()));
    for tile in &answer.tiles {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "\n{}: made after {:.2} % of {} samples; Brier score {:.5}, of the rate alone {:.5}",
            tile.tile,
            100.0 * tile.rate,
            grouped(tile.samples.into()),
            tile.brier,
            tile.brier_of_rate
        );
        let _ = writeln!(text, "  forecast  observed   samples  games");
        for bin in &tile.bins {
            let _ = writeln!(
                text,
                "  {:7.2} % {:7.2} % {:>9} {:>6}",
                100.0 * bin.forecast,
                100.0 * bin.observed,
                grouped(bin.samples.into()),
                grouped(bin.games.into())
            );
        }
    }
    let _ = writeln!(text, "\nFurther score: forecast and observed mean");
    for bin in &answer.scores {
        let _ = writeln!(text, "  {:9.0} {:9.0}", bin.forecast, bin.observed);
    }
    let _ = writeln!(text, "\nLosses, and how a deeper search changes them");
    for loss in &answer.losses {
        let _ = writeln!(
            text,
            "  from {:.4}: {:>6} moves, change {:.5}, best after all {:.1} %",
            loss.from,
            grouped(loss.moves.into()),
            loss.change,
            100.0 * loss.became_best
        );
    }
    text
}
