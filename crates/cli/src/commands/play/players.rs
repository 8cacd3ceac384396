//! The players of `play`.

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use tilebase_game::{Shape, Variant};
use tilebase_play::{
    EvaluationKind, Expectimax, GpuPlayerError, Optimal, PlayerError, PlayerFactory, PlayerKind,
    RecordHeader, RegretTracker, Series, play_in_lockstep, play_timed,
};
use tilebase_schema::{RegretAnswer, SearchSettings};
use tilebase_table::{Table, TableError};
use tilebase_util::Device;

use super::Play;
use super::answer::regret_answer;
use super::record::{Recorded, recorded};
use crate::commands::probe;
use crate::commands::search_options::does_not_search;
use crate::failure::Failure;
use crate::interrupt;
use crate::progress::ProgressLine;

/// A player by name.
#[derive(Clone, Copy, PartialEq)]
pub enum PlayerName {
    Expectimax,
    Optimal,
    Kind(PlayerKind),
}

impl PlayerName {
    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            PlayerName::Expectimax => "expectimax",
            PlayerName::Optimal => "optimal",
            PlayerName::Kind(kind) => kind.name(),
        }
    }
}

impl FromStr for PlayerName {
    type Err = String;

    fn from_str(name: &str) -> Result<PlayerName, String> {
        match name {
            "expectimax" => Ok(PlayerName::Expectimax),
            "optimal" => Ok(PlayerName::Optimal),
            name => name
                .parse()
                .map(PlayerName::Kind)
                .map_err(|error: PlayerError| format!("{error}, expectimax or optimal")),
        }
    }
}

/// Games that were played, and what goes with them.
pub struct Outcome {
    /// The variant: the table's, if there is one.
    pub variant: Variant,
    /// The games.
    pub games: Recorded,
    /// How the player searched, if it did.
    pub search: Option<SearchSettings>,
    /// What its moves lost, if a table was given.
    pub regret: Option<RegretAnswer>,
    /// Name of the GPU, if it searched on one.
    pub gpu: Option<String>,
}

impl Outcome {
    /// Games and nothing else.
    pub fn new(variant: Variant, games: Recorded) -> Outcome {
        Outcome {
            variant,
            games,
            search: None,
            regret: None,
            gpu: None,
        }
    }
}

/// A series to play, by a player of this name.
struct Match<'a> {
    play: &'a Play,
    player: PlayerName,
    series: Series,
    threads: usize,
}

impl Match<'_> {
    /// Plays the series. `error` is asked for the table's error afterwards.
    fn play(
        &self,
        players: &dyn PlayerFactory,
        error: &dyn Fn() -> Option<Failure>,
    ) -> Result<Outcome, Failure> {
        let header = RecordHeader::of_series(&self.series, self.player.name());
        let games = recorded(self.play.record.as_deref(), &header, |sink| {
            let progress = ProgressLine::new();
            let result = play_timed(&self.series, players, self.threads, &progress, sink);
            error().map_or(Ok(result), Err)
        })?;
        Ok(Outcome::new(self.series.variant, games))
    }

    /// Plays the series on a GPU.
    fn play_on_gpu(&self, expectimax: &Expectimax) -> Result<Outcome, Failure> {
        let mut player = expectimax.on_gpu().map_err(gpu_failure)?;
        let header = RecordHeader::of_series(&self.series, self.player.name());
        let games = recorded(self.play.record.as_deref(), &header, |sink| {
            let progress = ProgressLine::new();
            let played = play_in_lockstep(
                &self.series,
                0..self.series.games,
                &mut player,
                self.threads,
                &progress,
                sink,
            );
            Ok(played?)
        })?;
        let mut outcome = Outcome::new(self.series.variant, games);
        outcome.gpu = Some(player.gpu_name()?);
        Ok(outcome)
    }

    /// Plays the series, and measures the regret of the player where there is a table.
    fn play_tracked(
        &self,
        players: &dyn PlayerFactory,
        table: Option<&Table>,
    ) -> Result<Outcome, Failure> {
        let Some(table) = table else {
            return self.play(players, &|| None);
        };
        let tracker = RegretTracker::new(players, table);
        let mut outcome = self.play(&tracker, &|| tracker.error().map(failure))?;
        let result = &outcome.games.result;
        let games = result.summary.games() + result.unfinished.games();
        outcome.regret = Some(regret_answer(table, &tracker.regret(), games));
        Ok(outcome)
    }
}

/// The library's error with the options that would help.
pub fn gpu_failure(error: GpuPlayerError) -> Failure {
    let hint = match &error {
        GpuPlayerError::Evaluation => "use --evaluation network",
        GpuPlayerError::Limit => "use --depth",
        GpuPlayerError::Cutoff => "leave out --cutoff",
        GpuPlayerError::Gpu(error) => return error.clone().into(),
    };
    Failure::request(format!("{error}: {hint}, or --device cpu"))
}

/// The failure of a player that does not search, on a GPU.
pub fn needs_search() -> Failure {
    Failure::request("a GPU searches: use --player expectimax, or leave out --device cuda")
}

/// Refuses a player on a shape that is too large for it.
pub fn check_shape(kind: PlayerKind, shape: Shape) -> Result<(), Failure> {
    match kind.plays_on(shape) {
        true => Ok(()),
        false => Err(Failure::request(format!(
            "player {kind} plays on shapes up to 4x4, not {shape}: use another player"
        ))),
    }
}

fn failure(error: &TableError) -> Failure {
    Failure::Work(error.to_string())
}

impl Play {
    /// Lets a player play. With a table, all players play its variant.
    pub(super) fn let_play(
        &self,
        player: PlayerName,
        variant: Variant,
        seed: u64,
        threads: usize,
    ) -> Result<Outcome, Failure> {
        if self.search.given() && player != PlayerName::Expectimax {
            return Err(does_not_search(player.name()));
        }
        let table = match &self.table {
            Some(dir) => Some(self.open_table(dir, variant)?),
            None => None,
        };
        let series = Series {
            variant: table.as_ref().map_or(variant, |table| *table.variant()),
            start: self.start()?,
            games: self.games.unwrap_or(1),
            seed,
        };
        let game = Match {
            play: self,
            player,
            series: series.clone(),
            threads,
        };
        match player {
            PlayerName::Kind(kind) => {
                check_shape(kind, self.shape)?;
                game.play_tracked(&kind, table.as_ref())
            }
            PlayerName::Expectimax => {
                let default_limit = EvaluationKind::default_limit;
                let (expectimax, settings) =
                    self.search.expectimax(series.variant, default_limit)?;
                let expectimax = expectimax.abandon_if(Arc::new(interrupt::asked));
                let mut outcome = match (self.device, &table) {
                    (Device::Cpu, table) => game.play_tracked(&expectimax, table.as_ref())?,
                    (Device::Cuda, None) => game.play_on_gpu(&expectimax)?,
                    (Device::Cuda, Some(_)) => {
                        return Err(Failure::request(
                            "regret is measured on the processor: leave out --table, or use --device cpu",
                        ));
                    }
                };
                outcome.search = Some(settings);
                Ok(outcome)
            }
            PlayerName::Optimal => {
                let Some(table) = table else {
                    return Err(Failure::request(
                        "player optimal needs a table: make one with 'tilebase solve', and give its directory with --table",
                    ));
                };
                let optimal = Optimal::new(table);
                game.play(&optimal, &|| optimal.error().map(failure))
            }
        }
    }

    /// Opens a table of the requested variant.
    fn open_table(&self, dir: &Path, variant: Variant) -> Result<Table, Failure> {
        let table = probe::open(dir)?;
        let own = table.variant();
        if own.formation().is_some() {
            return Err(Failure::request(format!(
                "the table is of {own}, and games with walls are not played: 'tilebase follow' \
                 says how they go, 'tilebase evaluate' how well a player does"
            )));
        }
        let same_target = self.variant.to.is_none() || variant.target() == own.target();
        if variant.shape() != own.shape() || !same_target {
            return Err(Failure::request(format!(
                "the table is of {own}, not {variant}: use the same game, or another table"
            )));
        }
        Ok(table)
    }
}
