//! The optimal player: it looks its moves up in a table.

use std::sync::OnceLock;

use tilebase_game::{Grid, Move, Rng};
use tilebase_table::{Content, Table, TableError};

use crate::player::{Player, PlayerFactory};

/// Makes players that play optimally, by a table.
pub struct Optimal {
    table: Table,
    error: OnceLock<TableError>,
}

impl Optimal {
    /// Players by a table.
    pub fn new(table: Table) -> Optimal {
        Optimal {
            table,
            error: OnceLock::new(),
        }
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The first error of the table, if there was one. Games with an error were given up.
    pub fn error(&self) -> Option<&TableError> {
        self.error.get()
    }
}

impl PlayerFactory for Optimal {
    fn make(&self, _: Rng) -> Box<dyn Player + '_> {
        Box::new(OptimalPlayer { optimal: self })
    }
}

struct OptimalPlayer<'a> {
    optimal: &'a Optimal,
}

impl Player for OptimalPlayer<'_> {
    fn choose(&mut self, grid: &Grid) -> Option<Move> {
        let table = &self.optimal.table;
        let probed = table.probe(grid.pack()?).and_then(|probe| {
            let only_best = table.manifest().content == Content::BestPlay;
            match probe.moves.first() {
                Some(first) if only_best && !first.best => {
                    Err(TableError::NotMet(table.dir().to_owned()))
                }
                _ => Ok(probe),
            }
        });
        match probed {
            Ok(probe) => probe.moves.first().map(|best| best.direction),
            Err(error) => {
                // The first error is reported; later ones are likely the same.
                let _ = self.optimal.error.set(error);
                None
            }
        }
    }
}
