//! The options of expectimax searches, shared by several commands.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use tilebase_expectimax::{ExpectimaxOptions, MAX_DEPTH, NO_EXTENSION, SearchLimit};
use tilebase_game::{Spawn, Variant};
use tilebase_play::{EvaluationKind, Expectimax, ExpectimaxError, Forecast, SearchConfig};
use tilebase_schema::SearchSettings;
use tilebase_service::searched;

use super::network_file;
use crate::arguments::whole;
use crate::failure::Failure;

/// The options of expectimax searches.
#[derive(Args)]
#[command(next_help_heading = "Options of player expectimax")]
pub struct SearchOptions {
    /// Evaluation at the leaves: network (an n-tuple network, 4x4 only) or smooth (hand-written)
    /// [default: network on 4x4, smooth elsewhere]
    #[arg(long, value_name = "NAME")]
    evaluation: Option<EvaluationKind>,

    /// Search this many slides deep [default: 3 with network]
    #[arg(long, value_name = "N", value_parser = depth, conflicts_with_all = ["positions", "time"])]
    depth: Option<u8>,

    /// Search one slide deeper until this many positions were seen [default: 10000 with smooth]
    #[arg(long, value_name = "N", value_parser = whole::<1>, conflicts_with = "time")]
    positions: Option<u64>,

    /// Search deeper for this many milliseconds a move; games then depend on the machine
    #[arg(long, value_name = "MS", value_parser = whole::<1>)]
    time: Option<u64>,

    /// Prune lines that arise with less than this probability [default: 0]
    #[arg(long, value_name = "P", value_parser = probability)]
    cutoff: Option<f64>,

    /// Prune slides whose one-ply value is below the best by more than this; inf prunes none
    /// [default: 30000 with network, inf with smooth]
    #[arg(long, value_name = "POINTS", value_parser = points)]
    pruning_margin: Option<f64>,

    /// Search boards with more than N distinct tiles deeper, by a slide for each tile above N;
    /// 16 for never [default: 9 with network, never with smooth]
    #[arg(long, value_name = "N", value_parser = distinct_tiles,
          conflicts_with_all = ["positions", "time"])]
    extend_above: Option<u8>,

    /// Network file to use instead of the built-in one, made by 'tilebase train'
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
}

fn depth(text: &str) -> Result<u8, String> {
    match text.parse() {
        Ok(depth) if (1..=MAX_DEPTH).contains(&depth) => Ok(depth),
        _ => Err(format!("use a whole number from 1 to {MAX_DEPTH}")),
    }
}

fn probability(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(p) if (0.0..1.0).contains(&p) => Ok(p),
        _ => Err("use a number from 0 up to, not including, 1".to_owned()),
    }
}

fn points(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(points) if points >= 0.0 => Ok(points),
        _ => Err("use a number of points from 0, or inf".to_owned()),
    }
}

fn distinct_tiles(text: &str) -> Result<u8, String> {
    match text.parse() {
        Ok(tiles) if tiles <= NO_EXTENSION => Ok(tiles),
        _ => Err(format!("use a whole number from 0 to {NO_EXTENSION}")),
    }
}

/// The failure of search options with a player that does not search.
pub fn does_not_search(player: &str) -> Failure {
    Failure::request(format!(
        "player {player} does not search: leave out the options of expectimax"
    ))
}

impl SearchOptions {
    /// Whether searches depend on the clock.
    pub fn timed(&self) -> bool {
        self.time.is_some()
    }

    /// Whether any of the options was given.
    pub fn given(&self) -> bool {
        self.evaluation.is_some()
            || self.depth.is_some()
            || self.positions.is_some()
            || self.time.is_some()
            || self.cutoff.is_some()
            || self.pruning_margin.is_some()
            || self.extend_above.is_some()
            || self.network.is_some()
    }

    /// The forecast that goes with the search: it was fitted to the built-in network and the
    /// standard spawns.
    pub fn forecast(&self, spawn: Spawn) -> Option<&'static Forecast> {
        let fits = self.network.is_none() && spawn == Spawn::STANDARD;
        Forecast::built_in().filter(|_| fits)
    }

    /// The expectimax player of a variant with these options, and its settings for answers.
    /// `default_limit` applies if no limit was given.
    pub fn expectimax(
        &self,
        variant: Variant,
        default_limit: impl Fn(EvaluationKind) -> SearchLimit,
    ) -> Result<(Expectimax, SearchSettings), Failure> {
        let evaluation = self.evaluation(variant)?;
        let config = self.config(evaluation, default_limit(evaluation));
        let network = self
            .network
            .as_deref()
            .map(network_file::read)
            .transpose()?;
        let expectimax = Expectimax::new(variant, evaluation, network.map(Arc::new), config)
            .map_err(SearchOptions::failure)?;
        let settings = searched::settings(evaluation, &config, &expectimax);
        Ok((expectimax, settings))
    }

    fn evaluation(&self, variant: Variant) -> Result<EvaluationKind, Failure> {
        match (self.evaluation, &self.network) {
            (Some(EvaluationKind::Smooth), Some(_)) => Err(Failure::request(
                "evaluation smooth has no network: leave --network out, or use --evaluation network",
            )),
            (Some(kind), _) => Ok(kind),
            (None, Some(_)) => Ok(EvaluationKind::Network),
            (None, None) => Ok(EvaluationKind::best_for(variant.shape())),
        }
    }

    fn config(&self, evaluation: EvaluationKind, default_limit: SearchLimit) -> SearchConfig {
        let min_depth = match evaluation.default_limit() {
            SearchLimit::Positions { min_depth, .. } => min_depth,
            SearchLimit::Depth(_) => 1,
        };
        let limit = match (self.depth, self.positions, self.time) {
            (Some(depth), _, _) => SearchLimit::Depth(depth),
            (_, Some(positions), _) => SearchLimit::Positions {
                min_depth,
                positions,
            },
            (_, _, Some(_)) => SearchLimit::Positions {
                min_depth: 1,
                positions: u64::MAX,
            },
            _ => default_limit,
        };
        let defaults = ExpectimaxOptions::default();
        SearchConfig {
            limit,
            options: ExpectimaxOptions {
                cutoff: self.cutoff.unwrap_or(defaults.cutoff),
                pruning_margin: self.pruning_margin,
                extend_above: self.extend_above,
                ..defaults
            },
            time: self.time.map(Duration::from_millis),
        }
    }

    /// The library's error with the options that would help.
    fn failure(error: ExpectimaxError) -> Failure {
        match error {
            ExpectimaxError::Network(error) => Failure::Work(error.to_string()),
            error @ ExpectimaxError::NetworkShape(_) => {
                Failure::request(format!("{error}: use --evaluation smooth"))
            }
            error @ ExpectimaxError::NoNetwork => Failure::request(format!(
                "{error}: give one with --network, or use --evaluation smooth"
            )),
            error @ ExpectimaxError::Walls(_) => Failure::request(format!(
                "{error}: use --player random, greedy, corner or one-ply"
            )),
            error @ ExpectimaxError::TooLarge(_) => {
                Failure::request(format!("{error}: use another player"))
            }
        }
    }
}
