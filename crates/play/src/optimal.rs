//! The player that knows: it looks its moves up in a table.

use std::sync::OnceLock;

use tilebase_game::{Grid, Move, Rng};
use tilebase_table::{Table, TableError};

use crate::player::{MakePlayer, Player};

/// Makes players that play optimally by a table.
pub struct Optimal {
    table: Table,
    fault: OnceLock<TableError>,
}

impl Optimal {
    /// Players by a table.
    pub fn new(table: Table) -> Optimal {
        Optimal {
            table,
            fault: OnceLock::new(),
        }
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// What went wrong with the table while playing, if anything did. Games in which that
    /// happened were given up.
    pub fn fault(&self) -> Option<&TableError> {
        self.fault.get()
    }
}

impl MakePlayer for Optimal {
    fn make(&self, _: Rng) -> Box<dyn Player + '_> {
        Box::new(Reader { optimal: self })
    }
}

struct Reader<'a> {
    optimal: &'a Optimal,
}

impl Player for Reader<'_> {
    fn choose(&mut self, grid: &Grid) -> Option<Move> {
        match self.optimal.table.probe(grid.pack()?) {
            Ok(answer) => answer.moves.first().map(|answer| answer.direction),
            Err(error) => {
                // The first fault is told; the others are likely the same.
                let _ = self.optimal.fault.set(error);
                None
            }
        }
    }
}
