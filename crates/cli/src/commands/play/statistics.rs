//! The statistics of games that `play` and `replay` print.

use std::collections::BTreeMap;
use std::fmt::Write;

use tilebase_game::tile_value;
use tilebase_play::{Summary, wilson};
use tilebase_schema::{GameStatistics, ReachedTile, ScoreQuantiles};

use crate::output::grouped;

/// The statistics of games with this target, if they have one.
pub fn statistics(summary: &Summary, target: Option<u8>) -> GameStatistics {
    let interval = summary.mean_score_interval();
    let range = summary.score_range();
    let last = summary.largest_tiles().last_key_value();
    let last = last.map_or(0, |(&exponent, _)| exponent.max(target.unwrap_or(0)));
    GameStatistics {
        games: summary.games(),
        won: summary.won(),
        mean_score: summary.mean_score(),
        min_score: range.map(|(low, _)| low),
        max_score: range.map(|(_, high)| high),
        mean_moves: summary.mean_moves(),
        max_tile: games_by_tile(summary),
        score_deviation: summary.score_deviation(),
        mean_score_low: interval.map(|interval| interval.low),
        mean_score_high: interval.map(|interval| interval.high),
        score_quantiles: quantiles(summary),
        reached: (1..=last).map(|e| reached(summary, e)).collect(),
        moves_to_2048: summary.median_moves_to_2048(),
    }
}

/// Games by their largest tile.
pub fn games_by_tile(summary: &Summary) -> BTreeMap<u128, u64> {
    let tiles = summary.largest_tiles().iter();
    tiles.map(|(&e, &games)| (tile_value(e), games)).collect()
}

fn reached(summary: &Summary, exponent: u8) -> ReachedTile {
    let games = summary.reached(exponent);
    let interval = wilson(games, summary.games());
    ReachedTile {
        tile: tile_value(exponent),
        games,
        share: games as f64 / summary.games() as f64,
        low: interval.low,
        high: interval.high,
    }
}

fn quantiles(summary: &Summary) -> Option<ScoreQuantiles> {
    let (min, max) = summary.score_range()?;
    let at = |percent| summary.score_quantile(percent);
    Some(ScoreQuantiles {
        min,
        p5: at(5)?,
        p25: at(25)?,
        p50: at(50)?,
        p75: at(75)?,
        p95: at(95)?,
        max,
    })
}

/// The line with the mean score and the number of moves; `None` without a game.
pub fn mean_text(games: &GameStatistics) -> Option<String> {
    let (score, moves) = (games.mean_score?, games.mean_moves?);
    Some(format!(
        "  mean score {score:.1} (lowest {}, highest {}), {moves:.1} moves a game\n",
        grouped(games.min_score.unwrap_or(0)),
        grouped(games.max_score.unwrap_or(0)),
    ))
}

/// The largest tiles as lines with bars.
pub fn largest_text(tiles: &BTreeMap<u128, u64>) -> String {
    let all: u64 = tiles.values().sum();
    let mut text = "  largest tile at the end:\n".to_owned();
    for (tile, &games) in tiles {
        let percent = 100.0 * games as f64 / all as f64;
        let bar = "█".repeat((percent * 0.4).ceil() as usize);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {tile:>8}  {percent:>5.1} %  {bar}");
    }
    text
}

/// Lines about the spread of scores and tiles. A single game has none.
pub fn spread_text(games: &GameStatistics, seconds_to_2048: Option<f64>) -> String {
    let mut text = String::new();
    if let (Some(low), Some(high), Some(deviation)) = (
        games.mean_score_low,
        games.mean_score_high,
        games.score_deviation,
    ) {
        text.push_str(&reached_text(&games.reached));
        let _ = writeln!(
            text,
            "  mean score between {low:.1} and {high:.1} (95 % interval), \
             standard deviation {deviation:.1}"
        );
        if let Some(quantiles) = &games.score_quantiles {
            text.push_str(&quantiles_text(quantiles));
        }
    }
    if let Some(moves) = games.moves_to_2048 {
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

/// The share of games for each tile, from the largest tile that all games reached.
fn reached_text(reached: &[ReachedTile]) -> String {
    let first = reached.iter().rposition(|tile| tile.share == 1.0);
    let mut text = "  reached at least (95 % interval):\n".to_owned();
    for tile in &reached[first.unwrap_or(0)..] {
        let _ = writeln!(
            text,
            "  {:>8}  {:>5.1} %  ({:.1} to {:.1} %)",
            tile.tile,
            100.0 * tile.share,
            100.0 * tile.low,
            100.0 * tile.high
        );
    }
    text
}

/// Two lines, one column for each quantile.
fn quantiles_text(quantiles: &ScoreQuantiles) -> String {
    let columns = [
        ("lowest", quantiles.min),
        ("5 %", quantiles.p5),
        ("25 %", quantiles.p25),
        ("median", quantiles.p50),
        ("75 %", quantiles.p75),
        ("95 %", quantiles.p95),
        ("highest", quantiles.max),
    ];
    let width = grouped(quantiles.max).len().max("highest".len());
    let (mut names, mut scores) = ("  scores".to_owned(), " ".repeat(8));
    for (name, score) in columns {
        let _ = write!(names, "  {name:>width$}");
        let _ = write!(scores, "  {:>width$}", grouped(score));
    }
    format!("{names}\n{scores}\n")
}
