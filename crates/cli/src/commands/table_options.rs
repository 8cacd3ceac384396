//! Tables that may have a position, shared by several commands.

use std::path::PathBuf;

use clap::Args;
use tilebase_game::{Grid, Spawn, Status};
use tilebase_schema::{FormationPosition, Position, Source};
use tilebase_service::{TableCache, formations};
use tilebase_table::Table;

use super::probe;
use crate::failure::Failure;

/// The tables to look positions up in.
#[derive(Args)]
pub struct TableOptions {
    /// A table made by 'tilebase solve'; may be given several times, the first that has the
    /// position answers
    #[arg(long, value_name = "DIR")]
    table: Vec<PathBuf>,

    /// A folder with tables, searched two levels deep; the first that has the position answers
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
}

/// Open tables, in the order in which they are asked.
pub struct OpenTables(Vec<Table>);

impl TableOptions {
    /// Opens the tables. Those of a folder are for these spawns.
    pub fn open(&self, spawn: Spawn) -> Result<OpenTables, Failure> {
        let given = self.table.iter().map(|dir| probe::open(dir));
        let mut tables = given.collect::<Result<Vec<Table>, Failure>>()?;
        if let Some(dir) = &self.tables {
            let found = TableCache::find(dir).map_err(|error| {
                Failure::Request(format!("reading the tables in {}: {error}", dir.display()))
            })?;
            for table in found {
                let table = table.map_err(probe::failure)?;
                if table.variant().spawn() == spawn {
                    tables.push(table);
                }
            }
        }
        Ok(OpenTables(tables))
    }
}

impl OpenTables {
    /// The position by the first table that has it, and that table.
    pub fn position(&self, grid: &Grid) -> Result<Option<(Position, &Table)>, Failure> {
        let Some(board) = grid.pack().filter(|board| board.slides_exactly()) else {
            return Ok(None);
        };
        for table in &self.0 {
            if table.variant().shape() != grid.shape() || table.variant().formation().is_some() {
                continue;
            }
            let probe = table.probe(board)?;
            if probe.status == Status::Live && probe.value.is_some() {
                return Ok(Some((probe::probed(table).position(grid, &probe), table)));
            }
        }
        Ok(None)
    }

    /// The formations that a position fits and that have a table.
    pub fn formations(&self, grid: &Grid, spawn: Spawn) -> Result<Vec<FormationPosition>, Failure> {
        let mut found = Vec::new();
        for table in &self.0 {
            if formations::is_of(table.variant(), grid.shape(), spawn) {
                found.extend(formations::in_table(table, Source::Table, grid)?);
            }
        }
        Ok(found)
    }

    /// A board that is written with walls, by the first table of a formation that has it.
    pub fn position_with_walls(&self, text: &str) -> Result<(Position, &Table), Failure> {
        let mut wrong = None;
        for table in self.0.iter().filter(|t| t.variant().formation().is_some()) {
            let variant = table.variant();
            let board = match variant.parse_board(text) {
                Ok(board) => board,
                Err(error) => {
                    wrong.get_or_insert(error.to_string());
                    continue;
                }
            };
            let probe = table.probe(board)?;
            // A table of best play does not know all positions that can arise.
            let is_known = probe.value.is_some() || probe.moves.iter().any(|m| m.best);
            if probe.status != Status::Unreachable && is_known {
                let grid = board.unpack(variant.shape());
                return Ok((probe::probed(table).position(&grid, &probe), table));
            }
            wrong = Some(match probe.status {
                Status::Unreachable => format!("this position cannot arise in {variant}"),
                _ => format!("best play of {variant} does not meet this position"),
            });
        }
        Err(Failure::Request(wrong.unwrap_or_else(|| {
            "a board with walls, '#', needs a table of its formation: add --table DIR".to_owned()
        })))
    }
}
