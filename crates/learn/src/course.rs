//! How learning goes.

use bytemuck::{Pod, Zeroable};
use tilebase_expectimax::patterns::LOOK_UPS;
use tilebase_game::Board;

use crate::game::Game;

/// What decides, to the last bit, how learning begins and goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// The seed of all dice.
    pub seed: u64,
    /// Games at a time.
    pub games: u32,
    /// What a board is taken to be worth of which nothing is known. Above what can be had,
    /// it makes the player curious; 0 makes it shy of the unknown.
    pub hope: f32,
    /// Instead of a first worth for all: weights that were never met count as the mean of
    /// the board's others, and begin as their share of the first worth that they learn.
    pub neutral: bool,
}

impl Plan {
    /// The weight that all begin with; not a number for one that is not known.
    pub(crate) fn first_weight(self) -> f32 {
        match self.neutral {
            true => f32::NAN,
            false => self.hope / LOOK_UPS as f32,
        }
    }

    /// A weight that was taken over, and its errors: none yet, or, for one that is to stay as
    /// it is, so large a size that no error moves it.
    pub(crate) fn taken(self, weight: f32) -> (f32, [f32; 2]) {
        match (weight == 0.0, self.neutral) {
            (false, _) => (weight, [0.0, 0.0]),
            (true, false) => (0.0, [0.0, f32::INFINITY]),
            (true, true) => (f32::NAN, [0.0, f32::INFINITY]),
        }
    }
}

/// Learns step by step: in a step every game makes one move.
pub trait Learn {
    /// Takes so many steps.
    fn step(&mut self, steps: u64) -> Result<(), String>;

    /// From now on boards with a 16384 have weights of their own, which begin as those of
    /// all boards.
    fn split(&mut self) -> Result<(), String>;

    /// Goes on from weights that were learned before, of both stages. Weights that are 0
    /// stay 0: so a file that keeps only some of the weights learns to do without the rest.
    fn take(&mut self, weights: &[f32]) -> Result<(), String>;

    /// The games that ended since this was last asked.
    fn course(&mut self) -> Result<Course, String>;

    /// All weights, 0 for those that were never met, and by how much each was off, summed
    /// over all its errors.
    fn weights(&mut self) -> Result<(Vec<f32>, Vec<f32>), String>;
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
