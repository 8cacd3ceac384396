//! What a player's moves cost, by a table that knows the truth.

use std::sync::{Mutex, OnceLock, PoisonError};

use tilebase_game::{Grid, Move, Rng};
use tilebase_table::{Table, TableError};

use crate::player::{MakePlayer, Player};

/// Losses are added in whole units of this size, so that their order does not matter.
const UNIT: f64 = 1e-18;

/// Lets players play and adds up what their moves lose against optimal play.
pub struct Judge<'a> {
    players: &'a dyn MakePlayer,
    table: &'a Table,
    total: Mutex<Judgement>,
    fault: OnceLock<TableError>,
}

/// What moves cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    /// The losses of all moves, in units.
    units: u128,
    /// Moves that lost something.
    pub mistakes: u64,
    /// Moves in positions that the table knows.
    pub moves: u64,
}

impl Judgement {
    /// The losses of all moves together.
    pub fn loss(&self) -> f64 {
        self.units as f64 * UNIT
    }
}

impl<'a> Judge<'a> {
    /// Judges players by a table of their game.
    pub fn new(players: &'a dyn MakePlayer, table: &'a Table) -> Judge<'a> {
        Judge {
            players,
            table,
            total: Mutex::default(),
            fault: OnceLock::new(),
        }
    }

    /// The judgement of all players that are done.
    pub fn judgement(&self) -> Judgement {
        *self.total.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What went wrong with the table, if anything did. Games in which that happened were
    /// given up.
    pub fn fault(&self) -> Option<&TableError> {
        self.fault.get()
    }
}

impl MakePlayer for Judge<'_> {
    fn make(&self, rng: Rng) -> Box<dyn Player + '_> {
        Box::new(Judged {
            judge: self,
            player: self.players.make(rng),
            own: Judgement::default(),
        })
    }
}

struct Judged<'a> {
    judge: &'a Judge<'a>,
    player: Box<dyn Player + 'a>,
    own: Judgement,
}

impl Player for Judged<'_> {
    fn choose(&mut self, grid: &Grid) -> Option<Move> {
        let chosen = self.player.choose(grid)?;
        match self.judge.table.probe(grid.pack()?) {
            Ok(truth) => {
                let answer = truth.moves.iter().find(|answer| answer.direction == chosen);
                if let Some(loss) = answer.and_then(|answer| answer.loss) {
                    self.own.units += (loss / UNIT) as u128;
                    self.own.mistakes += u64::from(loss > 0.0);
                    self.own.moves += 1;
                }
                Some(chosen)
            }
            Err(error) => {
                // The first fault is told; the others are likely the same.
                let _ = self.judge.fault.set(error);
                None
            }
        }
    }
}

impl Drop for Judged<'_> {
    fn drop(&mut self) {
        let mut total = self
            .judge
            .total
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        total.units += self.own.units;
        total.mistakes += self.own.mistakes;
        total.moves += self.own.moves;
    }
}
