//! The truth about positions.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use tilebase_game::Grid;
use tilebase_table::{Answer as Truth, Standing};

use crate::advice;
use crate::fault::Fault;
use crate::laboratory::Lab;
use crate::limits;
use crate::question::{self, Question, notation};
use crate::reply::{Answered, Body, Query, Reply};
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
    variant: String,
    board: String,
    #[serde(default)]
    search: bool,
}

/// What is asked for many.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskedMany {
    variant: String,
    boards: Vec<String>,
}

/// Many positions.
#[derive(Serialize)]
pub struct Positions {
    positions: Vec<Position>,
}

/// `GET /api/v1/position`
pub async fn one(State(lab): Lab, Query(asked): Query<Asked>) -> Answered<Position> {
    let held = match lab.table(&asked.variant).await {
        Ok(held) => held,
        Err(Fault::Missing(_)) if asked.search => {
            let question = Question::parse(&asked.variant);
            let question = question.ok_or_else(|| unknown(&asked.variant))?;
            return searched(&lab, question, asked.board).await;
        }
        Err(fault) => return Err(fault),
    };
    let question = held.question;
    let text = asked.board.clone();
    let position = lab.look_up(move || position(&held, &text)).await?;
    if position.worth.category == "unknown" && asked.search && !position.moves.is_empty() {
        return searched(&lab, question, asked.board).await;
    }
    Ok(Reply::new(position))
}

async fn searched(
    lab: &crate::laboratory::Laboratory,
    question: Question,
    board: String,
) -> Answered<Position> {
    let grid = question::grid(&board, Some(question.variant.shape()))?;
    let target = question.variant.target();
    let won = target.is_some_and(|target| grid.reaches(target));
    let mut position = advice::search(lab, grid, question.variant.spawn(), None).await?;
    position.variant = question.to_string();
    if won {
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
    Ok(Reply::new(position))
}

/// `POST /api/v1/positions`
pub async fn many(State(lab): Lab, Body(asked): Body<AskedMany>) -> Answered<Positions> {
    if asked.boards.len() > limits::BATCH {
        return Err(Fault::Request(format!(
            "too many boards: at most {} at a time",
            limits::BATCH
        )));
    }
    let held = lab.table(&asked.variant).await?;
    let work = move || {
        let boards = asked.boards.iter();
        let positions = boards.map(|text| position(&held, text));
        positions.collect::<Result<Vec<Position>, Fault>>()
    };
    let positions = lab.look_up(work).await?;
    Ok(Reply::new(Positions { positions }))
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
            how: known.then_some(held.how()),
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
