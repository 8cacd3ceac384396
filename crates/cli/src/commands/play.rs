//! `tilebase play`: a game in the terminal, or many games by a player.

pub mod players;
mod record;
mod regret;
pub mod statistics;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use serde::Serialize;
use tilebase_game::{Grid, Rng, Shape, Variant, tile_value};
use tilebase_play::{Game, Played, RecordHeader, Summary, TakeGame, Times};

use self::players::{Outcome, PlayerName};
use self::record::{Recorded, recorded};
use self::regret::Regret;
use self::statistics::{Statistics, largest_text, largest_tiles};
use super::search_options::{SearchAnswer, SearchOptions};
use crate::arguments::{ThreadOptions, VariantOptions, whole};
use crate::failure::Failure;
use crate::output::{self, grouped};
use crate::{human, interrupt};

/// The target that a human plays for where the classic game has one.
const CLASSIC: (&str, u8) = ("4x4", 11);

/// Play in the terminal, or let a player play many games
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase play 4x4                     arrow keys, WASD or hjkl; u takes a move back
  tilebase play 3x3 --to 512 --seed 7   the same tiles fall whenever the same moves are made
  tilebase play 4x4 --player random --games 10000 --seed 1
  tilebase play 4x4 --player expectimax --games 20 --seed 1
  tilebase play 4x4 --player expectimax --evaluation smooth --games 100 --seed 1
  tilebase play 5x5 --player greedy --games 100 --seed 1 --json
  tilebase play 3x3 --player optimal --table tables/3x3-512 --games 1000 --seed 1
  tilebase play 4x4 --player greedy --games 100 --seed 1 --record games.tb   see 'tilebase replay'

A player's games end at the target tile, or without --to when no move is left.
The same seed gives the same games on every machine, with any number of threads.")]
pub struct Play {
    /// Rows and columns, up to 32x32
    shape: Shape,

    #[command(flatten)]
    variant: VariantOptions,

    /// Let this player play instead of you: expectimax, optimal (with --table), random,
    /// greedy, corner or one-ply
    #[arg(long, value_name = "NAME")]
    player: Option<PlayerName>,

    /// The table that the optimal player plays by, made by 'tilebase solve'
    #[arg(long, value_name = "DIR")]
    table: Option<PathBuf>,

    /// How many games the player plays
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true,
          requires = "player", value_parser = whole::<1>)]
    games: u64,

    /// Seed of the dice; drawn at random if not given
    #[arg(long, value_name = "S", value_parser = whole::<0>, allow_negative_numbers = true)]
    seed: Option<u64>,

    /// Start from this position (only when you play)
    #[arg(long, value_name = "BOARD", conflicts_with = "player")]
    board: Option<String>,

    /// Write all games, move by move, to this file, for 'tilebase replay'
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    #[command(flatten)]
    threads: ThreadOptions,

    #[command(flatten)]
    looking: SearchOptions,
}

#[derive(Serialize)]
struct Answer {
    shape: String,
    to: Option<u128>,
    spawn: String,
    start_tiles: u16,
    player: &'static str,
    games: u64,
    seed: u64,
    mean_score: Option<f64>,
    min_score: Option<u128>,
    max_score: Option<u128>,
    mean_moves: Option<f64>,
    max_tile: BTreeMap<u128, u64>,
    won: u64,
    moves_per_second: f64,
    seconds: f64,
    threads: usize,
    interrupted: bool,
    #[serde(flatten)]
    statistics: Statistics,
    seconds_to_2048: Option<f64>,
    moves_per_second_per_thread: f64,
    record: Option<PathBuf>,
    record_bytes: Option<u64>,
    search: Option<SearchAnswer>,
    regret: Option<Regret>,
}

impl Play {
    /// Plays, and prints how it went.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        let mut variant = self.variant.variant(self.shape)?;
        // Small enough to type in again.
        let seed = self
            .seed
            .unwrap_or_else(|| RandomState::new().hash_one(std::process::id()) >> 44);
        let threads = self.threads.number();
        let start = Instant::now();
        let (name, outcome, threads) = match self.player {
            Some(player) => {
                let outcome = self.let_play(player, variant, seed, threads)?;
                variant = outcome.variant;
                (player.name(), outcome, threads)
            }
            None => {
                if variant.target().is_none() && variant.shape().to_string() == CLASSIC.0 {
                    let (spawn, tiles) = (variant.spawn(), variant.start_tiles());
                    variant = Variant::new(self.shape, Some(CLASSIC.1), spawn, tiles)
                        .map_err(Failure::request)?;
                }
                let games = self.let_human_play(variant, seed)?;
                ("human", Outcome::new(variant, games), 1)
            }
        };
        let seconds = start.elapsed().as_secs_f64();
        let games = &outcome.games;
        let mut answer = Answer::new(variant, name, seed, &games.played, seconds, threads);
        answer.record = self.record.clone();
        answer.record_bytes = games.bytes;
        answer.search = outcome.search;
        answer.regret = outcome.regret;
        output::print(json, &answer, Answer::text)?;
        if self.player.is_some() && interrupt::asked() {
            return Err(Failure::Interrupted);
        }
        Ok(())
    }

    /// Lets the user play.
    fn let_human_play(&self, variant: Variant, seed: u64) -> Result<Recorded, Failure> {
        let game = self.game(variant, seed)?;
        let header = RecordHeader {
            variant,
            player: "human".to_owned(),
            seed,
            streams: 1,
            given_start: self.board.is_some(),
        };
        recorded(
            self.record.as_deref(),
            &header,
            |games: Option<&dyn TakeGame>| {
                let mut summary = Summary::default();
                for (record, log) in human::play(game, seed)? {
                    summary.add(&record);
                    if let Some(games) = games {
                        // What goes wrong is told when the file is finished.
                        games.take(&log);
                    }
                }
                let times = Times::default();
                Ok(Played { summary, times })
            },
        )
    }

    /// The game that a human begins with.
    fn game(&self, variant: Variant, seed: u64) -> Result<Game, Failure> {
        let rng = Rng::for_game(seed, 0);
        let Some(board) = &self.board else {
            return Ok(Game::new(variant, rng));
        };
        let grid = Grid::parse(board, Some(self.shape)).map_err(Failure::request)?;
        if grid.is_lost() {
            return Err(Failure::request(
                "no move is left on this board: start from one that can still slide",
            ));
        }
        Ok(Game::from_position(variant, grid, rng))
    }
}

impl Answer {
    fn new(
        variant: Variant,
        player: &'static str,
        seed: u64,
        played: &Played,
        seconds: f64,
        threads: usize,
    ) -> Answer {
        let (summary, times) = (&played.summary, &played.times);
        // A human's game is timed as a whole.
        let busy = match times.busy().as_secs_f64() {
            0.0 => seconds,
            busy => busy,
        };
        let range = summary.score_range();
        Answer {
            shape: variant.shape().to_string(),
            to: variant.target().map(tile_value),
            spawn: variant.spawn().to_string(),
            start_tiles: variant.start_tiles(),
            player,
            games: summary.games(),
            seed,
            mean_score: summary.mean_score(),
            min_score: range.map(|(low, _)| low),
            max_score: range.map(|(_, high)| high),
            mean_moves: summary.mean_moves(),
            max_tile: largest_tiles(summary),
            won: summary.won(),
            moves_per_second: summary.moves() as f64 / seconds,
            seconds,
            threads,
            interrupted: interrupt::asked(),
            statistics: Statistics::new(summary, variant.target()),
            seconds_to_2048: times.median_to_2048().map(|time| time.as_secs_f64()),
            moves_per_second_per_thread: summary.moves() as f64 / busy,
            record: None,
            record_bytes: None,
            search: None,
            regret: None,
        }
    }

    fn text(&self) -> String {
        let (Some(score), Some(moves)) = (self.mean_score, self.mean_moves) else {
            return "no game was finished".to_owned();
        };
        let percent = |games: u64| 100.0 * games as f64 / self.games as f64;
        let games = if self.games == 1 { "game" } else { "games" };
        let mut text = format!(
            "{} on {}: {} {games}, seed {}\n",
            self.player,
            self.shape,
            grouped(self.games.into()),
            self.seed
        );
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "  mean score {score:.1} (lowest {}, highest {}), {moves:.1} moves a game",
            grouped(self.min_score.unwrap_or(0)),
            grouped(self.max_score.unwrap_or(0)),
        );
        if let Some(to) = self.to {
            let _ = writeln!(
                text,
                "  reached {to} in {} ({:.1} %)",
                grouped(self.won.into()),
                percent(self.won)
            );
        }
        text.push_str(&largest_text(&self.max_tile));
        text.push_str(&self.statistics.text(self.seconds_to_2048));
        if let Some(regret) = &self.regret {
            text.push_str(&regret.text());
        }
        if let (Some(file), Some(bytes)) = (&self.record, self.record_bytes) {
            let _ = writeln!(
                text,
                "  recorded in {}, {} bytes",
                file.display(),
                grouped(bytes.into())
            );
        }
        let _ = writeln!(
            text,
            "  {} moves a second on {} threads, {:.2} s",
            grouped(self.moves_per_second as u128),
            self.threads,
            self.seconds
        );
        text
    }
}
