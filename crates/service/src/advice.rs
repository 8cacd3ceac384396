//! Advice: positions searched by expectimax.

use schemars::JsonSchema;
use serde::Deserialize;
use tilebase_game::{Shape, Spawn, Variant};
use tilebase_schema::Position;

use crate::error::ApiError;
use crate::formations::Solving;
use crate::limits;
use crate::question::{Question, text};
use crate::searchers::Effort;
use crate::service::{Response, Service};
use crate::table_id;

/// `GET /api/v1/advice`
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdviceRequest {
    #[schemars(with = "text::Board")]
    board: String,
    /// Rows and columns; needed for a hex board that is not square.
    #[schemars(with = "Option<text::Shape>")]
    shape: Option<String>,
    /// Slides to look ahead; without it, as many as the limits allow.
    #[schemars(range(min = 1, max = limits::DEPTH))]
    depth: Option<u8>,
}

impl Question for AdviceRequest {
    const PATH: &str = "advice";
    const SUMMARY: &str = "A position and its moves, searched by expectimax";
    const EXAMPLE: &str = "board=1024,512,64,2/.,128,32,4/.,.,16,8/.,.,2,2&depth=3";
    type Answer = Position;

    fn answer(&self, service: &Service) -> Result<Response, ApiError> {
        let shape = self.shape.as_deref().map(str::parse::<Shape>);
        let shape = shape.transpose().map_err(ApiError::request)?;
        let grid = table_id::grid(&self.board, shape)?;
        let effort = Effort::of(self.depth)?;
        let shape = grid.shape();
        let variant = Variant::new(shape, None, Spawn::STANDARD, shape.cells().min(2));
        let variant = variant.map_err(ApiError::request)?;
        let search = service.searchers.search(&variant, None, effort)?;
        let mut position = search.position(&grid);
        // Who wants a certain depth wants it soon.
        let solving = match self.depth {
            None => Solving::OnTheSpot,
            Some(_) => Solving::Before,
        };
        position.formations = service.formations_of(&grid, &variant, solving)?;
        Response::json(position)
    }
}
