//! `tilebase lower-bound`: the fewest moves to a tile.

use std::fmt::Write;
use std::time::Instant;

use clap::Args;
use tilebase_game::tile_value;
use tilebase_plan::lower_bound::{BoundError, BoundGoal};
use tilebase_schema::{LowerBoundAnswer, MoveQuantiles, MovesProbability};

use crate::arguments::VariantOptions;
use crate::failure::Failure;
use crate::output::{self, grouped};
use crate::progress::ProgressLine;

/// Compute the fewest moves to a tile, for any player on any board
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase lower-bound --to 2048                    at least 938.81 moves on average
  tilebase lower-bound --to 2048 --distribution     the probability of each number of moves
  tilebase lower-bound --to 131072 --json
  tilebase lower-bound --to 64 --spawn 2:1 --start-tiles 1

Tiles lie in a bag instead of on a board: a move merges every pair of equal tiles. No player
makes the tile within a number of moves with a higher probability than the bag.")]
pub struct LowerBound {
    #[command(flatten)]
    variant: VariantOptions,

    /// List the probability of each number of moves
    #[arg(long)]
    distribution: bool,
}

/// Probabilities below this are left out of the text, not of the JSON.
const LEAST_SHOWN: f64 = 1e-9;

impl LowerBound {
    /// Prints the bound.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        // Other commands work without a target, so the parser does not require one.
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
        let answer = LowerBoundAnswer {
            to: tile_value(target),
            spawn: goal.spawn().to_string(),
            start_tiles: goal.start_tiles(),
            mean: found.mean,
            variance: found.variance,
            standard_deviation: found.standard_deviation(),
            fewest: found.fewest,
            most: found.most,
            quantiles: MoveQuantiles {
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
                    .map(|&(moves, probability)| MovesProbability { moves, probability })
                    .collect()
            }),
        };
        output::print(json, &answer, text)
    }
}

fn failure(error: BoundError) -> Failure {
    match error {
        BoundError::Interrupted => Failure::Interrupted,
        error => Failure::request(error),
    }
}

fn text(answer: &LowerBoundAnswer) -> String {
    let q = &answer.quantiles;
    let moves = [q.p1, q.p5, q.p25, q.p50, q.p75, q.p95, q.p99].map(|n| format!("{n:>8}"));
    let chances = [1, 5, 25, 50, 75, 95, 99].map(|n| format!("{n:>7}%"));
    let mut text = format!(
        "{} tile: at least {:.4} moves on average, standard deviation {:.4}\n\
             \x20 fewest {}, most {}\n\
             \x20 before move  {}\n\
             \x20 chance below {}\n",
        answer.to,
        answer.mean,
        answer.standard_deviation,
        grouped(answer.fewest.into()),
        grouped(answer.most.into()),
        moves.concat(),
        chances.concat(),
    );
    for line in answer.distribution.iter().flatten() {
        if line.probability >= LEAST_SHOWN {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  {:>8} moves  {:.9}", line.moves, line.probability);
        }
    }
    let _ = writeln!(
        text,
        "  {} bags, {:.2} s",
        grouped(answer.bags as u128),
        answer.seconds
    );
    text
}
