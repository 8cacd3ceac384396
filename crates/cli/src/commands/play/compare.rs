//! `play --compare`: two players with the same dice.

use std::fmt::Write;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use clap::Parser;
use tilebase_game::tile_value;
use tilebase_play::{
    EvaluationKind, GameSink, GpuPlayer, PairedGames, PlayerFactory, Series, play_in_lockstep,
    play_pairs, play_part,
};
use tilebase_schema::{CompareAnswer, Compared, ComparedPlayer, SearchSettings};
use tilebase_util::Device;
use tilebase_util::progress::Progress;

use super::Play;
use super::players::{PlayerName, check_shape, gpu_failure, needs_search};
use super::statistics::statistics;
use crate::commands::search_options::{SearchOptions, does_not_search};
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{self, grouped};
use crate::progress::ProgressLine;

/// The most games of each player, if not given.
const GAMES: u64 = 1000;
/// Games that each player plays at a time, at first: for each thread, and on a GPU, which needs
/// many to be busy.
const GAMES_OF_A_THREAD: u64 = 8;
const GAMES_ON_GPU: u64 = 512;

/// The options of one of the players.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct PlayerOptions {
    #[arg(long, value_name = "NAME")]
    player: Option<PlayerName>,

    #[command(flatten)]
    search: SearchOptions,
}

impl PlayerOptions {
    /// Reads the options as if they stood on the command line.
    fn parse(text: &str) -> Result<PlayerOptions, Failure> {
        let named = |failure| named(text, failure);
        let options = PlayerOptions::try_parse_from(text.split_whitespace())
            .map_err(|error| named(Failure::from_clap(&error).unwrap_or(Failure::Interrupted)))?;
        if options.search.given() && options.name() != PlayerName::Expectimax {
            return Err(named(does_not_search(options.name().name())));
        }
        Ok(options)
    }

    /// The player; expectimax if there is no name.
    fn name(&self) -> PlayerName {
        self.player.unwrap_or(PlayerName::Expectimax)
    }
}

/// A failure that says which of the players it is about.
fn named(text: &str, failure: Failure) -> Failure {
    match failure {
        Failure::Request(message) => Failure::request(format!("--compare '{text}': {message}")),
        other => other,
    }
}

/// One of the players, ready to play.
struct Contestant {
    options: String,
    name: PlayerName,
    settings: Option<SearchSettings>,
    engine: Engine,
}

enum Engine {
    Processor(Box<dyn PlayerFactory>),
    Gpu(Box<GpuPlayer>),
}

impl Contestant {
    fn new(text: &str, series: &Series, device: Device) -> Result<Contestant, Failure> {
        let options = PlayerOptions::parse(text)?;
        let name = options.name();
        let (engine, settings) =
            Engine::new(&options, series, device).map_err(|failure| named(text, failure))?;
        Ok(Contestant {
            options: text.trim().to_owned(),
            name,
            settings,
            engine,
        })
    }

    /// Plays some games of the series.
    fn play(
        &mut self,
        series: &Series,
        games: Range<u64>,
        threads: usize,
        progress: &dyn Progress,
        sink: &dyn GameSink,
    ) -> Result<(), Failure> {
        match &mut self.engine {
            Engine::Processor(player) => {
                play_part(series, games, &**player, threads, progress, Some(sink));
            }
            Engine::Gpu(player) => {
                play_in_lockstep(series, games, &mut **player, threads, progress, Some(sink))?;
            }
        }
        Ok(())
    }

    fn gpu(&self) -> Result<Option<String>, Failure> {
        match &self.engine {
            Engine::Gpu(player) => Ok(Some(player.gpu_name()?)),
            _ => Ok(None),
        }
    }
}

impl Engine {
    fn new(
        options: &PlayerOptions,
        series: &Series,
        device: Device,
    ) -> Result<(Engine, Option<SearchSettings>), Failure> {
        match options.name() {
            PlayerName::Optimal => Err(Failure::request(
                "player optimal is not compared: 'tilebase play --table' measures the regret of a \
                 player against it",
            )),
            PlayerName::Kind(_) if device == Device::Cuda => Err(needs_search()),
            PlayerName::Kind(kind) => {
                check_shape(kind, series.variant.shape())?;
                Ok((Engine::Processor(Box::new(kind)), None))
            }
            PlayerName::Expectimax => {
                let default_limit = EvaluationKind::default_limit;
                let (player, settings) =
                    options.search.expectimax(series.variant, default_limit)?;
                let player = player.abandon_if(Arc::new(interrupt::asked));
                let engine = match device {
                    Device::Cpu => Engine::Processor(Box::new(player)),
                    Device::Cuda => Engine::Gpu(Box::new(player.on_gpu().map_err(gpu_failure)?)),
                };
                Ok((engine, Some(settings)))
            }
        }
    }
}

impl Play {
    /// Compares two players, and prints the result.
    pub(super) fn compare(
        &self,
        texts: &[String],
        series: Series,
        json: bool,
    ) -> Result<(), Failure> {
        if self.search.given() {
            return Err(Failure::request(
                "each player of --compare has its own options: write them in quotes, as in \
                 --compare '--depth 2' '--depth 3'",
            ));
        }
        let [a, b] = texts else {
            return Err(Failure::request(
                "--compare needs the options of two players",
            ));
        };
        let series = Series {
            games: self.games.unwrap_or(GAMES),
            ..series
        };
        let threads = self.threads.number();
        let start = Instant::now();
        let new = |text| Contestant::new(text, &series, self.device);
        let mut players = [new(a)?, new(b)?];
        let least = match self.device {
            Device::Cpu => GAMES_OF_A_THREAD * threads as u64,
            Device::Cuda => GAMES_ON_GPU,
        };
        let line = ProgressLine::new();
        let played = play_pairs(
            series.games,
            least,
            &line,
            |player, games, progress, sink| {
                players[player].play(&series, games, threads, progress, sink)
            },
        )?;
        let mut answer = self.compared(&series, &played, players)?;
        answer.seconds = start.elapsed().as_secs_f64();
        output::print(json, &answer, text)?;
        if interrupt::asked() {
            return Err(Failure::Interrupted);
        }
        Ok(())
    }

    /// The answer, without its time.
    fn compared(
        &self,
        series: &Series,
        played: &PairedGames,
        players: [Contestant; 2],
    ) -> Result<CompareAnswer, Failure> {
        let variant = series.variant;
        let (comparison, gpu) = (&played.comparison, players[0].gpu()?);
        let interval = comparison.interval();
        let [a, b] = players;
        let player = |own: Contestant, at: usize| ComparedPlayer {
            options: own.options,
            player: own.name.name().to_owned(),
            search: own.settings,
            games: statistics(&played.summaries[at], variant.target()),
        };
        Ok(CompareAnswer {
            shape: variant.shape().to_string(),
            to: variant.target().map(tile_value),
            spawn: variant.spawn().to_string(),
            start_tiles: variant.start_tiles(),
            seed: series.seed,
            most_games: series.games,
            pairs: comparison.pairs(),
            a: player(a, 0),
            b: player(b, 1),
            mean_difference: comparison.mean(),
            mean_difference_low: interval.map(|interval| interval.low),
            mean_difference_high: interval.map(|interval| interval.high),
            better: comparison.decided().map(|decided| match decided.is_gt() {
                true => Compared::A,
                false => Compared::B,
            }),
            seconds: 0.0,
            threads: self.threads.number(),
            device: self.device,
            gpu,
            interrupted: interrupt::asked(),
        })
    }
}

/// The readable answer.
fn text(answer: &CompareAnswer) -> String {
    let Some(difference) = answer.mean_difference else {
        return "no game was finished by both players\n".to_owned();
    };
    let games = |pairs: u64| match pairs {
        1 => "1 game".to_owned(),
        pairs => format!("{} games", grouped(pairs.into())),
    };
    let mut text = format!(
        "two players on {}, {} each with the same dice, seed {}\n",
        answer.shape,
        games(answer.pairs),
        answer.seed
    );
    for (name, player) in [("A", &answer.a), ("B", &answer.b)] {
        text.push_str(&player_text(name, player));
    }
    // Writing to a string cannot fail.
    let _ = write!(text, "  A less B: {difference:.1} points a game");
    let _ = match (answer.mean_difference_low, answer.mean_difference_high) {
        (Some(low), Some(high)) => {
            writeln!(text, ", between {low:.1} and {high:.1} (95 % interval)")
        }
        _ => writeln!(text, "; an interval needs 30 games"),
    };
    text.push_str(match answer.better {
        Some(Compared::A) => "  A is better\n",
        Some(Compared::B) => "  B is better\n",
        None => "  not decided\n",
    });
    let place = match &answer.gpu {
        Some(gpu) => gpu.clone(),
        None => format!("{} threads", answer.threads),
    };
    let _ = writeln!(text, "  {:.2} s on {place}", answer.seconds);
    text
}

/// The line about one of the players.
fn player_text(name: &str, player: &ComparedPlayer) -> String {
    let options = match player.options.as_str() {
        "" => "the default player",
        options => options,
    };
    let mean = player.games.mean_score.unwrap_or(0.0);
    let largest = player.games.reached.last().map_or(String::new(), |tile| {
        format!(", {} in {:.1} %", tile.tile, 100.0 * tile.share)
    });
    format!("  {name}  {options}: mean score {mean:.1}{largest}\n")
}
