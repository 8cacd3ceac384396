//! The truth about positions.

use serde::{Deserialize, Serialize};
use tilebase_game::Grid;
use tilebase_table::{Probe as Truth, Status};

use crate::cache::{CachedTable, unknown};
use crate::error::ApiError;
use crate::limits;
use crate::service::Service;
use crate::table_id::{self, TableId, notation};
use crate::worth::Worth;

/// A position.
#[derive(Debug, Serialize)]
pub struct Position {
    pub variant: String,
    pub board: String,
    pub tiles: String,
    /// `live`, `won`, `lost` or `unreachable`.
    pub standing: &'static str,
    pub exact: bool,
    /// `table`, `solved` or `search`; unknown where nothing is known.
    pub how: Option<&'static str>,
    pub objective: Option<&'static str>,
    #[serde(flatten)]
    pub worth: Worth,
    /// Best first.
    pub moves: Vec<MoveAnswer>,
    /// How a search was made.
    pub search: Option<Search>,
}

/// How a position was searched.
#[derive(Debug, Serialize)]
pub struct Search {
    pub evaluation: &'static str,
    pub depth: u8,
    pub positions: u64,
    /// The board with halved tiles that was searched in its place, if it was.
    pub searched_as: Option<String>,
}

/// A legal move.
#[derive(Debug, Serialize)]
pub struct MoveAnswer {
    #[serde(rename = "move")]
    pub name: &'static str,
    #[serde(flatten)]
    pub worth: Worth,
    /// How much less it is worth than the best move.
    pub loss: Option<f64>,
    pub best: bool,
    pub wins_now: bool,
    /// Points of the slide.
    pub gain: u128,
    /// The board after the slide.
    pub after: String,
    /// An earlier move that leads to the same position up to symmetry.
    pub same_as: Option<&'static str>,
}

/// What is asked for one position.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionRequest {
    pub(crate) variant: String,
    board: String,
    #[serde(default)]
    pub(crate) search: bool,
}

/// What is asked for many.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionsRequest {
    pub(crate) variant: String,
    boards: Vec<String>,
}

/// Many positions.
#[derive(Serialize)]
pub struct Positions {
    positions: Vec<Position>,
}

impl Service {
    /// `GET /api/v1/position`
    pub(crate) fn position(&self, request: &PositionRequest) -> Result<Position, ApiError> {
        let cached = match self.table(&request.variant) {
            Ok(cached) => cached,
            Err(ApiError::Missing(_)) if request.search => {
                let question = TableId::parse(&request.variant);
                let question = question.ok_or_else(|| unknown(&request.variant))?;
                return self.searched(question, &request.board);
            }
            Err(error) => return Err(error),
        };
        let position = position(&cached, &request.board)?;
        if position.worth.category == "unknown" && request.search && !position.moves.is_empty() {
            return self.searched(cached.question, &request.board);
        }
        Ok(position)
    }

    fn searched(&self, question: TableId, board: &str) -> Result<Position, ApiError> {
        let grid = table_id::grid(board, Some(question.variant.shape()))?;
        let spawn = question.variant.spawn();
        let mut position = self.searchers.search(&grid, spawn, None)?;
        position.variant = question.to_string();
        let target = question.variant.target();
        if target.is_some_and(|target| grid.reaches(target)) {
            // Nothing is searched for after the win.
            position.standing = "won";
            position.how = None;
            position.worth = Worth {
                category: "won",
                ..Worth::UNKNOWN
            };
            position.moves = Vec::new();
            position.search = None;
        }
        Ok(position)
    }

    /// `POST /api/v1/positions`
    pub(crate) fn positions(&self, request: &PositionsRequest) -> Result<Positions, ApiError> {
        if request.boards.len() > limits::BATCH {
            return Err(ApiError::Request(format!(
                "too many boards: at most {} at a time",
                limits::BATCH
            )));
        }
        let cached = self.table(&request.variant)?;
        let boards = request.boards.iter();
        // Of many boards it must be told which one is wrong.
        let positions = boards.zip(0..).map(|(text, number)| {
            position(&cached, text).map_err(|error| match error {
                ApiError::Request(why) => {
                    ApiError::Request(format!("board {number} of the list: {why}"))
                }
                error => error,
            })
        });
        Ok(Positions {
            positions: positions.collect::<Result<_, ApiError>>()?,
        })
    }
}

/// What a table knows of a position.
pub fn position(cached: &CachedTable, text: &str) -> Result<Position, ApiError> {
    let (grid, board) = table_id::board(text, cached.question.variant.shape())?;
    let truth = cached.table.probe(board)?;
    Ok(Position::new(cached, &grid, &truth))
}

impl Position {
    fn new(cached: &CachedTable, grid: &Grid, truth: &Truth) -> Position {
        let shape = grid.shape();
        let moves = truth.moves.iter().map(|m| MoveAnswer {
            name: m.direction.name(),
            worth: Worth::new(&cached.table, m.value),
            loss: m.loss,
            best: m.best,
            wins_now: m.wins_now,
            gain: m.score.into(),
            after: notation(&m.afterstate.unpack(shape)),
            same_as: m.same_as.map(|m| m.name()),
        });
        let known = truth.value.is_some() || truth.moves.iter().any(|m| m.best);
        Position {
            variant: cached.question.to_string(),
            board: notation(grid),
            tiles: grid.to_string(),
            standing: truth.status.name(),
            exact: known,
            how: known.then_some(cached.how),
            objective: Some(cached.question.objective.name()),
            worth: Worth::of(&cached.table, truth),
            moves: moves.collect(),
            search: None,
        }
    }
}

/// Whether a game goes on from a position.
pub fn goes_on(truth: &Truth) -> bool {
    matches!(truth.status, Status::Live | Status::Unreachable) && truth.value.is_some()
}
