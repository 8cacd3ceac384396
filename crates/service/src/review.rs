//! Reviews: the moves of a game compared with best play.

use schemars::JsonSchema;
use serde::Deserialize;
use tilebase_game::{Board, Move, Variant, parse_tile};
use tilebase_schema::{Direction, Outlook, Review, ReviewedMove, Value};

use crate::cache::CachedTable;
use crate::error::ApiError;
use crate::limits;
use crate::probed::{best, notation, unit};
use crate::question::{Method, Question, text};
use crate::service::{Response, Service};
use crate::table_id;

/// `POST /api/v1/verdicts`
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewRequest {
    #[schemars(with = "text::VariantId")]
    variant: String,
    /// The first board.
    #[schemars(with = "text::Board")]
    start: String,
    /// The moves.
    #[schemars(length(max = limits::GAME))]
    moves: Vec<PlayedMove>,
}

/// A move and the tile that spawned after it. The last move may be without a tile.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PlayedMove {
    /// Direction of the slide.
    #[serde(rename = "move")]
    #[schemars(with = "Direction")]
    direction: String,
    /// The cell of the tile, numbered from 0 row by row.
    cell: Option<u16>,
    /// Value of the tile.
    tile: Option<u64>,
}

impl Question for ReviewRequest {
    const PATH: &str = "verdicts";
    const METHOD: Method = Method::Post;
    const SUMMARY: &str = "The moves of a game compared with best play";
    type Answer = Review;

    fn table(&self) -> Option<&str> {
        Some(&self.variant)
    }

    fn answer(&self, service: &Service) -> Result<Response, ApiError> {
        if self.moves.len() > limits::GAME {
            let most = limits::GAME;
            return Err(ApiError::Request(format!("too many moves: at most {most}")));
        }
        let cached = service.table(&self.variant)?;
        Response::json(review(&cached, self)?)
    }
}

fn review(cached: &CachedTable, request: &ReviewRequest) -> Result<Review, ApiError> {
    cached.table.needs_values()?;
    let shape = cached.id.variant.shape();
    let mut board = table_id::board(&request.start, shape)?.1;
    let mut review = Review {
        game: cached.probed().game(),
        start: notation(&board.unpack(shape)),
        moves: Vec::new(),
        mistakes: Vec::new(),
        loss: 0.0,
        accuracy: None,
        unit: Some(unit(cached.id.objective)),
        board: String::new(),
        value: Value::default(),
        outlook: Outlook::default(),
    };
    for (ply, played) in request.moves.iter().enumerate() {
        let wrong = |what: String| ApiError::Request(format!("moves[{ply}]: {what}"));
        let (reviewed, afterstate) = review_move(cached, board, ply, played)?;
        if reviewed.played.loss.is_some() && reviewed.played.is_best == Some(false) {
            review.mistakes.push(ply);
            review.loss += reviewed.played.loss.unwrap_or(0.0);
        }
        review.moves.push(reviewed);
        board = match (played.cell, played.tile) {
            (Some(cell), Some(tile)) => {
                place(&cached.id.variant, afterstate, cell, tile).map_err(wrong)?
            }
            // The last slide may be all there is so far.
            (None, None) if ply + 1 == request.moves.len() => afterstate,
            _ => return Err(wrong("cell and tile are missing".to_owned())),
        };
    }
    let mut next = None;
    for reviewed in review.moves.iter_mut().rev() {
        if review.mistakes.binary_search(&reviewed.ply).is_ok() {
            next = Some(reviewed.ply);
        }
        reviewed.next_mistake = next;
    }
    let is_afterstate = request
        .moves
        .last()
        .is_some_and(|played| played.cell.is_none());
    review.value = match review.moves.last() {
        Some(last) if is_afterstate => last.played.value,
        _ => cached.probed().position_value(&cached.table.probe(board)?),
    };
    review.board = notation(&board.unpack(shape));
    Ok(review)
}

/// A move, reviewed, and the board after its slide.
fn review_move(
    cached: &CachedTable,
    board: Board,
    ply: usize,
    played: &PlayedMove,
) -> Result<(ReviewedMove, Board), ApiError> {
    let wrong = |what: String| ApiError::Request(format!("moves[{ply}]: {what}"));
    let direction: Move = played
        .direction
        .parse()
        .map_err(|error| wrong(format!("{error}")))?;
    let probe = cached.table.probe(board)?;
    let found = probe.moves.iter().find(|m| m.direction == direction);
    let found = found.ok_or_else(|| wrong(format!("{direction} is not legal here")))?;
    let reviewed = ReviewedMove {
        ply,
        board: notation(&board.unpack(cached.id.variant.shape())),
        before: cached.probed().position_value(&probe),
        outlook_before: Outlook::default(),
        played: cached.probed().played(&probe, found),
        best: best(&probe).next(),
        best_moves: best(&probe).collect(),
        next_mistake: None,
    };
    Ok((reviewed, found.afterstate))
}

/// An afterstate with a tile, if that can spawn there.
fn place(variant: &Variant, afterstate: Board, cell: u16, tile: u64) -> Result<Board, String> {
    let shape = variant.shape();
    let exponent = parse_tile(&tile.to_string()).map_err(|error| error.to_string())?;
    if variant.spawn().weight(exponent) == 0 {
        return Err(format!("tile {tile} does not spawn in this game"));
    }
    if cell >= shape.cells() {
        let last = shape.cells() - 1;
        return Err(format!(
            "there is no cell {cell}: cells are numbered from 0 to {last}"
        ));
    }
    let cols = u16::from(shape.cols());
    let (row, col) = ((cell / cols) as u8, (cell % cols) as u8);
    if afterstate.get(row, col) != 0 {
        return Err(format!("cell {cell} is not empty"));
    }
    Ok(afterstate.with(row, col, exponent))
}
