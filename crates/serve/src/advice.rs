//! What to do where no table knows: looking ahead.

use std::sync::Arc;

use axum::extract::State;
use serde::Deserialize;
use tilebase_expectimax::{Effort, Options};
use tilebase_game::{Grid, Shape, Spawn, Variant};
use tilebase_play::{EvaluationKind, Expectimax, Looking, packed};

use crate::fault::Fault;
use crate::laboratory::{Lab, Laboratory};
use crate::limits;
use crate::position::{MoveAnswer, Position, Search};
use crate::question::{self, notation};
use crate::reply::{Answered, Query, Reply};
use crate::worth::Worth;

/// What is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    board: String,
    /// Rows and columns; 4x4 if the board does not tell.
    shape: Option<String>,
    depth: Option<u8>,
}

/// `GET /api/v1/advice`
pub async fn advice(State(lab): Lab, Query(asked): Query<Asked>) -> Answered<Position> {
    let shape = asked.shape.as_deref().map(str::parse::<Shape>);
    let shape = shape.transpose().map_err(Fault::request)?;
    let grid = question::grid(&asked.board, shape)?;
    if asked
        .depth
        .is_some_and(|depth| !(1..=limits::DEPTH).contains(&depth))
    {
        let most = limits::DEPTH;
        return Err(Fault::Request(format!("use a depth from 1 to {most}")));
    }
    let position = search(&lab, grid, Spawn::STANDARD, asked.depth).await?;
    Ok(Reply::new(position))
}

/// Looks ahead from a position.
pub async fn search(
    lab: &Laboratory,
    grid: Grid,
    spawn: Spawn,
    depth: Option<u8>,
) -> Result<Position, Fault> {
    let searchers = Arc::clone(&lab.searchers);
    lab.work(move || searchers.search(&grid, spawn, depth))
        .await
}

/// Those who look ahead, made when they are first needed.
#[derive(Default)]
pub struct Searchers {
    /// The one with learned weights, for 4x4 and the usual spawns.
    learned: std::sync::OnceLock<Expectimax>,
}

impl Searchers {
    fn search(&self, grid: &Grid, spawn: Spawn, depth: Option<u8>) -> Result<Position, Fault> {
        let shape = grid.shape();
        let kind = EvaluationKind::best_for(shape);
        let effort = match depth {
            Some(depth) => Effort::Depth(depth),
            None => Effort::Positions {
                from: 1,
                enough: limits::POSITIONS,
            },
        };
        let looking = Looking {
            effort,
            options: Options::default(),
            time: Some(limits::SEARCH),
        };
        let variant =
            Variant::new(shape, None, spawn, shape.cells().min(2)).map_err(Fault::request)?;
        let make = || Expectimax::new(variant, kind, None, looking).map_err(Fault::request);
        let own;
        let learned = kind == EvaluationKind::Tuples && spawn == Spawn::STANDARD;
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
        let board = packed(grid)
            .ok_or_else(|| Fault::request("the board has tiles too large to be searched"))?;
        let Some(advice) = expectimax.seeker_looking(looking).advise(board) else {
            return Ok(position);
        };
        let best = advice.moves.first().map(|best| best.worth);
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
            let loss = best.map(|best| best - weighed.worth);
            Some(MoveAnswer {
                name: weighed.m.name(),
                worth: Worth {
                    value: Some(weighed.worth),
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
}
