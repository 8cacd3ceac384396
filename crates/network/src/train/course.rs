//! How learning goes.

use bytemuck::{Pod, Zeroable};
use tilebase_game::Board;

use crate::train::game::Game;
use crate::train::state::State;

/// Learns step by step: in a step every game makes one move.
pub trait Learn {
    /// Takes so many steps.
    fn step(&mut self, steps: u64) -> Result<(), String>;

    /// Looks at all that was learned, or changes it.
    fn visit(&mut self, visitor: &mut dyn FnMut(&mut State)) -> Result<(), String>;

    /// The games that ended since this was last asked.
    fn course(&mut self) -> Result<Course, String>;
}

/// Games that ended.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable, PartialEq, Eq)]
pub struct Course {
    /// How many.
    pub games: u64,
    /// Their scores together.
    pub score: u64,
    /// Their moves together.
    pub moves: u64,
    /// How many had which largest tile, by exponent.
    pub largest: [u64; 16],
}

impl Course {
    /// Takes in a game, if it ends now.
    pub(crate) fn note(&mut self, game: &Game) {
        if game.chosen == 0 {
            self.games += 1;
            self.score += u64::from(game.score);
            self.moves += u64::from(game.moves);
            let largest = Board::from_bits(game.board).max_exponent();
            self.largest[usize::from(largest)] += 1;
        }
    }

    /// The mean score, if a game ended.
    pub fn mean(&self) -> Option<f64> {
        (self.games > 0).then(|| self.score as f64 / self.games as f64)
    }

    /// The share of games that reached a tile, by exponent.
    pub fn reached(&self, exponent: usize) -> f64 {
        let games: u64 = self.largest.iter().skip(exponent).sum();
        games as f64 / self.games.max(1) as f64
    }
}
