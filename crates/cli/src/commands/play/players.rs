//! The players that `play` lets play.

use std::path::Path;
use std::str::FromStr;

use tilebase_game::Variant;
use tilebase_play::{
    EvaluationKind, Judge, MakePlayer, Optimal, PlayerError, PlayerKind, RecordHeader, Series,
    play_timed,
};
use tilebase_table::{Table, TableError};

use super::Play;
use super::record::{Recorded, recorded};
use super::regret::Regret;
use crate::commands::probe;
use crate::commands::search_options::{SearchAnswer, kind_does_not_look};
use crate::failure::Failure;
use crate::progress::ProgressLine;

/// A player that can be asked for.
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
    /// The game: the table's, if there is one.
    pub variant: Variant,
    /// The games.
    pub games: Recorded,
    /// How the player looked ahead, if it does.
    pub search: Option<SearchAnswer>,
    /// What its moves cost, if there is a table that knows.
    pub regret: Option<Regret>,
}

impl Outcome {
    /// Games and nothing else.
    pub fn new(variant: Variant, games: Recorded) -> Outcome {
        Outcome {
            variant,
            games,
            search: None,
            regret: None,
        }
    }
}

impl Play {
    /// Lets a player play. With a table all play its game.
    pub(super) fn let_play(
        &self,
        player: PlayerName,
        variant: Variant,
        seed: u64,
        threads: usize,
    ) -> Result<Outcome, Failure> {
        if self.looking.given() && player != PlayerName::Expectimax {
            return Err(kind_does_not_look(player.name()));
        }
        let table = match &self.table {
            Some(dir) => Some(self.table_of(dir, variant)?),
            None => None,
        };
        let series = Series {
            variant: table.as_ref().map_or(variant, |table| *table.variant()),
            games: self.games,
            seed,
        };
        let play = |players: &dyn MakePlayer, fault: &dyn Fn() -> Option<Failure>| {
            let header = RecordHeader::of_series(&series, player.name());
            let games = recorded(self.record.as_deref(), &header, |games| {
                let progress = ProgressLine::new();
                let played = play_timed(&series, players, threads, &progress, games);
                fault().map_or(Ok(played), Err)
            })?;
            Ok(Outcome::new(series.variant, games))
        };
        let told = |error: Option<&TableError>| error.map(|e| Failure::Work(e.to_string()));
        // Players that may be wrong are judged, where a table knows better.
        let judged = |players: &dyn MakePlayer| match &table {
            None => play(players, &|| None),
            Some(table) => {
                let judge = Judge::new(players, table);
                let mut outcome = play(&judge, &|| told(judge.fault()))?;
                let games = outcome.games.played.summary.games();
                outcome.regret = Some(Regret::new(table, &judge.judgement(), games));
                Ok(outcome)
            }
        };
        match player {
            PlayerName::Kind(kind) if !kind.plays_on(self.shape) => Err(Failure::request(format!(
                "player {kind} plays on shapes up to 4x4, not {}: take another one",
                self.shape
            ))),
            PlayerName::Kind(kind) => judged(&kind),
            PlayerName::Expectimax => {
                let usual = EvaluationKind::effort;
                let (expectimax, search) = self.looking.expectimax(series.variant, usual)?;
                let mut outcome = judged(&expectimax)?;
                outcome.search = Some(search);
                Ok(outcome)
            }
            PlayerName::Optimal => {
                let Some(table) = &self.table else {
                    return Err(Failure::request(
                        "player optimal needs a table: make one with 'tilebase solve', and give its directory with --table",
                    ));
                };
                let optimal = Optimal::new(self.table_of(table, variant)?);
                play(&optimal, &|| told(optimal.fault()))
            }
        }
    }

    /// A table of the game that was asked for.
    fn table_of(&self, dir: &Path, variant: Variant) -> Result<Table, Failure> {
        let table = probe::open(dir)?;
        let own = table.variant();
        let same_target = self.variant.to.is_none() || variant.target() == own.target();
        if variant.shape() != own.shape() || !same_target {
            return Err(Failure::request(format!(
                "the table is of {own}, not {variant}: give the same game, or another table"
            )));
        }
        Ok(table)
    }
}
