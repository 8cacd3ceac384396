//! Spawns: everything that can happen after a slide.

use schemars::JsonSchema;
use serde::Deserialize;
use tilebase_game::{Board, Shape, tile_value};
use tilebase_schema::{Outcome, Spawns};
use tilebase_table::TableError;

use crate::cache::CachedTable;
use crate::error::ApiError;
use crate::probed::notation;
use crate::question::{Question, text};
use crate::service::{Response, Service};
use crate::table_id;

/// `GET /api/v1/spawns`
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpawnsRequest {
    #[schemars(with = "text::VariantId")]
    variant: String,
    /// The board after a slide.
    #[schemars(with = "text::Board")]
    afterstate: String,
}

impl Question for SpawnsRequest {
    const PATH: &str = "spawns";
    const SUMMARY: &str = "Every tile that can spawn on an afterstate, with the values that follow";
    const EXAMPLE: &str = "variant=2x2-to-16&afterstate=4,./.,4";
    type Answer = Spawns;

    fn table(&self) -> Option<&str> {
        Some(&self.variant)
    }

    fn answer(&self, service: &Service) -> Result<Response, ApiError> {
        let cached = service.table(&self.variant)?;
        let (grid, board) = table_id::board(&self.afterstate, &cached.id.variant)?;
        Response::json(Spawns {
            game: cached.probed().game(),
            afterstate: notation(&grid),
            outcomes: outcomes(&cached, board)?,
        })
    }
}

/// Everything that can spawn on an afterstate, cell by cell.
fn outcomes(cached: &CachedTable, afterstate: Board) -> Result<Vec<Outcome>, ApiError> {
    let (table, variant) = (&cached.table, &cached.id.variant);
    let shape = variant.shape();
    let outcomes = table.rules().spawns(afterstate, variant.spawn());
    let outcomes = outcomes.map(|outcome| {
        let probe = table.probe(outcome.board)?;
        Ok(Outcome {
            cell: cell(outcome.row, outcome.col, shape),
            tile: tile_value(outcome.exponent),
            probability: outcome.probability,
            board: notation(&outcome.board.unpack(shape)),
            value: cached.probed().position_value(&probe),
        })
    });
    outcomes
        .collect::<Result<_, TableError>>()
        .map_err(ApiError::from)
}

/// The number of a cell, from 0 row by row.
pub fn cell(row: u8, col: u8, shape: Shape) -> u16 {
    u16::from(row) * u16::from(shape.cols()) + u16::from(col)
}
