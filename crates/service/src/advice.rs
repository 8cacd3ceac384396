//! What to do where no table knows: looking ahead.

use serde::Deserialize;
use tilebase_expectimax::{ExpectimaxOptions, SearchLimit};
use tilebase_game::{Grid, Shape, Spawn, Variant};
use tilebase_network::built_in;
use tilebase_play::{EvaluationKind, Expectimax, SearchConfig};

use crate::error::ApiError;
use crate::limits;
use crate::position::{MoveAnswer, Position, Search};
use crate::service::Service;
use crate::table_id::{self, notation};
use crate::worth::Worth;

/// What is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdviceRequest {
    board: String,
    /// Rows and columns; 4x4 if the board does not tell.
    shape: Option<String>,
    depth: Option<u8>,
}

impl Service {
    /// `GET /api/v1/advice`
    pub(crate) fn advice(&self, request: &AdviceRequest) -> Result<Position, ApiError> {
        let shape = request.shape.as_deref().map(str::parse::<Shape>);
        let shape = shape.transpose().map_err(ApiError::request)?;
        let grid = table_id::grid(&request.board, shape)?;
        let most = limits::DEPTH;
        if request
            .depth
            .is_some_and(|depth| !(1..=most).contains(&depth))
        {
            return Err(ApiError::Request(format!("use a depth from 1 to {most}")));
        }
        self.searchers.search(&grid, Spawn::STANDARD, request.depth)
    }
}

/// Those who look ahead, made when they are first needed.
#[derive(Default)]
pub struct Searchers {
    /// The one with learned weights, for 4x4 and the usual spawns.
    learned: std::sync::OnceLock<Expectimax>,
}

impl Searchers {
    /// Takes learned weights from the bytes of a file.
    pub fn load(&self, bytes: &[u8]) -> Result<(), ApiError> {
        let shape: Shape = "4x4".parse().map_err(ApiError::request)?;
        let variant = Variant::new(shape, None, Spawn::STANDARD, 2).map_err(ApiError::request)?;
        let kind = EvaluationKind::Network;
        let made = Expectimax::new(variant, kind, Some(bytes), looking(None));
        let made = made.map_err(ApiError::request)?;
        self.learned.get_or_init(|| made);
        Ok(())
    }

    /// Looks ahead from a position.
    pub fn search(
        &self,
        grid: &Grid,
        spawn: Spawn,
        depth: Option<u8>,
    ) -> Result<Position, ApiError> {
        let shape = grid.shape();
        let kind = match EvaluationKind::best_for(shape) {
            // A page may have fetched no weights.
            EvaluationKind::Network if built_in().is_none() && !self.has_learned(spawn) => {
                EvaluationKind::Smooth
            }
            kind => kind,
        };
        let looking = looking(depth);
        let variant =
            Variant::new(shape, None, spawn, shape.cells().min(2)).map_err(ApiError::request)?;
        let make = || Expectimax::new(variant, kind, None, looking).map_err(ApiError::request);
        let own;
        let learned = kind == EvaluationKind::Network && spawn == Spawn::STANDARD;
        let expectimax = match (learned, self.learned.get()) {
            (true, Some(ready)) => ready,
            (true, None) => {
                let made = make()?;
                self.learned.get_or_init(|| made)
            }
            (false, _) => {
                own = make()?;
                &own
            }
        };
        let mut position = Position {
            variant: variant.to_string(),
            board: notation(grid),
            tiles: grid.to_string(),
            standing: "live",
            exact: false,
            how: None,
            objective: None,
            worth: Worth::UNKNOWN,
            moves: Vec::new(),
            search: None,
        };
        if grid.is_lost() {
            position.standing = "lost";
            position.worth.category = "lost";
            return Ok(position);
        }
        let board = grid
            .pack_halved()
            .ok_or_else(|| ApiError::request("the board has tiles too large to be searched"))?;
        let Some(advice) = expectimax.searcher_with(looking).advise(board) else {
            return Ok(position);
        };
        let best = advice.moves.first().map(|best| best.value);
        position.how = Some("search");
        position.worth.value = best;
        position.worth.category = "open";
        let searched = board.unpack(shape);
        position.search = Some(Search {
            evaluation: kind.name(),
            depth: advice.depth,
            positions: advice.positions,
            searched_as: (searched != *grid).then(|| notation(&searched)),
        });
        let moves = advice.moves.iter().filter_map(|weighed| {
            let (after, gain) = grid.after(weighed.m)?;
            let loss = best.map(|best| best - weighed.value);
            Some(MoveAnswer {
                name: weighed.m.name(),
                worth: Worth {
                    value: Some(weighed.value),
                    category: "open",
                    ..Worth::UNKNOWN
                },
                loss,
                best: loss == Some(0.0),
                wins_now: false,
                gain,
                after: notation(&after),
                same_as: None,
            })
        });
        position.moves = moves.collect();
        Ok(position)
    }

    /// Whether learned weights are at hand for games with these new tiles.
    fn has_learned(&self, spawn: Spawn) -> bool {
        spawn == Spawn::STANDARD && self.learned.get().is_some()
    }
}

/// How far to look: so many slides, or as far as the limits allow.
fn looking(depth: Option<u8>) -> SearchConfig {
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
