//! `tilebase lower-bound`: how many moves a tile takes at least.

use std::fmt::Write;
use std::time::Instant;

use clap::Args;
use serde::Serialize;
use tilebase_game::tile_value;
use tilebase_plan::lower_bound::{BoundError, BoundGoal};

use crate::arguments::VariantOptions;
use crate::failure::Failure;
use crate::output::{self, grouped};
use crate::progress::ProgressLine;

/// Tell how many moves a tile takes at least, whoever plays and on whatever board
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase lower-bound --to 2048                    at least 938.81 moves on average
  tilebase lower-bound --to 2048 --distribution     the probability of each number of moves
  tilebase lower-bound --to 131072 --json
  tilebase lower-bound --to 64 --spawn 2:1 --start-tiles 1

Tiles are in a bag, not on a board: a move merges every pair of equal tiles. No player can
have the tile after so many moves with a higher probability than the bag.")]
pub struct LowerBound {
    #[command(flatten)]
    variant: VariantOptions,

    /// List the probability of each number of moves
    #[arg(long)]
    distribution: bool,
}

/// Text leaves out what is less likely than this; JSON does not.
const LEAST_SHOWN: f64 = 1e-9;

#[derive(Serialize)]
struct Quantiles {
    p1: u32,
    p5: u32,
    p25: u32,
    p50: u32,
    p75: u32,
    p95: u32,
    p99: u32,
}

#[derive(Serialize)]
struct MovesAnswer {
    moves: u32,
    probability: f64,
}

#[derive(Serialize)]
struct Answer {
    to: u128,
    spawn: String,
    start_tiles: u16,
    mean: f64,
    variance: f64,
    standard_deviation: f64,
    fewest: u32,
    most: u32,
    quantiles: Quantiles,
    bags: usize,
    transitions: usize,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    distribution: Option<Vec<MovesAnswer>>,
}

impl LowerBound {
    /// Prints the bound.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        // The other commands can do without a target, so the parser lets it pass.
        let target = self.variant.to.ok_or_else(|| {
            Failure::request("no target given: say which tile, such as --to 2048")
        })?;
        let goal = BoundGoal::new(target, self.variant.spawn, self.variant.start_tiles)
            .map_err(failure)?;
        let start = Instant::now();
        let found = tilebase_plan::lower_bound::lower_bound(&goal, &ProgressLine::new())
            .map_err(failure)?;
        let seconds = start.elapsed().as_secs_f64();
        let percent = |percent: u32| found.quantile(f64::from(percent) / 100.0);
        let answer = Answer {
            to: tile_value(target),
            spawn: goal.spawn().to_string(),
            start_tiles: goal.start_tiles(),
            mean: found.mean,
            variance: found.variance,
            standard_deviation: found.standard_deviation(),
            fewest: found.fewest,
            most: found.most,
            quantiles: Quantiles {
                p1: percent(1),
                p5: percent(5),
                p25: percent(25),
                p50: percent(50),
                p75: percent(75),
                p95: percent(95),
                p99: percent(99),
            },
            bags: found.bags,
            transitions: found.transitions,
            seconds,
            distribution: self.distribution.then(|| {
                let listed = found.distribution.iter();
                listed
                    .map(|&(moves, probability)| MovesAnswer { moves, probability })
                    .collect()
            }),
        };
        output::print(json, &answer, Answer::text)
    }
}

fn failure(error: BoundError) -> Failure {
    match error {
        BoundError::Interrupted => Failure::Interrupted,
        error => Failure::request(error),
    }
}

impl Answer {
    fn text(&self) -> String {
        let q = &self.quantiles;
        let moves = [q.p1, q.p5, q.p25, q.p50, q.p75, q.p95, q.p99].map(|n| format!("{n:>8}"));
        let chances = [1, 5, 25, 50, 75, 95, 99].map(|n| format!("{n:>7}%"));
        let mut text = format!(
            "{} tile: at least {:.4} moves on average, standard deviation {:.4}\n\
             \x20 fewest {}, most {}\n\
             \x20 before move  {}\n\
             \x20 chance below {}\n",
            self.to,
            self.mean,
            self.standard_deviation,
            grouped(self.fewest.into()),
            grouped(self.most.into()),
            moves.concat(),
            chances.concat(),
        );
        for line in self.distribution.iter().flatten() {
            if line.probability >= LEAST_SHOWN {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "  {:>8} moves  {:.9}", line.moves, line.probability);
            }
        }
        let _ = writeln!(
            text,
            "  {} bags, {:.2} s",
            grouped(self.bags as u128),
            self.seconds
        );
        text
    }
}
