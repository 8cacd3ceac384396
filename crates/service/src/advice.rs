//! Advice: positions searched by expectimax.

use std::sync::OnceLock;

use schemars::JsonSchema;
use serde::Deserialize;
use tilebase_expectimax::{ExpectimaxOptions, SearchLimit};
use tilebase_game::{Grid, Shape, Spawn, Variant};
use tilebase_network::built_in;
use tilebase_play::{EvaluationKind, Expectimax, SearchConfig};
use tilebase_schema::Position;

use crate::error::ApiError;
use crate::limits;
use crate::question::{Question, text};
use crate::searched;
use crate::service::{Response, Service};
use crate::table_id;

/// `GET /api/v1/advice`
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdviceRequest {
    #[schemars(with = "text::Board")]
    board: String,
    /// Rows and columns; needed for a hex board that is not square.
    #[schemars(with = "Option<text::Shape>")]
    shape: Option<String>,
    /// Slides to look ahead; without it, as many as the limits allow.
    #[schemars(range(min = 1, max = limits::DEPTH))]
    depth: Option<u8>,
}

impl Question for AdviceRequest {
    const PATH: &str = "advice";
    const SUMMARY: &str = "A position and its moves, searched by expectimax";
    type Answer = Position;

    fn answer(&self, service: &Service) -> Result<Response, ApiError> {
        let shape = self.shape.as_deref().map(str::parse::<Shape>);
        let shape = shape.transpose().map_err(ApiError::request)?;
        let grid = table_id::grid(&self.board, shape)?;
        let most = limits::DEPTH;
        if let Some(depth) = self.depth.filter(|depth| !(1..=most).contains(depth)) {
            return Err(ApiError::Request(format!(
                "invalid depth {depth}: use a number from 1 to {most}"
            )));
        }
        let shape = grid.shape();
        let variant = Variant::new(shape, None, Spawn::STANDARD, shape.cells().min(2));
        let variant = variant.map_err(ApiError::request)?;
        Response::json(service.searchers.search(&variant, &grid, self.depth)?)
    }
}

/// Expectimax searches.
#[derive(Default)]
pub struct Searchers {
    /// The one with the n-tuple network, for 4x4 and the standard spawns; made on first use.
    network: OnceLock<Expectimax>,
}

impl Searchers {
    /// Loads the n-tuple network from the bytes of its file.
    pub fn load(&self, bytes: &[u8]) -> Result<(), ApiError> {
        let shape: Shape = "4x4".parse().map_err(ApiError::request)?;
        let variant = Variant::new(shape, None, Spawn::STANDARD, 2).map_err(ApiError::request)?;
        let kind = EvaluationKind::Network;
        let loaded = Expectimax::new(variant, kind, Some(bytes), config(None));
        let loaded = loaded.map_err(ApiError::request)?;
        self.network.get_or_init(|| loaded);
        Ok(())
    }

    /// Searches a position of a game, to a depth or as far as the limits allow.
    pub fn search(
        &self,
        variant: &Variant,
        grid: &Grid,
        depth: Option<u8>,
    ) -> Result<Position, ApiError> {
        let spawn = variant.spawn();
        let kind = match EvaluationKind::best_for(variant.shape()) {
            // A page may not have fetched the network.
            EvaluationKind::Network if built_in().is_none() && !self.has_network(spawn) => {
                EvaluationKind::Smooth
            }
            kind => kind,
        };
        let config = config(depth);
        let make = || Expectimax::new(*variant, kind, None, config).map_err(ApiError::request);
        let own;
        let shared = kind == EvaluationKind::Network && spawn == Spawn::STANDARD;
        let expectimax = match (shared, self.network.get()) {
            (true, Some(ready)) => ready,
            (true, None) => {
                let made = make()?;
                self.network.get_or_init(|| made)
            }
            (false, _) => {
                own = make()?;
                &own
            }
        };
        let settings = searched::settings(kind, &config, expectimax);
        let mut searcher = expectimax.searcher_with(config);
        searched::position(&mut *searcher, &settings, variant, grid)
            .ok_or_else(|| ApiError::request("the tiles of the board are too large to search"))
    }

    /// Whether the n-tuple network is loaded for games with these spawns.
    fn has_network(&self, spawn: Spawn) -> bool {
        spawn == Spawn::STANDARD && self.network.get().is_some()
    }
}

/// The settings of a search to a depth, or as far as the limits allow.
fn config(depth: Option<u8>) -> SearchConfig {
    let limit = match depth {
        Some(depth) => SearchLimit::Depth(depth),
        None => SearchLimit::Positions {
            min_depth: 1,
            positions: limits::POSITIONS,
        },
    };
    SearchConfig {
        limit,
        options: ExpectimaxOptions::default(),
        time: Some(limits::SEARCH),
    }
}
