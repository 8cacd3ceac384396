//! `tilebase thin`: a smaller file of learned weights.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use serde::Serialize;
use tilebase_expectimax::{Effort, NO_CROWD, Options};
use tilebase_game::{Shape, Spawn, Variant};
use tilebase_network::NTupleNetwork;
use tilebase_play::{Expectimax, SearchConfig, Series, play_series};
use tilebase_util::files::NewFile;

use super::weights;
use crate::arguments::{ThreadOptions, whole};
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{self, grouped};
use crate::progress::ProgressLine;

/// The most that a weight counts of which nothing is known: low, so that a search does not hope.
const UNKNOWN: f32 = 2000.0;

/// Make a file of learned weights small, by what games look up
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase thin my.tuples --out small.tuples --games 1500 --unit 20
  tilebase play 4x4 --player expectimax --weights small.tuples --games 100 --seed 1

Most weights of a long course of learning are of positions that good play hardly meets. Those
that the games look up are rounded, the coarser the rarer they are; of the others only the bad
ones are kept, coarsely, and all that are not listed become one low number, so that a search
does not hope for what is not known. The same options give the same file, with any number of
threads.")]
pub struct Prune {
    /// Learned weights, made by 'tilebase learn'
    #[arg(value_name = "FILE")]
    weights: PathBuf,

    /// The file for the weights that are kept
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Play this many games to see what is looked up
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = whole::<1>)]
    games: u64,

    /// Look this many slides ahead in these games
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=6))]
    depth: u8,

    /// Seed of the games
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<0>)]
    seed: u64,

    /// Round the weights that are looked up most to so many points
    #[arg(long, value_name = "POINTS", default_value_t = 1.0)]
    unit: f32,

    /// What a weight is that is not listed [default: what it was, or 2000 if that is less]
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true)]
    others: Option<f32>,

    #[command(flatten)]
    threads: ThreadOptions,
}

#[derive(Serialize)]
struct Answer {
    file: PathBuf,
    bytes: u64,
    /// Weights in the file that was read.
    before: u64,
    /// Of these, weights that the games looked up.
    looked_up: u64,
    /// Weights in the file that was written.
    weights: u64,
    games: u64,
    mean_score: Option<f64>,
    seconds: f64,
}

impl Prune {
    /// Plays, and writes the weights by what was looked up.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        if !(self.unit.is_finite() && self.unit >= 0.01) {
            return Err(Failure::request("--unit must be at least 0.01 points"));
        }
        if self.others.is_some_and(|others| !others.is_finite()) {
            return Err(Failure::request("--others must be a number of points"));
        }
        let start = Instant::now();
        let tuples = weights::read(&self.weights)?;
        let before = tuples.listed();
        let others = self.others.unwrap_or(tuples.others().min(UNKNOWN));
        // The games look up what those that will be played do.
        let played = tuples
            .with_others(others)
            .map_err(|error| Failure::Work(error.to_string()))?;
        let mut file = NewFile::create(&self.out).map_err(|e| Failure::Work(e.to_string()))?;
        let (summary, counts) = self.count(played)?;
        if interrupt::asked() {
            return Err(Failure::Interrupted);
        }
        let thinned = tuples
            .thinned(&counts, self.unit, others)
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
            looked_up: looked_up(&tuples, &counts),
            weights: thinned.listed(),
            games: summary.games(),
            mean_score: summary.mean_score(),
            seconds: start.elapsed().as_secs_f64(),
        };
        output::print(json, &answer, Answer::text)
    }

    /// Plays the games and counts look-ups.
    fn count(&self, tuples: NTupleNetwork) -> Result<(tilebase_play::Summary, Vec<u32>), Failure> {
        let shape = Shape::new(4, 4).ok_or_else(|| Failure::request("4x4 is no shape"))?;
        let variant = Variant::new(shape, None, Spawn::STANDARD, 2).map_err(Failure::request)?;
        let looking = SearchConfig {
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
        let counts = players
            .counted()
            .ok_or_else(|| Failure::Work("no look-up was counted".to_owned()))?;
        Ok((summary, counts))
    }
}

/// How many weights are listed and were looked up.
fn looked_up(tuples: &NTupleNetwork, counts: &[u32]) -> u64 {
    let met = (0..).zip(counts).filter(|&(_, &count)| count > 0);
    met.filter(|&(place, _)| tuples.weight(place).1).count() as u64
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
            "{} weights in {}, {} bytes; {:.1} s",
            grouped(self.weights.into()),
            self.file.display(),
            grouped(self.bytes.into()),
            self.seconds
        );
        text
    }
}
