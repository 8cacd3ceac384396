//! `tilebase prune`: a smaller file of a trained network.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use tilebase_expectimax::{ExpectimaxOptions, NO_EXTENSION, SearchLimit};
use tilebase_game::{Shape, Spawn, Variant};
use tilebase_network::NTupleNetwork;
use tilebase_play::{Expectimax, SearchConfig, Series, Summary, play_series};
use tilebase_schema::PruneAnswer;

use super::network_file;
use crate::arguments::{ThreadOptions, whole};
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{self, grouped};
use crate::progress::ProgressLine;

/// The largest default weight: low, so that a search does not hope for unknown positions.
const MAX_DEFAULT_WEIGHT: f32 = 2000.0;

/// Prune and quantize a trained network, by what games look up
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase prune my.network --out small.network --games 1500 --quantum 20
  tilebase play 4x4 --player expectimax --network small.network --games 100 --seed 1

Most weights of a long training run belong to positions that good play hardly meets. Weights that
the games look up are rounded, the coarser the rarer they are. Of the others only the bad ones are
kept, rounded coarsely. All dropped weights become the default weight, a low one, so that a search
does not hope for positions that nothing is known about. The same options give the same file, with
any number of threads.")]
pub struct Prune {
    /// Network file, made by 'tilebase train'
    #[arg(value_name = "FILE")]
    network: PathBuf,

    /// File for the pruned network
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Play this many games to count lookups
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = whole::<1>)]
    games: u64,

    /// Search this many slides deep in these games
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=6))]
    depth: u8,

    /// Seed of the games
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<0>)]
    seed: u64,

    /// Round the weights that are looked up most to multiples of this (quantization)
    #[arg(long, value_name = "POINTS", default_value_t = 1.0)]
    quantum: f32,

    /// Weight of everything that is not stored [default: the network's own, at most 2000]
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true)]
    default_weight: Option<f32>,

    #[command(flatten)]
    threads: ThreadOptions,
}

impl Prune {
    /// Plays, and writes the network that its lookups leave.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        self.check()?;
        let start = Instant::now();
        let network = network_file::read(&self.network)?;
        let own = network.default_weight();
        let default_weight = self.default_weight.unwrap_or(own.min(MAX_DEFAULT_WEIGHT));
        let file = network_file::create(&self.out)?;
        // Play as the pruned network will, with its default weight.
        let played = network.with_default_weight(default_weight);
        let (summary, lookups) = self.count_lookups(played.map_err(failure)?)?;
        if interrupt::asked() {
            return Err(Failure::Interrupted);
        }
        let pruned = network.pruned(&lookups, self.quantum, default_weight);
        let pruned = pruned.map_err(failure)?;
        let answer = PruneAnswer {
            file: self.out.clone(),
            bytes: network_file::write(&pruned, file, &self.out)?,
            before: network.stored(),
            looked_up: looked_up(&network, &lookups),
            weights: pruned.stored(),
            games: summary.games(),
            mean_score: summary.mean_score(),
            seconds: start.elapsed().as_secs_f64(),
        };
        output::print(json, &answer, text)
    }

    fn check(&self) -> Result<(), Failure> {
        if self
            .default_weight
            .is_some_and(|weight| !weight.is_finite())
        {
            return Err(Failure::request(
                "--default-weight must be a number of points",
            ));
        }
        network_file::check_quantum(self.quantum)
    }

    /// Plays the games and counts the lookups of each weight.
    fn count_lookups(&self, network: NTupleNetwork) -> Result<(Summary, Vec<u32>), Failure> {
        let shape = Shape::new(4, 4).ok_or_else(|| Failure::request("invalid shape '4x4'"))?;
        let variant = Variant::new(shape, None, Spawn::STANDARD, 2).map_err(Failure::request)?;
        let config = SearchConfig {
            limit: SearchLimit::Depth(self.depth),
            options: ExpectimaxOptions {
                extend_above: Some(NO_EXTENSION),
                ..ExpectimaxOptions::default()
            },
            time: None,
        };
        let players = Expectimax::counting_lookups(variant, network, config);
        let players = players.map_err(Failure::request)?;
        let series = Series {
            variant,
            start: None,
            games: self.games,
            seed: self.seed,
        };
        let threads = self.threads.number();
        let summary = play_series(&series, &players, threads, &ProgressLine::new());
        let lookups = players
            .into_lookup_counts()
            .ok_or_else(|| Failure::Work("no lookup was counted".to_owned()))?;
        Ok((summary, lookups))
    }
}

fn failure(error: tilebase_network::NetworkError) -> Failure {
    Failure::Work(error.to_string())
}

/// The number of stored weights that were looked up.
fn looked_up(network: &NTupleNetwork, lookups: &[u32]) -> u64 {
    let met = (0..).zip(lookups).filter(|&(_, &count)| count > 0);
    met.filter(|&(index, _)| network.weight(index).1).count() as u64
}

fn text(answer: &PruneAnswer) -> String {
    format!(
        "{} games, mean score {:.0}, looked up {} of {} weights\n\
         {} weights in {}, {} bytes; {:.1} s\n",
        grouped(answer.games.into()),
        answer.mean_score.unwrap_or(0.0),
        grouped(answer.looked_up.into()),
        grouped(answer.before.into()),
        grouped(answer.weights.into()),
        answer.file.display(),
        grouped(answer.bytes.into()),
        answer.seconds
    )
}
