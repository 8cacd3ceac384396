//! The truth about positions.

use serde::{Deserialize, Serialize};
use tilebase_game::Grid;
use tilebase_table::{Answer as Truth, Standing};

use crate::fault::Fault;
use crate::laboratory::Laboratory;
use crate::limits;
use crate::question::{self, Question, notation};
use crate::shelf::{Held, unknown};
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
pub struct Asked {
    pub(crate) variant: String,
    board: String,
    #[serde(default)]
    pub(crate) search: bool,
}

/// What is asked for many.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskedMany {
    pub(crate) variant: String,
    boards: Vec<String>,
}

/// Many positions.
#[derive(Serialize)]
pub struct Positions {
    positions: Vec<Position>,
}

impl Laboratory {
    /// `GET /api/v1/position`
    pub(crate) fn position(&self, asked: &Asked) -> Result<Position, Fault> {
        let held = match self.table(&asked.variant) {
            Ok(held) => held,
            Err(Fault::Missing(_)) if asked.search => {
                let question = Question::parse(&asked.variant);
                let question = question.ok_or_else(|| unknown(&asked.variant))?;
                return self.searched(question, &asked.board);
            }
            Err(fault) => return Err(fault),
        };
        let position = position(&held, &asked.board)?;
        if position.worth.category == "unknown" && asked.search && !position.moves.is_empty() {
            return self.searched(held.question, &asked.board);
        }
        Ok(position)
    }

    fn searched(&self, question: Question, board: &str) -> Result<Position, Fault> {
        let grid = question::grid(board, Some(question.variant.shape()))?;
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
    pub(crate) fn positions(&self, asked: &AskedMany) -> Result<Positions, Fault> {
        if asked.boards.len() > limits::BATCH {
            return Err(Fault::Request(format!(
                "too many boards: at most {} at a time",
                limits::BATCH
            )));
        }
        let held = self.table(&asked.variant)?;
        let boards = asked.boards.iter();
        // Of many boards it must be told which one is wrong.
        let positions = boards.zip(0..).map(|(text, number)| {
            position(&held, text).map_err(|fault| match fault {
                Fault::Request(why) => Fault::Request(format!("board {number} of the list: {why}")),
                fault => fault,
            })
        });
        Ok(Positions {
            positions: positions.collect::<Result<_, Fault>>()?,
        })
    }
}

/// What a table knows of a position.
pub fn position(held: &Held, text: &str) -> Result<Position, Fault> {
    let (grid, board) = question::board(text, held.question.variant.shape())?;
    let truth = held.table.probe(board)?;
    Ok(Position::new(held, &grid, &truth))
}

impl Position {
    fn new(held: &Held, grid: &Grid, truth: &Truth) -> Position {
        let shape = grid.shape();
        let moves = truth.moves.iter().map(|m| MoveAnswer {
            name: m.m.name(),
            worth: Worth::new(&held.table, m.value),
            loss: m.loss,
            best: m.best,
            wins_now: m.wins,
            gain: m.gain.into(),
            after: notation(&m.afterstate.unpack(shape)),
            same_as: m.same_as.map(|m| m.name()),
        });
        let known = truth.value.is_some() || truth.moves.iter().any(|m| m.best);
        Position {
            variant: held.question.to_string(),
            board: notation(grid),
            tiles: grid.to_string(),
            standing: truth.standing.name(),
            exact: known,
            how: known.then_some(held.how),
            objective: Some(held.question.objective.name()),
            worth: Worth::of(&held.table, truth),
            moves: moves.collect(),
            search: None,
        }
    }
}

/// Whether a game goes on from a position.
pub fn goes_on(truth: &Truth) -> bool {
    matches!(truth.standing, Standing::Live | Standing::Unreachable) && truth.value.is_some()
}
