//! What can fall after a slide.

use serde::{Deserialize, Serialize};
use tilebase_game::{Board, tile_value};
use tilebase_table::TableError;

use crate::fault::Fault;
use crate::laboratory::Laboratory;
use crate::question::{self, notation};
use crate::shelf::Held;
use crate::worth::Worth;

/// What is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
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

impl Laboratory {
    /// `GET /api/v1/spawns`
    pub(crate) fn spawns(&self, asked: &Asked) -> Result<Spawns, Fault> {
        let held = self.table(&asked.variant)?;
        let (grid, board) = question::board(&asked.after, held.question.variant.shape())?;
        Ok(Spawns {
            variant: held.question.to_string(),
            after: notation(&grid),
            outcomes: outcomes(&held, board)?,
        })
    }
}

/// All that can fall on an afterstate, cell by cell.
fn outcomes(held: &Held, after: Board) -> Result<Vec<Outcome>, Fault> {
    let (table, variant) = (&held.table, &held.question.variant);
    let outcomes = table.rules().spawns(after, variant.spawn());
    let outcomes = outcomes.map(|outcome| {
        let truth = table.probe(outcome.board)?;
        Ok(Outcome {
            cell: cell(outcome.row, outcome.col, held),
            tile: tile_value(outcome.exponent),
            probability: outcome.probability,
            board: notation(&outcome.board.unpack(variant.shape())),
            worth: Worth::of(table, &truth),
        })
    });
    outcomes
        .collect::<Result<_, TableError>>()
        .map_err(Fault::from)
}

/// The number of a cell.
pub fn cell(row: u8, col: u8, held: &Held) -> u16 {
    u16::from(row) * u16::from(held.question.variant.shape().cols()) + u16::from(col)
}
