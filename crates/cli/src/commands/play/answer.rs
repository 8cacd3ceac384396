//! The answer of `play`, and its text.

use std::fmt::Write;
use std::path::PathBuf;

use tilebase_game::tile_value;
use tilebase_play::{Regret, Summary};
use tilebase_schema::{PlayAnswer, RegretAnswer, UnfinishedGames};
use tilebase_table::Table;
use tilebase_util::Device;

use super::players::Outcome;
use super::statistics::{games_by_tile, largest_text, mean_text, spread_text, statistics};
use crate::interrupt;
use crate::output::{self, grouped};

/// How a series was played.
pub struct Setting {
    /// Name of the player.
    pub player: String,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Threads that played.
    pub threads: usize,
    /// Where the player searched.
    pub device: Device,
    /// Wall-clock time.
    pub seconds: f64,
    /// The record file, if there is one.
    pub record: Option<PathBuf>,
}

/// The answer for games that were played.
pub fn answer(setting: Setting, outcome: Outcome) -> PlayAnswer {
    let variant = outcome.variant;
    let (summary, timing) = (&outcome.games.result.summary, &outcome.games.result.timing);
    let moves = summary.moves() + outcome.games.result.unfinished.moves();
    // A human's games are timed as a whole.
    let busy = match timing.busy().as_secs_f64() {
        0.0 => setting.seconds,
        busy => busy,
    };
    PlayAnswer {
        shape: variant.shape().to_string(),
        to: variant.target().map(tile_value),
        spawn: variant.spawn().to_string(),
        start_tiles: variant.start_tiles(),
        player: setting.player,
        seed: setting.seed,
        games: statistics(summary, variant.target()),
        moves_per_second: moves as f64 / setting.seconds,
        moves_per_second_per_thread: moves as f64 / busy,
        seconds_to_2048: timing.median_to_2048().map(|time| time.as_secs_f64()),
        seconds: setting.seconds,
        threads: setting.threads,
        device: setting.device,
        gpu: outcome.gpu,
        interrupted: interrupt::asked(),
        unfinished: unfinished(&outcome.games.result.unfinished),
        record: setting.record,
        record_bytes: outcome.games.bytes,
        search: outcome.search,
        regret: outcome.regret,
    }
}

fn unfinished(summary: &Summary) -> Option<UnfinishedGames> {
    (summary.games() > 0).then(|| UnfinishedGames {
        games: summary.games(),
        mean_score: summary.mean_score(),
        mean_moves: summary.mean_moves(),
        max_tile: games_by_tile(summary),
    })
}

/// The regret of this many games, as answers give it.
pub fn regret_answer(table: &Table, regret: &Regret, games: u64) -> RegretAnswer {
    let mean = |total: f64| (games > 0).then(|| total / games as f64);
    RegretAnswer {
        objective: table.objective().to_string(),
        per_game: mean(regret.loss()),
        mistakes_per_game: mean(regret.mistakes as f64),
        moves: regret.moves,
    }
}

/// The readable answer.
pub fn text(answer: &PlayAnswer) -> String {
    let games = &answer.games;
    let Some(mean) = mean_text(games) else {
        return format!("no game was finished\n{}", unfinished_text(answer));
    };
    let mut text = format!(
        "{} on {}: {} {}, seed {}\n{mean}",
        answer.player,
        answer.shape,
        grouped(games.games.into()),
        if games.games == 1 { "game" } else { "games" },
        answer.seed
    );
    if let Some(to) = answer.to {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "  reached {to} in {} ({:.1} %)",
            grouped(games.won.into()),
            100.0 * games.won as f64 / games.games as f64
        );
    }
    text.push_str(&largest_text(&games.max_tile));
    text.push_str(&spread_text(games, answer.seconds_to_2048));
    if let Some(regret) = &answer.regret {
        text.push_str(&regret_text(regret));
    }
    if let (Some(file), Some(bytes)) = (&answer.record, answer.record_bytes) {
        let _ = writeln!(
            text,
            "  recorded in {}, {} bytes",
            file.display(),
            grouped(bytes.into())
        );
    }
    text.push_str(&unfinished_text(answer));
    text.push_str(&speed_text(answer));
    text
}

/// The line about games that were not finished, if there are any.
fn unfinished_text(answer: &PlayAnswer) -> String {
    let Some(games) = &answer.unfinished else {
        return String::new();
    };
    format!(
        "  not finished, and not counted above: {} {}, so far with a mean score of {:.1} in {:.1} moves\n",
        grouped(games.games.into()),
        if games.games == 1 { "game" } else { "games" },
        games.mean_score.unwrap_or(0.0),
        games.mean_moves.unwrap_or(0.0),
    )
}

fn speed_text(answer: &PlayAnswer) -> String {
    let seconds = answer.seconds;
    match &answer.gpu {
        Some(gpu) => format!(
            "  {} moves a second on {gpu} while playing, {seconds:.2} s in all\n",
            grouped(answer.moves_per_second_per_thread as u128),
        ),
        None => format!(
            "  {} moves a second on {} threads, {seconds:.2} s\n",
            grouped(answer.moves_per_second as u128),
            answer.threads,
        ),
    }
}

fn regret_text(regret: &RegretAnswer) -> String {
    match (regret.per_game, regret.mistakes_per_game) {
        (Some(loss), Some(mistakes)) => format!(
            "  loses {} a game against optimal play ({}), by {mistakes:.2} mistakes\n",
            output::small(loss),
            regret.objective
        ),
        _ => String::new(),
    }
}
