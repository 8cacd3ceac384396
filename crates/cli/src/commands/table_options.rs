//! Tables that may have a position, shared by several commands.

use std::path::PathBuf;

use clap::Args;
use tilebase_game::{Grid, Spawn, Status};
use tilebase_schema::Position;
use tilebase_service::TableCache;
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
            if table.variant().shape() != grid.shape() {
                continue;
            }
            let probe = table.probe(board)?;
            if probe.status == Status::Live && probe.value.is_some() {
                return Ok(Some((probe::probed(table).position(grid, &probe), table)));
            }
        }
        Ok(None)
    }
}
