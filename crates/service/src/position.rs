//! Positions, from a table or searched.

use schemars::JsonSchema;
use serde::Deserialize;
use tilebase_schema::{Position, Positions, Status};

use crate::cache::{CachedTable, no_such_variant};
use crate::error::ApiError;
use crate::limits;
use crate::question::{Method, Question, text};
use crate::searched;
use crate::service::{Response, Service};
use crate::table_id::{self, TableId};

/// `GET /api/v1/position`
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionRequest {
    #[schemars(with = "text::VariantId")]
    variant: String,
    #[schemars(with = "text::Board")]
    board: String,
    /// Search the position if no table knows it.
    #[serde(default)]
    search: bool,
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
    type Answer = Position;

    fn table(&self) -> Option<&str> {
        Some(&self.variant)
    }

    fn is_long(&self, service: &Service) -> bool {
        self.search || matches!(service.cache.get(&self.variant), Ok(None))
    }

    fn answer(&self, service: &Service) -> Result<Response, ApiError> {
        let cached = match service.table(&self.variant) {
            Ok(cached) => cached,
            Err(ApiError::Missing(_)) if self.search => {
                let id = TableId::parse(&self.variant);
                let id = id.ok_or_else(|| no_such_variant(&self.variant))?;
                return Response::json(service.search(id, &self.board)?);
            }
            Err(error) => return Err(error),
        };
        let position = probe(&cached, &self.board)?;
        if !position.exact && self.search && !position.moves.is_empty() {
            return Response::json(service.search(cached.id, &self.board)?);
        }
        Response::json(position)
    }
}

impl Question for PositionsRequest {
    const PATH: &str = "positions";
    const METHOD: Method = Method::Post;
    const SUMMARY: &str = "The values of up to 1000 positions, and of their moves";
    type Answer = Positions;

    fn table(&self) -> Option<&str> {
        Some(&self.variant)
    }

    fn answer(&self, service: &Service) -> Result<Response, ApiError> {
        if self.boards.len() > limits::BATCH {
            let most = limits::BATCH;
            return Err(ApiError::Request(format!(
                "too many boards: at most {most} in one request"
            )));
        }
        let cached = service.table(&self.variant)?;
        // The error says which of the boards is wrong.
        let positions = self.boards.iter().enumerate().map(|(at, text)| {
            probe(&cached, text).map_err(|error| match error {
                ApiError::Request(why) => ApiError::Request(format!("boards[{at}]: {why}")),
                error => error,
            })
        });
        Response::json(Positions {
            positions: positions.collect::<Result<_, ApiError>>()?,
        })
    }
}

impl Service {
    /// Searches a position of a game that has no table, or whose table does not know it.
    fn search(&self, id: TableId, board: &str) -> Result<Position, ApiError> {
        let variant = &id.variant;
        let grid = table_id::grid(board, Some(variant.shape()))?;
        if variant.target().is_some_and(|target| grid.reaches(target)) {
            return Ok(searched::ended(variant, &grid, Status::Won));
        }
        self.searchers.search(variant, &grid, None)
    }
}

/// What a table knows about a position.
fn probe(cached: &CachedTable, text: &str) -> Result<Position, ApiError> {
    let (grid, board) = table_id::board(text, cached.id.variant.shape())?;
    let probe = cached.table.probe(board)?;
    Ok(cached.probed().position(&grid, &probe))
}
