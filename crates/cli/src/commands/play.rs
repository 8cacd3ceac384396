//! `tilebase play`: a game in the terminal, or many games by a player.

mod answer;
mod compare;
pub mod players;
mod record;
pub mod statistics;

use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use tilebase_game::{Grid, Rng, Shape, Variant};
use tilebase_play::{Game, GameSink, RecordHeader, Series, SeriesResult, Summary};
use tilebase_util::Device;

use self::answer::Setting;
use self::players::{Outcome, PlayerName, needs_search};
use self::record::{Recorded, recorded};
use super::search_options::SearchOptions;
use crate::arguments::{ThreadOptions, VariantOptions, device_parser, whole};
use crate::failure::Failure;
use crate::output;
use crate::{human, interrupt};

/// The target of a human's game without --to: that of the classic game.
const CLASSIC: (&str, u8) = ("4x4", 11);

/// Play in the terminal, or let a player play many games
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase play 4x4                     arrow keys, WASD or hjkl; u undoes a move
  tilebase play 3x3 --to 512 --seed 7   the same moves meet the same new tiles
  tilebase play 4x4 --player random --games 10000 --seed 1
  tilebase play 4x4 --player expectimax --games 20 --seed 1
  tilebase play 4x4 --player expectimax --games 2000 --seed 1 --device cuda
  tilebase play 4x4 --player expectimax --evaluation smooth --games 100 --seed 1
  tilebase play 4x4 --player expectimax --games 20 --board 4096,1024,128,8/2,16,64,4/4,2,8,2/.,.,2,.
  tilebase play 4x4 --compare \"--depth 2\" \"--depth 3\" --games 2000 --seed 1
  tilebase play 4x4 --compare \"--player one-ply\" \"--player greedy\" --seed 1
  tilebase play 5x5 --player greedy --games 100 --seed 1 --json
  tilebase play 3x3 --player optimal --table tables/3x3-512 --games 1000 --seed 1
  tilebase play 4x4 --player greedy --games 100 --seed 1 --record games.tb   then see 'tilebase replay'

Games of a player end at the target tile, or without --to when no move is left.
The same seed gives the same games on every machine, with any number of threads.")]
pub struct Play {
    /// Rows and columns, up to 32x32
    shape: Shape,

    #[command(flatten)]
    variant: VariantOptions,

    /// Let this player play instead of you: expectimax, optimal (with --table), random,
    /// greedy, corner or one-ply
    #[arg(long, value_name = "NAME", group = "players")]
    player: Option<PlayerName>,

    /// Compare two players with the same dice, until it is decided which scores more; A and B are
    /// options in quotes: --player (expectimax if left out) and those of player expectimax
    #[arg(long, value_names = ["A", "B"], num_args = 2, allow_hyphen_values = true,
          group = "players", conflicts_with_all = ["table", "record"])]
    compare: Option<Vec<String>>,

    /// Table of a solved game, made by 'tilebase solve': player optimal plays by it, and the
    /// regret of other players is measured by it
    #[arg(long, value_name = "DIR")]
    table: Option<PathBuf>,

    /// Number of games for the player [default: 1]; with --compare the most for each
    /// [default: 1000]
    #[arg(long, value_name = "N", requires = "players", value_parser = whole::<1>)]
    games: Option<u64>,

    /// Seed of the random numbers; random if not given
    #[arg(long, value_name = "S", value_parser = whole::<0>, allow_negative_numbers = true)]
    seed: Option<u64>,

    /// Start all games from this position: 0x0132 or .,2/8,4
    #[arg(long, value_name = "BOARD")]
    board: Option<String>,

    /// Record all games, move by move, in this file, for 'tilebase replay'
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    #[command(flatten)]
    threads: ThreadOptions,

    /// Where player expectimax searches
    #[arg(long, value_parser = device_parser(), default_value_t)]
    device: Device,

    #[command(flatten)]
    search: SearchOptions,
}

impl Play {
    /// Plays, and prints the result.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        let variant = self.variant.variant(self.shape)?;
        // Small enough to type again.
        let seed = self
            .seed
            .unwrap_or_else(|| RandomState::new().hash_one(std::process::id()) >> 44);
        let threads = self.threads.number();
        if let Some(players) = &self.compare {
            let series = Series {
                variant,
                start: self.start()?,
                games: 0,
                seed,
            };
            return self.compare(players, series, json);
        }
        if self.device == Device::Cuda && self.player != Some(PlayerName::Expectimax) {
            return Err(needs_search());
        }
        let start = Instant::now();
        let (player, outcome, threads) = match self.player {
            Some(player) => {
                let outcome = self.let_play(player, variant, seed, threads)?;
                (player.name(), outcome, threads)
            }
            None => ("human", self.let_human_play(variant, seed)?, 1),
        };
        let setting = Setting {
            player: player.to_owned(),
            seed,
            threads,
            device: self.device,
            seconds: start.elapsed().as_secs_f64(),
            record: self.record.clone(),
        };
        output::print(json, &answer::answer(setting, outcome), answer::text)?;
        if self.player.is_some() && interrupt::asked() {
            return Err(Failure::Interrupted);
        }
        Ok(())
    }

    /// Lets the user play.
    fn let_human_play(&self, mut variant: Variant, seed: u64) -> Result<Outcome, Failure> {
        if variant.target().is_none() && variant.shape().to_string() == CLASSIC.0 {
            let (spawn, tiles) = (variant.spawn(), variant.start_tiles());
            variant = Variant::new(self.shape, Some(CLASSIC.1), spawn, tiles)
                .map_err(Failure::request)?;
        }
        let games = self.record_human(variant, seed)?;
        Ok(Outcome::new(variant, games))
    }

    /// The user's games, recorded if there is a file for them.
    fn record_human(&self, variant: Variant, seed: u64) -> Result<Recorded, Failure> {
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
            |sink: Option<&dyn GameSink>| {
                let mut summary = Summary::default();
                for (result, log) in human::play(game, seed)? {
                    summary.add(&result);
                    if let Some(sink) = sink {
                        // Errors are reported when the file is finished.
                        sink.take(&log, &result);
                    }
                }
                Ok(SeriesResult {
                    summary,
                    ..SeriesResult::default()
                })
            },
        )
    }

    /// The first game of the user.
    fn game(&self, variant: Variant, seed: u64) -> Result<Game, Failure> {
        let rng = Rng::for_game(seed, 0);
        Ok(match self.start()? {
            Some(start) => Game::from_position(variant, start, rng),
            None => Game::new(variant, rng),
        })
    }

    /// The position to start from, if one was given.
    fn start(&self) -> Result<Option<Grid>, Failure> {
        let Some(board) = &self.board else {
            return Ok(None);
        };
        let grid = Grid::parse(board, Some(self.shape)).map_err(Failure::request)?;
        if grid.is_lost() {
            return Err(Failure::request(
                "no move is left on this board: start from another one",
            ));
        }
        Ok(Some(grid))
    }
}
