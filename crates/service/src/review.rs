//! Reviews: the moves of a game compared with best play.

use schemars::JsonSchema;
use serde::Deserialize;
use tilebase_game::{Grid, Move, Variant, parse_tile};
use tilebase_schema::{Direction, Position, Review};
use tilebase_util::progress::Progress;

use crate::deadline::Deadline;
use crate::error::ApiError;
use crate::limits;
use crate::question::{Method, Question, text};
use crate::reviewing::Reviewing;
use crate::searchers::Effort;
use crate::service::{Response, Service};

/// `POST /api/v1/verdicts`
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewRequest {
    #[schemars(with = "text::VariantId")]
    variant: String,
    /// The first board.
    #[schemars(with = "text::Board")]
    start: String,
    /// The moves. Where no table covers their positions, at most 2000.
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
    const EXAMPLE: &str = r#"{"variant": "4x4", "start": "1024,512,64,2/.,128,32,4/.,.,16,8/.,.,2,2",
        "moves": [{"move": "left", "cell": 15, "tile": 2}, {"move": "up"}]}"#;
    type Answer = Review;

    fn table(&self) -> Option<&str> {
        Some(&self.variant)
    }

    fn is_long(&self, _: &Service) -> bool {
        true
    }

    fn answer(&self, service: &Service) -> Result<Response, ApiError> {
        if self.moves.len() > limits::GAME {
            let most = limits::GAME;
            return Err(ApiError::Request(format!("too many moves: at most {most}")));
        }
        Response::json(self.review(service)?)
    }
}

impl ReviewRequest {
    fn review(&self, service: &Service) -> Result<Review, ApiError> {
        let analysis = service.analysis(&self.variant)?;
        if analysis.table.is_none() && self.moves.len() > limits::SEARCHED_GAME {
            return Err(too_many_searches());
        }
        let variant = &analysis.id.variant;
        let mut grid = analysis.grid(&self.start)?;
        let mut reviewing = Reviewing::new(&grid);
        let mut clock = SearchClock::new(service);
        for (ply, played) in self.moves.iter().enumerate() {
            let wrong = |what: String| ApiError::Request(format!("moves[{ply}]: {what}"));
            let m: Move = played
                .direction
                .parse()
                .map_err(|error| wrong(format!("{error}")))?;
            let position = analysis.position(grid.clone(), Effort::Quick)?;
            clock.count(&position, ply)?;
            if !reviewing.add(position, m.into()) || !analysis.slide(&mut grid, m) {
                return Err(wrong(format!("{m} is not legal here")));
            }
            match (played.cell, played.tile) {
                (Some(cell), Some(tile)) => {
                    place(variant, &mut grid, cell, tile).map_err(wrong)?;
                }
                // The last slide may be all there is so far.
                (None, None) if ply + 1 == self.moves.len() => {
                    return Ok(reviewing.finish(&grid, None));
                }
                _ => return Err(wrong("cell and tile are missing".to_owned())),
            }
        }
        let last = analysis.position(grid.clone(), Effort::Quick)?;
        Ok(reviewing.finish(&grid, Some(last)))
    }
}

/// Limits what a request may search.
struct SearchClock {
    searched: usize,
    deadline: Deadline,
}

impl SearchClock {
    fn new(service: &Service) -> SearchClock {
        SearchClock {
            searched: 0,
            deadline: Deadline::new(limits::REVIEW_TIME, &service.stop),
        }
    }

    /// Counts a position, and refuses to go on if it was one too many.
    fn count(&mut self, position: &Position, ply: usize) -> Result<(), ApiError> {
        self.searched += usize::from(position.search.is_some());
        if self.searched > limits::SEARCHED_GAME {
            return Err(too_many_searches());
        }
        if self.searched > 0 && self.deadline.interrupted() {
            return Err(ApiError::Busy(format!(
                "only {ply} moves could be reviewed in time: {PARTS}"
            )));
        }
        Ok(())
    }
}

/// What to do with a long game.
const PARTS: &str = "send the game in parts, each with the board that it starts from";

fn too_many_searches() -> ApiError {
    let most = limits::SEARCHED_GAME;
    ApiError::Request(format!(
        "too many moves: at most {most} in one request where no table covers them: {PARTS}"
    ))
}

/// Adds a tile to an afterstate, if it can spawn there.
fn place(variant: &Variant, afterstate: &mut Grid, cell: u16, tile: u64) -> Result<(), String> {
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
    afterstate.set(row, col, exponent);
    Ok(())
}
