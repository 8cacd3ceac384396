//! Many games summed up.

use std::collections::BTreeMap;

use crate::series::GameResult;
use crate::statistics::{Interval, deviation, normal, quantile};

/// Totals over games. Sums are exact, so the order of games does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    games: u64,
    won: u64,
    moves: u64,
    score: u128,
    /// Games by score.
    scores: BTreeMap<u128, u64>,
    largest: BTreeMap<u8, u64>,
    /// Games by the number of moves up to the first 2048.
    moves_to_2048: BTreeMap<u64, u64>,
}

/// Adds to the count of a value.
fn count<T: Ord>(counts: &mut BTreeMap<T, u64>, value: T, times: u64) {
    *counts.entry(value).or_default() += times;
}

impl Summary {
    /// Adds a game.
    pub fn add(&mut self, game: &GameResult) {
        self.games += 1;
        self.won += u64::from(game.won);
        self.moves += game.moves;
        self.score += game.score;
        count(&mut self.scores, game.score, 1);
        count(&mut self.largest, game.largest, 1);
        if let Some(moves) = game.moves_to_2048 {
            count(&mut self.moves_to_2048, moves, 1);
        }
    }

    /// Adds all games of another summary.
    pub fn merge(&mut self, other: &Summary) {
        self.games += other.games;
        self.won += other.won;
        self.moves += other.moves;
        self.score += other.score;
        for (&score, &games) in &other.scores {
            count(&mut self.scores, score, games);
        }
        for (&exponent, &games) in &other.largest {
            count(&mut self.largest, exponent, games);
        }
        for (&moves, &games) in &other.moves_to_2048 {
            count(&mut self.moves_to_2048, moves, games);
        }
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Games that reached the target; 0 without a target.
    pub fn won(&self) -> u64 {
        self.won
    }

    /// Moves in all games together.
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// The mean score, if there was a game.
    pub fn mean_score(&self) -> Option<f64> {
        (self.games > 0).then(|| self.score as f64 / self.games as f64)
    }

    /// The mean number of moves, if there was a game.
    pub fn mean_moves(&self) -> Option<f64> {
        (self.games > 0).then(|| self.moves as f64 / self.games as f64)
    }

    /// The standard deviation of the score, if there were two games.
    pub fn score_deviation(&self) -> Option<f64> {
        deviation(&self.scores, self.mean_score()?)
    }

    /// The 95 % interval of the mean score, if there were two games.
    pub fn mean_score_interval(&self) -> Option<Interval> {
        Some(normal(
            self.mean_score()?,
            self.score_deviation()?,
            self.games,
        ))
    }

    /// The smallest score that at least `percent` of the games do not exceed.
    pub fn score_quantile(&self, percent: u8) -> Option<u128> {
        quantile(&self.scores, percent)
    }

    /// The lowest and the highest score, if there was a game.
    pub fn score_range(&self) -> Option<(u128, u128)> {
        let low = self.scores.first_key_value()?.0;
        Some((*low, *self.scores.last_key_value()?.0))
    }

    /// Games by the exponent of their largest tile at the end.
    pub fn largest_tiles(&self) -> &BTreeMap<u8, u64> {
        &self.largest
    }

    /// Games that reached at least the tile of an exponent. Tiles only grow, so the largest
    /// one at the end decides.
    pub fn reached(&self, exponent: u8) -> u64 {
        self.largest.range(exponent..).map(|(_, games)| games).sum()
    }

    /// The median number of moves to the first 2048, over the games that made one.
    pub fn median_moves_to_2048(&self) -> Option<u64> {
        quantile(&self.moves_to_2048, 50)
    }
}
