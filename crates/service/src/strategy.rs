//! Strategies of Slider against Dropper.

use std::sync::{Arc, Mutex};

use schemars::JsonSchema;
use serde::Deserialize;
use tilebase_game::{Grid, Shape, tile_value};
use tilebase_prove::{
    Contest, DropTiles, ProofSearch, ProofSearchError, ProofSearchOptions, Strategy,
    StrategyChoice, Winner,
};
use tilebase_schema::{self as schema, Direction};

use crate::cache::lock;
use crate::deadline::Deadline;
use crate::error::ApiError;
use crate::limits;
use crate::probed::notation;
use crate::question::{Question, text};
use crate::service::{Response, Service};
use crate::spawns::cell;
use crate::table_id::{grid, packed, target};

/// `GET /api/v1/strategy`
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StrategyRequest {
    /// Rows and columns.
    #[schemars(with = "text::Shape")]
    shape: String,
    /// The target tile.
    to: String,
    /// The tiles that Dropper may drop; only 2s without it.
    #[schemars(extend("enum" = ["2", "4", "2,4"]))]
    drops: Option<String>,
    /// A state if Slider wins, an afterstate if Dropper does; the empty board without it.
    #[schemars(with = "Option<text::Board>")]
    board: Option<String>,
}

impl Question for StrategyRequest {
    const PATH: &str = "strategy";
    const SUMMARY: &str = "Slider against Dropper: who wins, and the winner's choice in a position";
    const EXAMPLE: &str = "shape=3x3&to=32&board=2,2,./.,.,./.,.,.";
    type Answer = schema::Strategy;

    fn answer(&self, service: &Service) -> Result<Response, ApiError> {
        let deadline = Deadline::new(limits::THINKING_TIME, &service.stop);
        Response::json(service.contests.answer(self, &deadline)?)
    }
}

/// A contest whose winner is known. There is no strategy if the target is out of reach whatever
/// Dropper does.
struct DecidedContest {
    contest: Contest,
    winner: Winner,
    strategy: Option<Strategy>,
}

/// Contests that are decided, the one used last at the end.
#[derive(Default)]
pub struct Contests(Mutex<Vec<Arc<DecidedContest>>>);

impl Contests {
    fn answer(
        &self,
        request: &StrategyRequest,
        deadline: &Deadline,
    ) -> Result<schema::Strategy, ApiError> {
        let shape: Shape = request.shape.parse().map_err(ApiError::request)?;
        let drops = request.drops.as_deref().map(str::parse::<DropTiles>);
        let drops = drops.transpose().map_err(ApiError::request)?;
        let drops = drops.unwrap_or(DropTiles::Twos);
        let contest =
            Contest::new(shape, target(&request.to)?, drops).map_err(ApiError::request)?;
        let empty = Grid::empty(shape).to_string();
        let (grid, packed) = packed(grid(
            request.board.as_deref().unwrap_or(&empty),
            Some(shape),
        )?)?;
        let decided = self.decide(contest, deadline)?;
        let choice = decided.strategy.as_ref().and_then(|s| s.choice(packed));
        let (slide, drop) = match choice {
            Some(StrategyChoice::Slide(m)) => (Some(Direction::from(m)), None),
            Some(StrategyChoice::Drop(exponent, row, col)) => (None, Some((exponent, row, col))),
            None => (None, None),
        };
        Ok(schema::Strategy {
            shape: shape.to_string(),
            to: tile_value(contest.target()),
            drops: drops.to_string(),
            winner: match decided.winner {
                Winner::Slider => schema::Winner::Slider,
                Winner::Dropper => schema::Winner::Dropper,
            },
            positions: decided.strategy.as_ref().map(Strategy::len),
            board: notation(&grid),
            direction: slide,
            cell: drop.map(|(_, row, col)| cell(row, col, shape)),
            tile: drop.map(|(exponent, ..)| tile_value(exponent)),
        })
    }

    fn decide(
        &self,
        contest: Contest,
        deadline: &Deadline,
    ) -> Result<Arc<DecidedContest>, ApiError> {
        let name = contest.to_string();
        let mut kept = lock(&self.0);
        let at = kept
            .iter()
            .position(|other| other.contest.to_string() == name);
        if let Some(at) = at {
            let decided = kept.remove(at);
            kept.push(Arc::clone(&decided));
            return Ok(decided);
        }
        drop(kept);
        let options = ProofSearchOptions {
            memory: limits::THINKING_MEMORY,
            ..ProofSearchOptions::default()
        };
        let search = ProofSearch::run(&contest, &options, deadline);
        let search = search.map_err(|error| match error {
            ProofSearchError::Memory { .. } | ProofSearchError::Interrupted => {
                ApiError::Request(format!("{contest} takes too much time or memory here"))
            }
            ProofSearchError::Thread(error) => {
                ApiError::Work(format!("cannot start a thread: {error}"))
            }
        })?;
        let decided = Arc::new(DecidedContest {
            contest,
            winner: search.winner(),
            strategy: Strategy::of(&search),
        });
        let mut kept = lock(&self.0);
        kept.push(Arc::clone(&decided));
        if kept.len() > limits::STRATEGIES {
            kept.remove(0);
        }
        Ok(decided)
    }
}
