//! How training goes: statistics of finished games.

use bytemuck::{Pod, Zeroable};
use tilebase_game::Board;

use crate::train::game::Game;

/// Totals over finished games. The kernels have the same struct.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable, PartialEq, Eq)]
pub struct EpisodeStats {
    /// Number of games.
    pub games: u64,
    /// Sum of their scores.
    pub score: u64,
    /// Sum of their moves.
    pub moves: u64,
    /// Games by the exponent of their largest tile.
    pub largest: [u64; 16],
}

impl EpisodeStats {
    /// Adds a game, if it ends now.
    pub(crate) fn add_if_over(&mut self, game: &Game) {
        if game.chosen == 0 {
            self.games += 1;
            self.score += u64::from(game.score);
            self.moves += u64::from(game.moves);
            let largest = Board::from_bits(game.board).max_exponent();
            self.largest[usize::from(largest)] += 1;
        }
    }

    /// The mean score, if a game ended.
    pub fn mean_score(&self) -> Option<f64> {
        (self.games > 0).then(|| self.score as f64 / self.games as f64)
    }

    /// The share of games that reached the tile of this exponent.
    pub fn reached(&self, exponent: usize) -> f64 {
        let games: u64 = self.largest.iter().skip(exponent).sum();
        games as f64 / self.games.max(1) as f64
    }
}
