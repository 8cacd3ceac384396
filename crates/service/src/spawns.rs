//! What can fall after a slide.

use serde::{Deserialize, Serialize};
use tilebase_game::{Board, tile_value};
use tilebase_table::TableError;

use crate::cache::CachedTable;
use crate::error::ApiError;
use crate::service::Service;
use crate::table_id::{self, notation};
use crate::worth::Worth;

/// What is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpawnsRequest {
    pub(crate) variant: String,
    after: String,
}

/// All outcomes.
#[derive(Serialize)]
pub struct Spawns {
    variant: String,
    after: String,
    outcomes: Vec<Outcome>,
}

/// A tile that falls.
#[derive(Serialize)]
pub struct Outcome {
    /// The cell, from 0, row by row.
    pub cell: u16,
    pub tile: u128,
    pub probability: f64,
    pub board: String,
    #[serde(flatten)]
    pub worth: Worth,
}

impl Service {
    /// `GET /api/v1/spawns`
    pub(crate) fn spawns(&self, request: &SpawnsRequest) -> Result<Spawns, ApiError> {
        let cached = self.table(&request.variant)?;
        let (grid, board) = table_id::board(&request.after, cached.question.variant.shape())?;
        Ok(Spawns {
            variant: cached.question.to_string(),
            after: notation(&grid),
            outcomes: outcomes(&cached, board)?,
        })
    }
}

/// All that can fall on an afterstate, cell by cell.
fn outcomes(cached: &CachedTable, after: Board) -> Result<Vec<Outcome>, ApiError> {
    let (table, variant) = (&cached.table, &cached.question.variant);
    let outcomes = table.rules().spawns(after, variant.spawn());
    let outcomes = outcomes.map(|outcome| {
        let truth = table.probe(outcome.board)?;
        Ok(Outcome {
            cell: cell(outcome.row, outcome.col, cached),
            tile: tile_value(outcome.exponent),
            probability: outcome.probability,
            board: notation(&outcome.board.unpack(variant.shape())),
            worth: Worth::of(table, &truth),
        })
    });
    outcomes
        .collect::<Result<_, TableError>>()
        .map_err(ApiError::from)
}

/// The number of a cell.
pub fn cell(row: u8, col: u8, cached: &CachedTable) -> u16 {
    u16::from(row) * u16::from(cached.question.variant.shape().cols()) + u16::from(col)
}
