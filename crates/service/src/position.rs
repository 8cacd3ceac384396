//! Positions, from a table or searched.

use schemars::JsonSchema;
use serde::Deserialize;
use tilebase_schema::{BatchEntry, BatchError, Position, Positions};
use tilebase_util::progress::Progress;

use crate::analysis::{Found, look_up};
use crate::deadline::Deadline;
use crate::error::ApiError;
use crate::formations::Solving;
use crate::limits;
use crate::question::{Method, Question, text};
use crate::searchers::Effort;
use crate::service::{Response, Service};

/// `GET /api/v1/position`
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionRequest {
    #[schemars(with = "text::VariantId")]
    variant: String,
    #[schemars(with = "text::Board")]
    board: String,
    /// Slides to look ahead where the position is searched; without it, as many as the limits
    /// allow.
    #[schemars(range(min = 1, max = limits::DEPTH))]
    depth: Option<u8>,
    /// Not needed: a position that no table knows is searched anyway.
    #[serde(default, rename = "search")]
    _search: bool,
}

/// `POST /api/v1/positions`
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionsRequest {
    #[schemars(with = "text::VariantId")]
    variant: String,
    /// The boards.
    #[schemars(with = "Vec<text::Board>", length(max = limits::BATCH))]
    boards: Vec<String>,
}

impl Question for PositionRequest {
    const PATH: &str = "position";
    const SUMMARY: &str = "The value of a position, and of each of its moves";
    const EXAMPLE: &str = "variant=4x4&board=4096,1024,128,8/2,16,64,4/4,2,8,2/.,.,2,.";
    type Answer = Position;

    fn table(&self) -> Option<&str> {
        Some(&self.variant)
    }

    fn is_long(&self, service: &Service) -> bool {
        is_searched(service, &self.variant, &self.board)
    }

    fn answer(&self, service: &Service) -> Result<Response, ApiError> {
        let effort = Effort::of(self.depth)?;
        let analysis = service.analysis(&self.variant)?;
        let grid = analysis.grid(&self.board)?;
        let mut position = analysis.position(grid.clone(), effort)?;
        let variant = &analysis.id.variant;
        position.formations = service.formations_of(&grid, variant, Solving::OnTheSpot)?;
        position.formations_on_demand = service.formations_on_demand(&grid, variant);
        Response::json(position)
    }
}

impl Question for PositionsRequest {
    const PATH: &str = "positions";
    const METHOD: Method = Method::Post;
    const SUMMARY: &str = "The values of up to 1000 positions, and of their moves";
    const EXAMPLE: &str =
        r#"{"variant": "4x4-to-2048", "boards": ["1024,512,64,2/.,128,32,4/.,.,16,8/.,.,2,2"]}"#;
    type Answer = Positions;

    fn table(&self) -> Option<&str> {
        Some(&self.variant)
    }

    fn is_long(&self, service: &Service) -> bool {
        let searched = |board: &String| is_searched(service, &self.variant, board);
        self.boards.iter().any(searched)
    }

    fn answer(&self, service: &Service) -> Result<Response, ApiError> {
        if self.boards.len() > limits::BATCH {
            let most = limits::BATCH;
            return Err(ApiError::Request(format!(
                "too many boards: at most {most} in one request"
            )));
        }
        let analysis = service.analysis(&self.variant)?;
        let deadline = Deadline::new(limits::BATCH_TIME, &service.stop);
        let positions = self.boards.iter().enumerate().map(|(index, board)| {
            let effort = match deadline.interrupted() {
                false => Effort::Quick,
                true => Effort::Least,
            };
            let grid = analysis.grid(board);
            let position = grid.and_then(|grid| {
                let mut position = analysis.position(grid.clone(), effort)?;
                let variant = &analysis.id.variant;
                position.formations = service.formations_of(&grid, variant, Solving::Before)?;
                Ok(position)
            });
            match position {
                Ok(position) => Ok(BatchEntry::Position(Box::new(position))),
                // A bad board fails alone.
                Err(ApiError::Request(error)) => Ok(BatchEntry::Error(BatchError {
                    index,
                    board: board.clone(),
                    error,
                })),
                Err(error) => Err(error),
            }
        });
        Response::json(Positions {
            positions: positions.collect::<Result<_, ApiError>>()?,
        })
    }
}

/// Whether an answer needs more than a lookup.
fn is_searched(service: &Service, variant: &str, board: &str) -> bool {
    let Ok((id, Some(table))) = service.known(variant) else {
        return true;
    };
    let grid = id.variant.parse_grid(board).map_err(ApiError::request);
    let found = grid.and_then(|grid| look_up(&table, grid));
    matches!(found, Ok(Found::Unknown { .. }))
}
