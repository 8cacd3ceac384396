//! `tilebase calibrate sample`: games played and sampled.

use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use tilebase_expectimax::ScoredMove;
use tilebase_game::{Shape, Spawn, Variant, tile_value};
use tilebase_play::{EvaluationKind, Sample, SampleSeries, sample_games};
use tilebase_schema::{CalibrationSample, SampledMove, SamplesAnswer};

use crate::arguments::{ThreadOptions, whole};
use crate::commands::search_options::SearchOptions;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{self, grouped};
use crate::progress::ProgressLine;

/// Play games and write down positions, what the search says of them, and how the games went on
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase calibrate sample --games 900 --seed 1 --out fit.jsonl

In two games of three a few random moves are made at a random time, so that there are positions
that strong play never sees. The same seed gives the same file, with any number of threads. An
interrupted run writes nothing: the games that ended in time would be the short ones.")]
pub struct SampleCommand {
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 900, value_parser = whole::<1>)]
    games: u64,

    /// Seed of the games
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<0>)]
    seed: u64,

    /// File for the samples, one JSON object a line
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    #[command(flatten)]
    threads: ThreadOptions,

    #[command(flatten)]
    search: SearchOptions,
}

impl SampleCommand {
    /// Plays, and writes the samples.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        let start = Instant::now();
        let shape = Shape::new(4, 4).ok_or_else(|| Failure::request("invalid shape '4x4'"))?;
        let variant = Variant::new(shape, None, Spawn::STANDARD, 2).map_err(Failure::request)?;
        let (players, _) = self
            .search
            .expectimax(variant, EvaluationKind::default_limit)?;
        let doing = || format!("writing the samples {}", self.out.display());
        let file = std::fs::File::create(&self.out).map_err(|e| Failure::work(&doing(), e))?;
        let series = SampleSeries {
            variant,
            games: self.games,
            seed: self.seed,
        };
        let threads = self.threads.number();
        let samples = sample_games(&series, &players, threads, &ProgressLine::new());
        if interrupt::asked() {
            let _ = std::fs::remove_file(&self.out);
            return Err(Failure::Interrupted);
        }
        let mut file = BufWriter::new(file);
        for sample in &samples {
            let line = serde_json::to_string(&line(sample))
                .map_err(|error| Failure::Work(error.to_string()))?;
            writeln!(file, "{line}").map_err(|e| Failure::work(&doing(), e))?;
        }
        file.flush().map_err(|e| Failure::work(&doing(), e))?;
        let answer = SamplesAnswer {
            file: self.out.clone(),
            games: self.games,
            samples: samples.len() as u64,
            seed: self.seed,
            seconds: start.elapsed().as_secs_f64(),
        };
        output::print(json, &answer, text)
    }
}

fn line(sample: &Sample) -> CalibrationSample {
    let moves = |all: &[ScoredMove]| {
        let all = all.iter().map(|scored| SampledMove {
            direction: scored.m.into(),
            value: scored.value,
        });
        all.collect()
    };
    CalibrationSample {
        game: sample.game,
        tiles: sample.grid.to_string(),
        disturbed: sample.disturbed,
        moves: moves(&sample.moves),
        deeper: moves(&sample.deeper),
        further_score: sample.further_score as u64,
        largest: tile_value(sample.largest) as u64,
    }
}

fn text(answer: &SamplesAnswer) -> String {
    format!(
        "{} samples of {} games in {}; {:.1} s\n",
        grouped(answer.samples.into()),
        grouped(answer.games.into()),
        answer.file.display(),
        answer.seconds
    )
}
