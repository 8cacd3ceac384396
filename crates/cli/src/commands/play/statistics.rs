//! What `play` and `replay` tell about many games beyond their totals.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;
use tilebase_game::tile_value;
use tilebase_play::{Summary, wilson};

use crate::output::grouped;

/// How scores and tiles are spread, as answers give it.
#[derive(Serialize)]
pub struct Statistics {
    score_deviation: Option<f64>,
    mean_score_low: Option<f64>,
    mean_score_high: Option<f64>,
    score_quantiles: Option<Quantiles>,
    reached: Vec<Reached>,
    /// The median over the games that made one.
    moves_to_2048: Option<u64>,
}

#[derive(Serialize)]
struct Quantiles {
    min: u128,
    p5: u128,
    p25: u128,
    p50: u128,
    p75: u128,
    p95: u128,
    max: u128,
}

/// How many games had at least a tile.
#[derive(Serialize)]
struct Reached {
    tile: u128,
    games: u64,
    share: f64,
    low: f64,
    high: f64,
}

impl Statistics {
    /// The statistics of games with a target, if they have one.
    pub fn new(summary: &Summary, target: Option<u8>) -> Statistics {
        let interval = summary.mean_score_interval();
        let last = summary.largest_tiles().last_key_value();
        let last = last.map_or(0, |(&exponent, _)| exponent.max(target.unwrap_or(0)));
        let reached = |exponent| {
            let games = summary.reached(exponent);
            let interval = wilson(games, summary.games());
            Reached {
                tile: tile_value(exponent),
                games,
                share: games as f64 / summary.games() as f64,
                low: interval.low,
                high: interval.high,
            }
        };
        Statistics {
            score_deviation: summary.score_deviation(),
            mean_score_low: interval.map(|interval| interval.low),
            mean_score_high: interval.map(|interval| interval.high),
            score_quantiles: Quantiles::new(summary),
            reached: (1..=last).map(reached).collect(),
            moves_to_2048: summary.median_moves_to_2048(),
        }
    }

    /// Lines for the readable answer, indented. A single game is its own spread, of which
    /// there is nothing to say.
    pub fn text(&self, seconds_to_2048: Option<f64>) -> String {
        let mut text = String::new();
        if let (Some(low), Some(high), Some(deviation)) = (
            self.mean_score_low,
            self.mean_score_high,
            self.score_deviation,
        ) {
            // Tiles that every game reached say nothing, but for the largest of them.
            let first = self.reached.iter().rposition(|tile| tile.share == 1.0);
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  reached at least (95 % interval):");
            for tile in &self.reached[first.unwrap_or(0)..] {
                let _ = writeln!(
                    text,
                    "  {:>8}  {:>5.1} %  ({:.1} to {:.1} %)",
                    tile.tile,
                    100.0 * tile.share,
                    100.0 * tile.low,
                    100.0 * tile.high
                );
            }
            let _ = writeln!(
                text,
                "  mean score between {low:.1} and {high:.1} (95 % interval), \
                 standard deviation {deviation:.1}"
            );
            if let Some(quantiles) = &self.score_quantiles {
                text.push_str(&quantiles.text());
            }
        }
        if let Some(moves) = self.moves_to_2048 {
            let moves = grouped(moves.into());
            let _ = match seconds_to_2048 {
                Some(seconds) => writeln!(
                    text,
                    "  first 2048 after {moves} moves and {seconds:.3} s (medians)"
                ),
                None => writeln!(text, "  first 2048 after {moves} moves (median)"),
            };
        }
        text
    }
}

impl Quantiles {
    fn new(summary: &Summary) -> Option<Quantiles> {
        let (min, max) = summary.score_range()?;
        let at = |percent| summary.score_quantile(percent);
        Some(Quantiles {
            min,
            p5: at(5)?,
            p25: at(25)?,
            p50: at(50)?,
            p75: at(75)?,
            p95: at(95)?,
            max,
        })
    }

    /// Two lines, one column for each quantile.
    fn text(&self) -> String {
        let columns = [
            ("lowest", self.min),
            ("5 %", self.p5),
            ("25 %", self.p25),
            ("median", self.p50),
            ("75 %", self.p75),
            ("95 %", self.p95),
            ("highest", self.max),
        ];
        let width = grouped(self.max).len().max("highest".len());
        let (mut names, mut scores) = ("  scores".to_owned(), " ".repeat(8));
        for (name, score) in columns {
            let _ = write!(names, "  {name:>width$}");
            let _ = write!(scores, "  {:>width$}", grouped(score));
        }
        format!("{names}\n{scores}\n")
    }
}

/// The largest tile at the end of each game, with the tile's value.
pub fn largest_tiles(summary: &Summary) -> BTreeMap<u128, u64> {
    let tiles = summary.largest_tiles().iter();
    tiles.map(|(&e, &games)| (tile_value(e), games)).collect()
}

/// The same as lines with bars.
pub fn largest_text(tiles: &BTreeMap<u128, u64>) -> String {
    let all: u64 = tiles.values().sum();
    let mut text = "  largest tile at the end:\n".to_owned();
    for (tile, &games) in tiles {
        let percent = 100.0 * games as f64 / all as f64;
        let bar = "█".repeat((percent * 0.4).ceil() as usize);
        let _ = writeln!(text, "  {tile:>8}  {percent:>5.1} %  {bar}");
    }
    text
}
