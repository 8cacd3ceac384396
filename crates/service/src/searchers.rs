//! Expectimax searches of any game up to 4x4.

use std::sync::{Arc, Mutex};

use tilebase_expectimax::{ExpectimaxOptions, NO_EXTENSION, SearchLimit};
use tilebase_game::{Grid, Spawn, Variant};
use tilebase_network::{NTupleNetwork, shared};
use tilebase_play::{EvaluationKind, Expectimax, Forecast, SearchConfig};
use tilebase_schema::{Position, SearchSettings};
use tilebase_table::Objective;

use crate::cache::lock;
use crate::error::ApiError;
use crate::limits;
use crate::searched;

/// How far to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// As far as the limits of one position allow.
    Full,
    /// Slides to look ahead.
    Depth(u8),
    /// As far as many positions in one request allow.
    Quick,
    /// A slide: time is up.
    Least,
}

impl Effort {
    /// The effort that a request asks for.
    pub fn of(depth: Option<u8>) -> Result<Effort, ApiError> {
        let most = limits::DEPTH;
        match depth {
            None => Ok(Effort::Full),
            Some(depth) if (1..=most).contains(&depth) => Ok(Effort::Depth(depth)),
            Some(depth) => Err(ApiError::Request(format!(
                "invalid depth {depth}: use a number from 1 to {most}"
            ))),
        }
    }

    fn config(self) -> SearchConfig {
        let limit = match self {
            Effort::Full => SearchLimit::Positions {
                min_depth: 1,
                positions: limits::POSITIONS,
            },
            Effort::Depth(depth) => SearchLimit::Depth(depth),
            Effort::Quick => SearchLimit::Depth(limits::QUICK_DEPTH),
            Effort::Least => SearchLimit::Depth(1),
        };
        let mut options = ExpectimaxOptions::default();
        if let Effort::Quick | Effort::Least = self {
            options.extend_above = Some(NO_EXTENSION);
        }
        SearchConfig {
            limit,
            options,
            time: Some(limits::SEARCH),
        }
    }
}

/// Makes searches. They share one n-tuple network, whatever their spawn rules.
#[derive(Default)]
pub struct Searchers {
    /// The network that was loaded in place of the built-in one.
    network: Mutex<Option<Arc<NTupleNetwork>>>,
}

impl Searchers {
    /// Loads the n-tuple network from the bytes of its file, in place of one loaded before. Takes
    /// that one's memory too, unless it is in use: a page may not have enough for both.
    pub fn load(&self, bytes: &[u8]) -> Result<(), ApiError> {
        let mut loaded = lock(&self.network);
        match loaded.as_mut().and_then(Arc::get_mut) {
            Some(network) => network.replace(bytes).map_err(ApiError::request)?,
            None => {
                let network = NTupleNetwork::from_bytes(bytes).map_err(ApiError::request)?;
                *loaded = Some(Arc::new(network));
            }
        }
        Ok(())
    }

    /// The n-tuple network: the one that was loaded, or the built-in one. A page may have neither.
    fn network(&self) -> Result<Option<Arc<NTupleNetwork>>, ApiError> {
        if let Some(network) = lock(&self.network).clone() {
            return Ok(Some(network));
        }
        shared().map_err(|error| ApiError::Work(error.to_string()))
    }

    /// A search of a game's positions.
    pub fn search(
        &self,
        variant: &Variant,
        objective: Option<Objective>,
        effort: Effort,
    ) -> Result<GameSearch, ApiError> {
        let (kind, network) = match EvaluationKind::best_for(variant.shape()) {
            EvaluationKind::Smooth => (EvaluationKind::Smooth, None),
            EvaluationKind::Network => match self.network()? {
                Some(network) => (EvaluationKind::Network, Some(network)),
                None => (EvaluationKind::Smooth, None),
            },
        };
        let config = effort.config();
        let expectimax = Expectimax::new(*variant, kind, network, config);
        let expectimax = expectimax.map_err(ApiError::request)?;
        Ok(GameSearch {
            settings: searched::settings(kind, &config, &expectimax),
            variant: *variant,
            objective,
            expectimax,
        })
    }
}

/// A search of a game's positions.
pub struct GameSearch {
    variant: Variant,
    objective: Option<Objective>,
    expectimax: Expectimax,
    settings: SearchSettings,
}

impl GameSearch {
    /// Searches a position.
    pub fn position(&self, grid: &Grid) -> Position {
        let mut searcher = self.expectimax.searcher();
        let (settings, variant, objective) = (&self.settings, &self.variant, self.objective);
        // The forecast was fitted to games with the standard spawns.
        let forecast = Forecast::built_in().filter(|_| variant.spawn() == Spawn::STANDARD);
        searched::position(&mut *searcher, settings, variant, objective, forecast, grid)
    }
}
