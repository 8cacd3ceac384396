//! The rest of a game, forecast from a search: the chances of the next large tiles and the
//! expected score.
//!
//! The value of a search understates what strong play goes on to score, and says nothing of
//! tiles. A [`Forecast`] turns it into both. Its coefficients were fitted to games of the player
//! `expectimax` and checked on others (`tilebase calibrate`, docs/forecast.md), so it holds for
//! that player, the built-in network and the standard spawns.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use tilebase_game::{Grid, tile_value};

/// The first tile whose chance is forecast: 256.
pub const FIRST_TILE: u8 = 8;
/// The last tile whose chance is forecast: 65536.
pub const LAST_TILE: u8 = 16;

/// Where the coefficients of a chance are given, by the sum of the board as a share of the tile.
const SHARES: [f64; 8] = [0.0, 0.25, 0.5, 0.75, 0.875, 0.9375, 1.0, 1.125];
/// Where the factor of the score is given, by the logarithm of the board's sum.
const SUMS: [f64; 8] = [4.0, 8.0, 10.0, 12.0, 13.0, 14.0, 15.0, 16.0];

/// Coefficients for the chance of one tile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TileModel {
    /// The tile's exponent.
    pub exponent: u8,
    /// Log-odds at each share of the sum.
    pub intercepts: [f64; SHARES.len()],
    /// What the logarithm of the search value over the points needed adds at each share.
    pub slopes: [f64; SHARES.len()],
}

/// Turns values of searches into chances and expected scores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Forecast {
    /// The tiles, in order.
    pub tiles: Vec<TileModel>,
    /// Factors from the search value to the expected score, by the logarithm of the sum.
    pub score_factors: [f64; SUMS.len()],
    /// Standard error of log-odds.
    pub log_odds_error: f64,
    /// Standard error of an expected score, as a share of it.
    pub score_error: f64,
    /// How far the difference between two moves may be off, as a share of the better one's value.
    pub difference_error: f64,
}

/// A number and its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

/// The chance of making a tile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TileChance {
    /// The tile's exponent.
    pub exponent: u8,
    /// The probability.
    pub chance: Estimate,
}

static BUILT_IN: LazyLock<Option<Forecast>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../forecast/4x4.json")).ok());

impl Forecast {
    /// Number of sums at which there is a factor of the score.
    pub(crate) const SUMS: usize = SUMS.len();

    /// The forecast for the built-in network on 4x4.
    pub fn built_in() -> Option<&'static Forecast> {
        BUILT_IN.as_ref()
    }

    /// Whether it has the chance of this tile.
    pub fn has(&self, exponent: u8) -> bool {
        self.tiles.iter().any(|tile| tile.exponent == exponent)
    }

    /// The chances of the tiles that are not on the board, for a search value of the position or
    /// of one of its moves.
    pub fn chances(&self, grid: &Grid, search_value: f64) -> Vec<TileChance> {
        let next = grid.max_exponent() + 1;
        let tiles = self.tiles.iter().filter(|tile| tile.exponent >= next);
        let mut most: f64 = 1.0;
        let chances = tiles.map(|tile| {
            // A larger tile is made of the smaller ones, so it cannot be likelier.
            most = most.min(tile.chance(grid, search_value));
            let error = self.log_odds_error * most * (1.0 - most);
            let chance = Estimate { value: most, error };
            TileChance {
                exponent: tile.exponent,
                chance,
            }
        });
        chances.collect()
    }

    /// The expected score still to come, for a search value of the position or of one of its
    /// moves.
    pub fn further_score(&self, grid: &Grid, search_value: f64) -> Estimate {
        let sum = (grid.sum() as f64).max(1.0).log2();
        let factor: f64 = (hats(&SUMS, sum).iter().zip(&self.score_factors))
            .map(|(hat, factor)| hat * factor)
            .sum();
        let value = search_value.max(0.0) * factor;
        Estimate {
            value,
            error: value * self.score_error,
        }
    }

    /// How far the difference between the search values of a move and of the best one may be
    /// off.
    pub fn difference_error(&self, best: f64) -> f64 {
        best.abs() * self.difference_error
    }
}

impl TileModel {
    /// Number of shares of the sum at which there are coefficients.
    pub(crate) const SHARES: usize = SHARES.len();

    /// The probability of making the tile.
    fn chance(&self, grid: &Grid, search_value: f64) -> f64 {
        let Features { shares, log_ratio } = Features::of(grid, search_value, self.exponent);
        let coefficients = self.intercepts.iter().zip(&self.slopes);
        let log_odds = (shares.iter().zip(coefficients))
            .map(|(share, (intercept, slope))| share * (intercept + slope * log_ratio));
        1.0 / (1.0 + (-log_odds.sum::<f64>()).exp())
    }
}

/// What the chance of a tile depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Features {
    /// How much the coefficients at each of [`SHARES`] count.
    pub shares: [f64; SHARES.len()],
    /// The logarithm of the search value over the points that the tile still needs.
    pub log_ratio: f64,
}

impl Features {
    pub fn of(grid: &Grid, search_value: f64, exponent: u8) -> Features {
        let tile = tile_value(exponent) as f64;
        // A tile 2^e scores about (e − 1)·2^e on its way.
        let points = |e: u8| f64::from(e.saturating_sub(1)) * tile_value(e) as f64;
        let exponents = grid.exponents().iter().filter(|&&e| e > 0);
        let made: f64 = exponents.map(|&e| points(e)).sum();
        let needed = (points(exponent) - made).max(tile / 16.0);
        Features {
            shares: hats(&SHARES, grid.sum() as f64 / tile),
            log_ratio: (search_value.max(1.0) / needed).ln().clamp(-8.0, 8.0),
        }
    }
}

/// The weights of piecewise linear interpolation between knots.
pub(crate) fn hats<const N: usize>(knots: &[f64; N], x: f64) -> [f64; N] {
    let mut weights = [0.0; N];
    let x = x.clamp(knots[0], knots[N - 1]);
    for at in 1..N {
        let (low, high) = (knots[at - 1], knots[at]);
        if x <= high {
            weights[at] = (x - low) / (high - low);
            weights[at - 1] = 1.0 - weights[at];
            break;
        }
    }
    weights
}

/// The weights of the score's factors for a board.
pub(crate) fn score_hats(grid: &Grid) -> [f64; SUMS.len()] {
    hats(&SUMS, (grid.sum() as f64).max(1.0).log2())
}
