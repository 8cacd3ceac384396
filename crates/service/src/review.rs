//! What the moves of a game were worth.

use serde::{Deserialize, Serialize};
use tilebase_game::{Move, Variant, parse_tile};

use crate::cache::CachedTable;
use crate::error::ApiError;
use crate::limits;
use crate::service::Service;
use crate::table_id::{self, notation};
use crate::worth::Worth;

/// A game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewRequest {
    pub(crate) variant: String,
    start: String,
    moves: Vec<Made>,
}

/// A move, and the tile that fell then; the last move may be without one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Made {
    #[serde(rename = "move")]
    name: String,
    cell: Option<u16>,
    tile: Option<u64>,
}

/// Verdicts on all moves.
#[derive(Serialize)]
pub struct Verdicts {
    variant: String,
    start: String,
    moves: Vec<Verdict>,
    /// Numbers of the moves, from 0, that lost something.
    inaccuracies: Vec<usize>,
    /// The losses of all moves that are known, added up.
    loss: f64,
    /// The board at the end.
    board: String,
    #[serde(flatten)]
    worth: Worth,
}

/// A verdict on a move.
#[derive(Serialize)]
struct Verdict {
    board: String,
    #[serde(rename = "move")]
    name: &'static str,
    /// What the position was worth.
    before: Worth,
    /// What it was worth with this move.
    after: Worth,
    loss: Option<f64>,
    best: bool,
    best_moves: Vec<&'static str>,
    /// The next move from here on that lost something, this one included.
    next_inaccuracy: Option<usize>,
}

impl Service {
    /// `POST /api/v1/verdicts`
    pub(crate) fn verdicts(&self, request: &ReviewRequest) -> Result<Verdicts, ApiError> {
        if request.moves.len() > limits::GAME {
            let most = limits::GAME;
            return Err(ApiError::Request(format!("too many moves: at most {most}")));
        }
        let cached = self.table(&request.variant)?;
        judge(&cached, request)
    }
}

fn judge(cached: &CachedTable, request: &ReviewRequest) -> Result<Verdicts, ApiError> {
    cached.table.needs_values()?;
    let variant = &cached.question.variant;
    let shape = variant.shape();
    let mut board = table_id::board(&request.start, shape)?.1;
    let mut verdicts = Verdicts {
        variant: cached.question.to_string(),
        start: notation(&board.unpack(shape)),
        moves: Vec::new(),
        inaccuracies: Vec::new(),
        loss: 0.0,
        board: String::new(),
        worth: Worth::UNKNOWN,
    };
    for (at, made) in request.moves.iter().enumerate() {
        let wrong = |what: String| ApiError::Request(format!("move {at}: {what}"));
        let m: Move = made
            .name
            .parse()
            .map_err(|error| wrong(format!("{error}")))?;
        let truth = cached.table.probe(board)?;
        let answer = truth.moves.iter().find(|answer| answer.direction == m);
        let answer = answer.ok_or_else(|| wrong(format!("{m} is not legal here")))?;
        if answer.loss.is_some() && !answer.best {
            verdicts.inaccuracies.push(at);
        }
        verdicts.loss += answer.loss.filter(|_| !answer.best).unwrap_or(0.0);
        verdicts.moves.push(Verdict {
            board: notation(&board.unpack(shape)),
            name: m.name(),
            before: Worth::of(&cached.table, &truth),
            after: Worth::new(&cached.table, answer.value),
            loss: answer.loss,
            best: answer.best,
            best_moves: truth.best().iter().map(|m| m.name()).collect(),
            next_inaccuracy: None,
        });
        board = answer.afterstate;
        match (made.cell, made.tile) {
            (Some(cell), Some(tile)) => {
                let (row, col, exponent) = fallen(variant, cell, tile).map_err(wrong)?;
                if board.get(row, col) != 0 {
                    return Err(wrong(format!("cell {cell} is not empty")));
                }
                board = board.with(row, col, exponent);
            }
            // The last slide may be all there is so far.
            (None, None) if at + 1 == request.moves.len() => {}
            _ => return Err(wrong("say which tile fell, and into which cell".to_owned())),
        }
    }
    let mut next = None;
    for (at, verdict) in verdicts.moves.iter_mut().enumerate().rev() {
        if verdicts.inaccuracies.binary_search(&at).is_ok() {
            next = Some(at);
        }
        verdict.next_inaccuracy = next;
    }
    let complete = request.moves.last().is_none_or(|made| made.cell.is_some());
    if complete {
        let truth = cached.table.probe(board)?;
        verdicts.worth = Worth::of(&cached.table, &truth);
    } else if let Some(last) = verdicts.moves.last() {
        verdicts.worth = last.after;
    }
    verdicts.board = notation(&board.unpack(shape));
    Ok(verdicts)
}

/// The row, the column and the exponent of a tile that may fall.
fn fallen(variant: &Variant, cell: u16, tile: u64) -> Result<(u8, u8, u8), String> {
    let shape = variant.shape();
    let exponent = parse_tile(&tile.to_string()).map_err(|error| error.to_string())?;
    if variant.spawn().weight(exponent) == 0 {
        return Err(format!("no {tile} falls in this game"));
    }
    if cell >= shape.cells() {
        let last = shape.cells() - 1;
        return Err(format!(
            "there is no cell {cell}: cells are from 0 to {last}"
        ));
    }
    let cols = u16::from(shape.cols());
    Ok(((cell / cols) as u8, (cell % cols) as u8, exponent))
}
