//! Slider against Dropper: what the proven strategy does.

use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};
use tilebase_game::{Shape, tile_value};
use tilebase_prove::{
    Contest, DropTiles, ProofSearch, ProofSearchError, ProofSearchOptions, Strategy, StrategyChoice,
};

use crate::cache::lock;
use crate::deadline::Deadline;
use crate::error::ApiError;
use crate::limits;
use crate::service::Service;
use crate::table_id::{board, notation, target};

/// What is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrategyRequest {
    shape: String,
    to: String,
    drops: Option<String>,
    /// A state if Slider wins, an afterstate if Dropper does; the empty board if not given.
    board: Option<String>,
}

/// The winner's choice.
#[derive(Serialize)]
pub struct Duel {
    shape: String,
    to: u128,
    drops: String,
    winner: String,
    /// Positions with a choice; null where nothing has to be chosen.
    positions: Option<usize>,
    board: String,
    /// Slider's move.
    #[serde(rename = "move")]
    slide: Option<&'static str>,
    /// Dropper's cell and tile.
    cell: Option<u16>,
    tile: Option<u128>,
}

/// A contest that is settled; without a strategy where the target is out of reach anyway.
struct Settled {
    contest: Contest,
    winner: String,
    strategy: Option<Strategy>,
}

/// Contests that are settled, the one used last at the end.
#[derive(Default)]
pub struct Contests(Mutex<Vec<Arc<Settled>>>);

impl Service {
    /// `GET /api/v1/strategy`
    pub(crate) fn strategy(&self, request: &StrategyRequest) -> Result<Duel, ApiError> {
        let deadline = Deadline::new(limits::THOUGHT, &self.stop);
        self.contests.answer(request, &deadline)
    }
}

impl Contests {
    fn answer(&self, request: &StrategyRequest, deadline: &Deadline) -> Result<Duel, ApiError> {
        let shape: Shape = request.shape.parse().map_err(ApiError::request)?;
        let drops = request
            .drops
            .as_deref()
            .map(str::parse::<DropTiles>)
            .transpose();
        let drops = drops.map_err(|error| ApiError::Request(error.to_string()))?;
        let drops = drops.unwrap_or(DropTiles::Twos);
        let contest =
            Contest::new(shape, target(&request.to)?, drops).map_err(ApiError::request)?;
        let empty = vec![".".to_owned(); usize::from(shape.cols())].join(",");
        let empty = vec![empty; usize::from(shape.rows())].join("/");
        let (grid, packed) = board(request.board.as_deref().unwrap_or(&empty), shape)?;
        let settled = self.settled(contest, deadline)?;
        let choice = settled.strategy.as_ref().and_then(|s| s.choice(packed));
        let (slide, drop) = match choice {
            Some(StrategyChoice::Slide(m)) => (Some(m.name()), None),
            Some(StrategyChoice::Drop(exponent, row, col)) => (None, Some((exponent, row, col))),
            None => (None, None),
        };
        let cols = u16::from(shape.cols());
        Ok(Duel {
            shape: shape.to_string(),
            to: tile_value(contest.target()),
            drops: drops.to_string(),
            winner: settled.winner.clone(),
            positions: settled.strategy.as_ref().map(Strategy::len),
            board: notation(&grid),
            slide,
            cell: drop.map(|(_, row, col)| u16::from(row) * cols + u16::from(col)),
            tile: drop.map(|(exponent, ..)| tile_value(exponent)),
        })
    }

    fn settled(&self, contest: Contest, deadline: &Deadline) -> Result<Arc<Settled>, ApiError> {
        let name = contest.to_string();
        let mut kept = lock(&self.0);
        let at = kept
            .iter()
            .position(|other| other.contest.to_string() == name);
        if let Some(at) = at {
            let settled = kept.remove(at);
            kept.push(Arc::clone(&settled));
            return Ok(settled);
        }
        drop(kept);
        let options = ProofSearchOptions {
            memory: limits::THOUGHT_MEMORY,
            ..ProofSearchOptions::default()
        };
        let search =
            ProofSearch::run(&contest, &options, deadline).map_err(|error| match error {
                ProofSearchError::Memory { .. } | ProofSearchError::Interrupted => {
                    ApiError::request(
                        "the contest is too large to be settled here: use 'tilebase prove'",
                    )
                }
                ProofSearchError::Thread(error) => {
                    ApiError::Work(format!("cannot start a thread: {error}"))
                }
            })?;
        let settled = Arc::new(Settled {
            contest,
            winner: search.winner().to_string(),
            strategy: Strategy::of(&search),
        });
        let mut kept = lock(&self.0);
        kept.push(Arc::clone(&settled));
        if kept.len() > limits::STRATEGIES {
            kept.remove(0);
        }
        Ok(settled)
    }
}
