//! `tilebase replay`: recorded games, checked or shown.

mod check;
mod review;
mod show;

use std::io::BufRead;
use std::path::PathBuf;

use clap::Args;
use tilebase_play::{GameLog, RecordError, RecordHeader, RecordReader};

use super::table_options::TableOptions;
use crate::arguments::whole;
use crate::failure::Failure;
use crate::standard;

/// Check recorded games, show one, or review its moves
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase play 4x4 --player greedy --games 100 --seed 1 --record games.tb
  tilebase replay games.tb                      check every move, and summarize the games
  tilebase replay games.tb --game 3             all positions of the third game
  tilebase replay games.tb --game 3 --last      the last one
  tilebase replay games.tb --game 3 --from 100 --every 10
  tilebase replay games.tb --game 3 --watch     play it back in the terminal
  tilebase replay games.tb --review             how good the moves of the first game were
  tilebase replay games.tb --game 3 --review --tables tables --json

A review compares every move with the best one: exactly where a table covers the position or the game
is small, by a search elsewhere. The accuracy is 100 % if no move lost anything that matters.
Games and moves are counted from 1; position 0 is the start.")]
pub struct Replay {
    /// Record of games, written by 'tilebase play --record'; - is stdin
    file: PathBuf,

    /// Show this game
    #[arg(long, value_name = "K", value_parser = whole::<1>)]
    game: Option<u64>,

    /// Show it from this position on
    #[arg(long, value_name = "MOVE", requires = "game", value_parser = whole::<0>,
          default_value_t = 0, hide_default_value = true)]
    from: u64,

    /// Show every N-th position, and the last one
    #[arg(long, value_name = "N", requires = "game", value_parser = whole::<1>,
          default_value_t = 1, hide_default_value = true)]
    every: u64,

    /// Show the last position only
    #[arg(long, requires = "game", conflicts_with_all = ["from", "every", "watch"])]
    last: bool,

    /// Play it back in the terminal, and then show the last position
    #[arg(long, requires = "game")]
    watch: bool,

    /// Milliseconds between positions
    #[arg(long, value_name = "MS", requires = "watch", value_parser = whole::<0>,
          default_value_t = 200)]
    delay: u64,

    /// Review the moves of a game: accuracy, grades, the worst five
    #[arg(long, conflicts_with_all = ["from", "every", "last", "watch"])]
    review: bool,

    /// Search this many slides deep in a review
    #[arg(long, value_name = "N", requires = "review", value_parser = clap::value_parser!(u8).range(1..=8))]
    depth: Option<u8>,

    #[command(flatten)]
    tables: TableOptions,
}

impl Replay {
    /// Checks all games, or shows one.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        match self.game {
            game if self.review => review::run(self, game.unwrap_or(1), json),
            Some(game) => show::run(self, game, json),
            None => check::run(self, json),
        }
    }

    /// Opens the file.
    fn reader(&self) -> Result<impl BufRead, Failure> {
        standard::open(&self.file).map_err(|error| self.failure(&error.into()))
    }

    /// Reads the file up to a game.
    fn find(&self, game: u64) -> Result<(RecordHeader, GameLog), Failure> {
        let failure = |error: RecordError| self.failure(&error);
        let mut reader = RecordReader::new(self.reader()?).map_err(failure)?;
        let mut games = 0;
        while let Some(log) = reader.next_game().map_err(failure)? {
            games += 1;
            if games == game {
                return Ok((reader.header().clone(), log));
            }
        }
        let name = standard::name(&self.file);
        Err(Failure::Request(match games {
            0 => format!("there is no game in {name}"),
            1 => format!("there is one game in {name}: use --game 1"),
            games => format!("there are {games} games in {name}: use --game 1 to {games}"),
        }))
    }

    /// The failure of a record.
    fn failure(&self, error: &RecordError) -> Failure {
        let name = standard::name(&self.file);
        Failure::Work(match error {
            RecordError::Read(error) => format!("{name}: {error}"),
            error => format!("{name} {}", problem(error)),
        })
    }
}

/// What is wrong with a record, and what would help.
fn problem(error: &RecordError) -> String {
    match error {
        RecordError::NotARecord => {
            format!("{error}: make one with 'tilebase play --record FILE'")
        }
        RecordError::Format(_) => format!("{error}: use a later version"),
        error => error.to_string(),
    }
}
