//! `tilebase calibrate sample`: games played and sampled.

use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use clap::Args;
use tilebase_game::{Shape, Spawn, Variant};
use tilebase_play::calibration::{Sample, sample_disturbed, sample_recorded};
use tilebase_play::{EvaluationKind, Expectimax, GameLog, RecordError, RecordHeader, RecordReader};
use tilebase_schema::SamplesAnswer;
use tilebase_util::progress::{Progress, Unit};

use super::lines::line;
use crate::arguments::{ThreadOptions, whole};
use crate::commands::search_options::SearchOptions;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{self, grouped};
use crate::progress::ProgressLine;

/// Write down positions of games, what the search says of them, and how the games went on
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase play 4x4 --player expectimax --games 420 --seed 101 --record games.tb
  tilebase calibrate sample --record games.tb --seed 1 --out strong.jsonl
  tilebase calibrate sample --games 300 --seed 1 --out disturbed.jsonl

Without --record games are played that strong play would not get into: a quick search begins, a few
random moves are made at a random time, and then the usual player goes on. The same seed gives the
same file, with any number of threads. An interrupted run writes nothing: the games that ended in
time would be the short ones.")]
pub struct SampleCommand {
    /// Sample the games of this record, made by 'tilebase play --record'
    #[arg(long, value_name = "FILE", conflicts_with = "games")]
    record: Option<PathBuf>,

    /// Number of games to play
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = whole::<1>)]
    games: u64,

    /// Seed of the games and of the times of samples
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
    /// Samples games, and writes the samples.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        let start = Instant::now();
        let shape = Shape::new(4, 4).ok_or_else(|| Failure::request("invalid shape '4x4'"))?;
        let variant = Variant::new(shape, None, Spawn::STANDARD, 2).map_err(Failure::request)?;
        let (players, _) = self
            .search
            .expectimax(variant, EvaluationKind::default_limit)?;
        let doing = || format!("writing the samples {}", self.out.display());
        let file = std::fs::File::create(&self.out).map_err(|e| Failure::work(&doing(), e))?;
        let samples = self.samples(variant, &players);
        if samples.is_err() {
            // Nothing was written to it.
            let _ = std::fs::remove_file(&self.out);
        }
        let (games, samples) = samples?;
        let mut file = BufWriter::new(file);
        for sample in &samples {
            let line = serde_json::to_string(&line(sample))
                .map_err(|error| Failure::Work(error.to_string()))?;
            writeln!(file, "{line}").map_err(|e| Failure::work(&doing(), e))?;
        }
        file.flush().map_err(|e| Failure::work(&doing(), e))?;
        let answer = SamplesAnswer {
            file: self.out.clone(),
            games,
            samples: samples.len() as u64,
            seed: self.seed,
            seconds: start.elapsed().as_secs_f64(),
        };
        output::print(json, &answer, text)
    }

    /// The number of games, and their samples in order.
    fn samples(
        &self,
        variant: Variant,
        players: &Expectimax,
    ) -> Result<(u64, Vec<Sample>), Failure> {
        let progress = ProgressLine::new();
        let Some(record) = &self.record else {
            let sample = |index| {
                let found = sample_disturbed(variant, index, players, self.seed, &progress);
                found.ok_or(Failure::Interrupted)
            };
            return self.all(self.games, &progress, sample);
        };
        let (header, logs) = read(record, variant)?;
        self.all(logs.len() as u64, &progress, |index| {
            let found = sample_recorded(&header, &logs[index as usize], players, self.seed);
            found.map_err(|error| Failure::Work(format!("{}: {error}", record.display())))
        })
    }

    /// Samples all games, on all threads.
    fn all(
        &self,
        games: u64,
        progress: &ProgressLine,
        sample: impl Fn(u64) -> Result<Vec<Sample>, Failure> + Sync,
    ) -> Result<(u64, Vec<Sample>), Failure> {
        progress.begin(Unit::Games, Some(games));
        let next = AtomicU64::new(0);
        let all = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..self.threads.number().max(1) {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        if index >= games || progress.interrupted() {
                            break;
                        }
                        let found = sample(index);
                        let mut all = all.lock().unwrap_or_else(|p| p.into_inner());
                        all.push((index, found));
                        progress.advance(1);
                    }
                });
            }
        });
        progress.finish();
        if interrupt::asked() {
            return Err(Failure::Interrupted);
        }
        let mut all = all.into_inner().unwrap_or_else(|p| p.into_inner());
        all.sort_by_key(|(index, _)| *index);
        let all: Result<Vec<_>, _> = all.into_iter().map(|(_, found)| found).collect();
        Ok((games, all?.concat()))
    }
}

/// The games of a record.
fn read(path: &Path, variant: Variant) -> Result<(RecordHeader, Vec<GameLog>), Failure> {
    let failure = |error: RecordError| Failure::Work(format!("{}: {error}", path.display()));
    let file = std::fs::File::open(path).map_err(|error| failure(error.into()))?;
    let mut reader = RecordReader::new(BufReader::new(file)).map_err(failure)?;
    if reader.header().variant != variant {
        return Err(Failure::request(format!(
            "{} has games of {}: use a record of {variant}",
            path.display(),
            reader.header().variant
        )));
    }
    let mut logs = Vec::new();
    while let Some(log) = reader.next_game().map_err(failure)? {
        logs.push(log);
    }
    Ok((reader.header().clone(), logs))
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
