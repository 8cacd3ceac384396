//! Regret: what a player's moves lose against optimal play, by a table of the solved game.

use std::sync::{Mutex, OnceLock, PoisonError};

use tilebase_game::{Grid, Move, Rng};
use tilebase_table::{Table, TableError};

use crate::player::{Player, PlayerFactory};

/// Losses are added as integers in units of this size, so that their order does not matter.
const UNIT: f64 = 1e-18;

/// Wraps players and adds up the regret of their moves.
pub struct RegretTracker<'a> {
    players: &'a dyn PlayerFactory,
    table: &'a Table,
    total: Mutex<Regret>,
    error: OnceLock<TableError>,
}

/// The regret of many moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Regret {
    /// The losses of all moves, in units.
    units: u128,
    /// Moves that lost something.
    pub mistakes: u64,
    /// Moves in positions that the table covers.
    pub moves: u64,
}

impl Regret {
    /// The losses of all moves together.
    pub fn loss(&self) -> f64 {
        self.units as f64 * UNIT
    }
}

impl<'a> RegretTracker<'a> {
    /// Tracks players by a table of their game.
    pub fn new(players: &'a dyn PlayerFactory, table: &'a Table) -> RegretTracker<'a> {
        RegretTracker {
            players,
            table,
            total: Mutex::default(),
            error: OnceLock::new(),
        }
    }

    /// The regret of all finished games.
    pub fn regret(&self) -> Regret {
        *self.total.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first error of the table, if there was one. Games with an error were given up.
    pub fn error(&self) -> Option<&TableError> {
        self.error.get()
    }
}

impl PlayerFactory for RegretTracker<'_> {
    fn make(&self, rng: Rng) -> Box<dyn Player + '_> {
        Box::new(TrackedPlayer {
            tracker: self,
            player: self.players.make(rng),
            own: Regret::default(),
        })
    }
}

struct TrackedPlayer<'a> {
    tracker: &'a RegretTracker<'a>,
    player: Box<dyn Player + 'a>,
    own: Regret,
}

impl Player for TrackedPlayer<'_> {
    fn choose(&mut self, grid: &Grid) -> Option<Move> {
        let chosen = self.player.choose(grid)?;
        match self.tracker.table.probe(grid.pack()?) {
            Ok(probe) => {
                let probed = probe.moves.iter().find(|probed| probed.direction == chosen);
                if let Some(loss) = probed.and_then(|probed| probed.loss) {
                    self.own.units += (loss / UNIT) as u128;
                    self.own.mistakes += u64::from(loss > 0.0);
                    self.own.moves += 1;
                }
                Some(chosen)
            }
            Err(error) => {
                // The first error is reported; later ones are likely the same.
                let _ = self.tracker.error.set(error);
                None
            }
        }
    }
}

impl Drop for TrackedPlayer<'_> {
    fn drop(&mut self) {
        let mut total = self
            .tracker
            .total
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        total.units += self.own.units;
        total.mistakes += self.own.mistakes;
        total.moves += self.own.moves;
    }
}
