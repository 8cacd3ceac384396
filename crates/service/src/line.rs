//! Where best play goes.

use serde::{Deserialize, Serialize};
use tilebase_game::{Board, Grid, Rng, tile_value};
use tilebase_table::{Status, Value};

use crate::cache::CachedTable;
use crate::error::ApiError;
use crate::limits;
use crate::position::goes_on;
use crate::service::Service;
use crate::spawns::cell;
use crate::table_id::{self, notation};
use crate::worth::Worth;

/// Who says what falls.
#[derive(Clone, Copy, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Chance {
    /// Dice.
    #[default]
    Random,
    /// What helps most.
    Best,
    /// What hurts most.
    Worst,
}

/// What is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineRequest {
    pub(crate) variant: String,
    /// Where to start; by dice if not given.
    board: Option<String>,
    #[serde(default)]
    spawn: Chance,
    #[serde(default)]
    seed: u64,
    plies: Option<u32>,
}

/// A line of play.
#[derive(Serialize)]
pub struct Line {
    variant: String,
    start: String,
    spawn: Chance,
    seed: u64,
    steps: Vec<Step>,
    /// The board at the end.
    board: String,
    #[serde(flatten)]
    worth: Worth,
    /// `won`, `lost`, `plies` or `unknown`.
    end: &'static str,
    score: u64,
}

/// A move, and what fell then.
#[derive(Serialize)]
struct Step {
    board: String,
    #[serde(flatten)]
    worth: Worth,
    #[serde(rename = "move")]
    name: &'static str,
    gain: u32,
    after: String,
    cell: Option<u16>,
    tile: Option<u128>,
}

impl Service {
    /// `GET /api/v1/line`
    pub(crate) fn line(&self, request: &LineRequest) -> Result<Line, ApiError> {
        let plies = request.plies.unwrap_or(100);
        if plies > limits::PLIES {
            let most = limits::PLIES;
            return Err(ApiError::Request(format!("too many plies: at most {most}")));
        }
        let cached = self.table(&request.variant)?;
        follow(&cached, request, plies)
    }
}

fn follow(cached: &CachedTable, request: &LineRequest, plies: u32) -> Result<Line, ApiError> {
    let variant = &cached.question.variant;
    let shape = variant.shape();
    let mut dice = Rng::for_game(request.seed, 0);
    let mut board = match &request.board {
        Some(text) => table_id::board(text, shape)?.1,
        None => start(cached, &mut dice)?,
    };
    let mut line = Line {
        variant: cached.question.to_string(),
        start: notation(&board.unpack(shape)),
        spawn: request.spawn,
        seed: request.seed,
        steps: Vec::new(),
        board: String::new(),
        worth: Worth::UNKNOWN,
        end: "plies",
        score: 0,
    };
    loop {
        let truth = cached.table.probe(board)?;
        line.worth = Worth::of(&cached.table, &truth);
        line.board = notation(&board.unpack(shape));
        line.end = match truth.status {
            Status::Won => "won",
            Status::Lost => "lost",
            _ if !goes_on(&truth) => "unknown",
            _ => "plies",
        };
        let best = truth.moves.first().filter(|_| line.end == "plies");
        let Some(best) = best.filter(|_| line.steps.len() < plies as usize) else {
            return Ok(line);
        };
        line.score += u64::from(best.score);
        let mut step = Step {
            board: line.board.clone(),
            worth: line.worth,
            name: best.direction.name(),
            gain: best.score,
            after: notation(&best.afterstate.unpack(shape)),
            cell: None,
            tile: None,
        };
        board = best.afterstate;
        if !best.wins_now {
            let fallen = fall(cached, board, request.spawn, &mut dice)?;
            step.cell = Some(cell(fallen.0, fallen.1, cached));
            step.tile = Some(tile_value(fallen.2));
            board = board.with(fallen.0, fallen.1, fallen.2);
        }
        line.steps.push(step);
    }
}

/// A start by dice.
fn start(cached: &CachedTable, dice: &mut Rng) -> Result<Board, ApiError> {
    let variant = &cached.question.variant;
    let mut grid = Grid::empty(variant.shape());
    for _ in 0..variant.start_tiles() {
        grid.spawn(variant.spawn(), dice);
    }
    let board = grid.pack();
    board.ok_or_else(|| ApiError::request("the game is not one of packed boards"))
}

/// The row, the column and the exponent of the tile that falls.
fn fall(
    cached: &CachedTable,
    after: Board,
    chance: Chance,
    dice: &mut Rng,
) -> Result<(u8, u8, u8), ApiError> {
    let variant = &cached.question.variant;
    if let Chance::Random = chance {
        let mut grid = after.unpack(variant.shape());
        let place = grid.spawn(variant.spawn(), dice);
        let (row, col) = place.ok_or_else(full)?;
        return Ok((row, col, grid.get(row, col)));
    }
    let mut chosen = None;
    for outcome in cached.table.rules().spawns(after, variant.spawn()) {
        let value = cached.table.probe(outcome.board)?.value;
        let order = |other| Value::compare(cached.question.objective, value, other);
        let takes = match (chance, chosen) {
            (_, None) => true,
            (Chance::Worst, Some((other, _))) => order(other).is_lt(),
            (_, Some((other, _))) => order(other).is_gt(),
        };
        if takes {
            chosen = Some((value, (outcome.row, outcome.col, outcome.exponent)));
        }
    }
    chosen.map(|(_, place)| place).ok_or_else(full)
}

/// A slide always leaves an empty cell; a board that is none has no afterstate.
fn full() -> ApiError {
    ApiError::request("there is no empty cell for a tile to fall into")
}
