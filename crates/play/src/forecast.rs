//! The rest of a game, forecast from a search: the chances of the next large tiles and the
//! expected score.
//!
//! The value of a search understates what strong play goes on to score, and says nothing of
//! tiles. A [`Forecast`] turns it into both. Its coefficients were fitted to games of the player
//! `expectimax` and checked on others (`tilebase calibrate`, docs/forecast.md), so it holds for
//! that player, the built-in network and the standard spawns.

use std::sync::LazyLock;

// The same bits in the browser as elsewhere.
use libm::{exp, log, log2, pow};
use serde::{Deserialize, Serialize};
use tilebase_game::{Grid, tile_value};

/// The first tile whose chance is forecast: 256.
pub const FIRST_TILE: u8 = 8;
/// The last tile whose chance is forecast: 65536.
pub const LAST_TILE: u8 = 16;

/// Where the coefficients of a chance are given, by the sum of the board as a share of the tile.
const SHARES: [f64; 8] = [0.0, 0.25, 0.5, 0.75, 0.875, 0.9375, 1.0, 1.125];
/// Where typical values and factors of the score are given, by the logarithm of the board's sum.
const SUMS: [f64; 19] = [
    1.0, 8.0, 10.0, 11.0, 12.0, 12.5, 13.0, 13.25, 13.5, 13.75, 14.0, 14.25, 14.5, 14.75, 15.0,
    15.25, 15.5, 15.75, 16.0,
];
/// Quality counts within these bounds; further down it is survival that counts.
const QUALITY: [f64; 2] = [0.8, 1.25];

/// Coefficients for the chance of one tile, if nothing goes wrong soon.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TileModel {
    /// The tile's exponent.
    pub exponent: u8,
    /// Log-odds at each share of the sum.
    pub intercepts: [f64; SHARES.len()],
    /// What the logarithm of the quality adds at each share.
    pub slopes: [f64; SHARES.len()],
}

/// Turns values of searches into chances and expected scores.
///
/// A search value is compared with what is typical for boards of that sum: their ratio is the
/// quality of the position. A low quality is danger, but also unfamiliarity, since the network
/// takes what it does not know for bad. So the probability to get out of it is larger than the
/// quality: 1 − (1 − quality)^k. Between moves of one position the values count as they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Forecast {
    /// Typical search values, by the logarithm of the sum.
    pub typical_values: [f64; SUMS.len()],
    /// The exponent k of survival.
    pub survival_exponent: f64,
    /// The tiles, in order.
    pub tiles: Vec<TileModel>,
    /// Factors from typical values to expected scores, by the logarithm of the sum.
    pub score_factors: [f64; SUMS.len()],
    /// The least standard error of a chance: what the number of games can tell.
    pub least_error: f64,
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

    /// The chances of the tiles that are not on the board, if the best move has the search value
    /// `best` and the one that is made has `value`.
    pub fn chances(&self, grid: &Grid, best: f64, value: f64) -> Vec<TileChance> {
        let quality = self.quality(grid, best);
        let kept = kept(best, value);
        let survival = self.survival(quality) * kept;
        let next = grid.max_exponent() + 1;
        let tiles = self.tiles.iter().filter(|tile| tile.exponent >= next);
        let mut most: f64 = 1.0;
        let chances = tiles.map(|tile| {
            // A larger tile is made of the smaller ones, so it cannot be likelier.
            most = most.min(survival * tile.chance(grid, quality * kept));
            let error = (self.log_odds_error * most * (1.0 - most)).max(self.least_error);
            let chance = Estimate { value: most, error };
            TileChance {
                exponent: tile.exponent,
                chance,
            }
        });
        chances.collect()
    }

    /// The expected score still to come, if the best move has the search value `best` and the one
    /// that is made has `value`.
    pub fn further_score(&self, grid: &Grid, best: f64, value: f64) -> Estimate {
        let factor = dot(&sum_hats(grid), &self.score_factors);
        let value = factor * self.surviving_value(grid, best) * kept(best, value);
        Estimate {
            value,
            error: value * self.score_error,
        }
    }

    /// The typical value, less what danger or plus what quality is worth.
    pub(crate) fn surviving_value(&self, grid: &Grid, best: f64) -> f64 {
        let quality = self.quality(grid, best);
        dot(&sum_hats(grid), &self.typical_values) * self.survival(quality).max(quality)
    }

    /// A search value over the typical one.
    pub(crate) fn quality(&self, grid: &Grid, value: f64) -> f64 {
        value.max(0.0) / dot(&sum_hats(grid), &self.typical_values).max(1.0)
    }

    /// The probability to get out of danger.
    pub(crate) fn survival(&self, quality: f64) -> f64 {
        1.0 - pow(1.0 - quality.min(1.0), self.survival_exponent)
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

    /// The probability of making the tile, if nothing goes wrong soon.
    fn chance(&self, grid: &Grid, quality: f64) -> f64 {
        let row = self.row(grid, quality);
        let coefficients = [self.intercepts, self.slopes].concat();
        1.0 / (1.0 + exp(-dot(&row, &coefficients)))
    }

    /// What intercepts and slopes are multiplied with.
    pub(crate) fn row(&self, grid: &Grid, quality: f64) -> Vec<f64> {
        let shares = hats(
            &SHARES,
            grid.sum() as f64 / tile_value(self.exponent) as f64,
        );
        let log_quality = log(quality.clamp(QUALITY[0], QUALITY[1]));
        [shares, shares.map(|share| share * log_quality)].concat()
    }
}

/// The share of the best value that another one keeps.
fn kept(best: f64, value: f64) -> f64 {
    if best > 0.0 {
        (value / best).clamp(0.0, 1.0)
    } else {
        1.0
    }
}

/// The weights of the typical values and the factors of the score.
pub(crate) fn sum_hats(grid: &Grid) -> [f64; SUMS.len()] {
    hats(&SUMS, log2((grid.sum() as f64).max(1.0)))
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// The weights of piecewise linear interpolation between knots.
fn hats<const N: usize>(knots: &[f64; N], x: f64) -> [f64; N] {
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
