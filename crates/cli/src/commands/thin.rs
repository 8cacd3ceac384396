//! `tilebase thin`: a smaller file of learned weights.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use serde::Serialize;
use tilebase_expectimax::{Effort, NO_CROWD, Options, Tuples};
use tilebase_files::NewFile;
use tilebase_game::{Shape, Spawn, Variant};
use tilebase_play::{Expectimax, Looking, Series, play_series};

use super::weights;
use crate::arguments::{ThreadOptions, whole};
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{self, grouped};
use crate::progress::ProgressLine;

/// Keep the learned weights that games look up most
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase thin my.tuples --out small.tuples --keep 8000000 --games 500
  tilebase play 4x4 --player expectimax --weights small.tuples --games 100 --seed 1

Most weights of a long course of learning are of positions that good play hardly meets. The
weights that are not kept become one number, the mean of what games looked up of them. The
same options give the same file, with any number of threads.")]
pub struct Thin {
    /// Learned weights, made by 'tilebase learn'
    #[arg(value_name = "FILE")]
    weights: PathBuf,

    /// The file for the weights that are kept
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Keep this many weights
    #[arg(long, value_name = "N", value_parser = whole::<1>)]
    keep: u64,

    /// Play this many games to see what is looked up
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = whole::<1>)]
    games: u64,

    /// Look this many slides ahead in these games
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=6))]
    depth: u8,

    /// Seed of the games
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<0>)]
    seed: u64,

    /// Round the weights to so many points
    #[arg(long, value_name = "POINTS", default_value_t = 1.0)]
    unit: f32,

    #[command(flatten)]
    threads: ThreadOptions,
}

#[derive(Serialize)]
struct Answer {
    file: PathBuf,
    bytes: u64,
    /// Weights in the file that was read.
    before: u64,
    /// Weights that the games looked up.
    looked_up: u64,
    /// Weights in the file that was written.
    weights: u64,
    /// The share of all look-ups that finds a weight that was kept.
    kept_look_ups: f64,
    games: u64,
    mean_score: Option<f64>,
    seconds: f64,
}

impl Thin {
    /// Plays, and writes what was looked up most.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        if !(self.unit.is_finite() && self.unit >= 0.01) {
            return Err(Failure::request("--unit must be at least 0.01 points"));
        }
        let start = Instant::now();
        let tuples = weights::read(&self.weights)?;
        let before = tuples.listed();
        let mut file = NewFile::create(&self.out).map_err(|e| Failure::Work(e.to_string()))?;
        let (summary, tuples, counts) = self.count(tuples)?;
        if interrupt::asked() {
            return Err(Failure::Interrupted);
        }
        let least = least_kept(&counts, self.keep);
        let thinned = tuples
            .thinned(&counts, least, self.unit)
            .map_err(|error| Failure::Work(error.to_string()))?;
        let bytes = thinned
            .to_bytes()
            .map_err(|error| Failure::work("packing the weights", error))?;
        std::io::Write::write_all(&mut file, &bytes)
            .map_err(|error| Failure::work(&self.out.display().to_string(), error))?;
        let bytes = file.keep().map_err(|e| Failure::Work(e.to_string()))?;
        let answer = Answer {
            file: self.out.clone(),
            bytes,
            before,
            looked_up: counts.iter().filter(|&&count| count > 0).count() as u64,
            weights: thinned.listed(),
            kept_look_ups: kept_share(&counts, least),
            games: summary.games(),
            mean_score: summary.mean_score(),
            seconds: start.elapsed().as_secs_f64(),
        };
        output::print(json, &answer, Answer::text)
    }

    /// Plays the games and counts look-ups.
    fn count(&self, tuples: Tuples) -> Result<(tilebase_play::Summary, Tuples, Vec<u32>), Failure> {
        let shape = Shape::new(4, 4).ok_or_else(|| Failure::request("4x4 is no shape"))?;
        let variant = Variant::new(shape, None, Spawn::STANDARD, 2).map_err(Failure::request)?;
        let looking = Looking {
            effort: Effort::Depth(self.depth),
            options: Options {
                // So far and no further, whatever the board.
                crowd: Some(NO_CROWD),
                ..Options::default()
            },
            time: None,
        };
        let players = Expectimax::counting(variant, tuples, looking).map_err(Failure::request)?;
        let series = Series {
            variant,
            games: self.games,
            seed: self.seed,
        };
        let threads = self.threads.number();
        let summary = play_series(&series, &players, threads, &ProgressLine::new());
        let (tuples, counts) = players
            .counted()
            .ok_or_else(|| Failure::Work("no look-up was counted".to_owned()))?;
        Ok((summary, tuples, counts))
    }
}

/// The least number of look-ups such that at most so many weights have it or more.
fn least_kept(counts: &[u32], keep: u64) -> u32 {
    let mut met: Vec<u32> = counts.iter().copied().filter(|&n| n > 0).collect();
    let keep = keep.try_into().unwrap_or(usize::MAX);
    if met.len() <= keep {
        return 1;
    }
    let dropped = met.len() - keep;
    // The most looked up of those that have to go: all that have as many go with it.
    *met.select_nth_unstable(dropped - 1).1 + 1
}

/// The share of look-ups that belongs to the weights with so many look-ups or more.
fn kept_share(counts: &[u32], least: u32) -> f64 {
    let sum = |least| {
        let kept = counts.iter().filter(|&&n| n >= least);
        kept.map(|&n| u64::from(n)).sum::<u64>() as f64
    };
    sum(least) / f64::max(sum(0), 1.0)
}

impl Answer {
    fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{} games, mean score {:.0}, looked up {} of {} weights",
            grouped(self.games.into()),
            self.mean_score.unwrap_or(0.0),
            grouped(self.looked_up.into()),
            grouped(self.before.into()),
        );
        let _ = writeln!(
            text,
            "{} weights in {}, {} bytes: {:.2} % of the look-ups; {:.1} s",
            grouped(self.weights.into()),
            self.file.display(),
            grouped(self.bytes.into()),
            100.0 * self.kept_look_ups,
            self.seconds
        );
        text
    }
}
