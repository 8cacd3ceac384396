//! What many games come to.

use std::collections::BTreeMap;

use crate::series::GameRecord;

/// Totals over games. Sums are exact, so the order of games does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    games: u64,
    won: u64,
    moves: u64,
    score: u128,
    scores: Option<(u128, u128)>,
    largest: BTreeMap<u8, u64>,
}

impl Summary {
    /// Takes a game in.
    pub fn add(&mut self, game: &GameRecord) {
        self.merge(&Summary {
            games: 1,
            won: u64::from(game.won),
            moves: game.moves,
            score: game.score,
            scores: Some((game.score, game.score)),
            largest: BTreeMap::from([(game.largest, 1)]),
        });
    }

    /// Takes all games of another summary in.
    pub fn merge(&mut self, other: &Summary) {
        self.games += other.games;
        self.won += other.won;
        self.moves += other.moves;
        self.score += other.score;
        self.scores = match (self.scores, other.scores) {
            (Some((low, high)), Some((l, h))) => Some((low.min(l), high.max(h))),
            (own, others) => own.or(others),
        };
        for (&exponent, &games) in &other.largest {
            *self.largest.entry(exponent).or_default() += games;
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

    /// The lowest and the highest score, if there was a game.
    pub fn score_range(&self) -> Option<(u128, u128)> {
        self.scores
    }

    /// How many games ended with which largest tile, by exponent.
    pub fn largest_tiles(&self) -> &BTreeMap<u8, u64> {
        &self.largest
    }
}
