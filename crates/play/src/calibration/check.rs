//! Checking a forecast on samples that it was not fitted to.

use tilebase_game::tile_value;

use super::sample::Sample;
use crate::forecast::Forecast;

/// Bounds of the bins of a reliability diagram.
const BINS: [f64; 13] = [
    0.0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0,
];
/// Bounds of the losses whose reliability is checked, as shares of the best value.
const LOSSES: [f64; 8] = [0.0, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 0.1, f64::INFINITY];

/// Samples whose forecasts are near each other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReliabilityBin {
    /// Mean of the forecasts.
    pub forecast: f64,
    /// Mean of what happened.
    pub observed: f64,
    /// Number of samples.
    pub samples: u64,
    /// Number of games that they are from.
    pub games: u64,
}

/// How a tile's chances compare with what happened.
#[derive(Clone, Debug, PartialEq)]
pub struct TileCheck {
    /// The tile.
    pub tile: u128,
    /// Samples without the tile on the board.
    pub samples: u64,
    /// The share of them whose game made it.
    pub rate: f64,
    /// Mean squared error of the chances.
    pub brier: f64,
    /// Mean squared error of the rate as everyone's chance.
    pub brier_of_rate: f64,
    /// Samples by their chances.
    pub bins: Vec<ReliabilityBin>,
}

/// How losses compare with those of a deeper search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossCheck {
    /// Losses from this share of the best value.
    pub from: f64,
    /// Losses below this share.
    pub below: f64,
    /// Number of moves.
    pub moves: u64,
    /// Root mean square of the change.
    pub change: f64,
    /// The share of moves that the deeper search finds best.
    pub became_best: f64,
}

/// Collects forecasts and what happened, bin by bin.
#[derive(Default)]
struct Bin {
    sum: ReliabilityBin,
    last_game: Option<u64>,
}

impl Bin {
    fn add(&mut self, game: u64, forecast: f64, observed: f64) {
        self.sum.forecast += forecast;
        self.sum.observed += observed;
        self.sum.samples += 1;
        // Samples of a game come one after the other.
        if self.last_game != Some(game) {
            self.sum.games += 1;
            self.last_game = Some(game);
        }
    }

    fn mean(self) -> Option<ReliabilityBin> {
        let samples = self.sum.samples as f64;
        (self.sum.samples > 0).then(|| ReliabilityBin {
            forecast: self.sum.forecast / samples,
            observed: self.sum.observed / samples,
            ..self.sum
        })
    }
}

/// Compares the chances of all tiles with what happened.
pub fn check_chances(forecast: &Forecast, samples: &[Sample]) -> Vec<TileCheck> {
    let tiles = forecast.tiles.iter().map(|model| model.exponent);
    tiles
        .filter_map(|exponent| check_tile(forecast, samples, exponent))
        .collect()
}

/// Compares the chances of a tile with what happened; `None` if there is no sample.
fn check_tile(forecast: &Forecast, samples: &[Sample], exponent: u8) -> Option<TileCheck> {
    let (mut squares, mut all) = (0.0, Bin::default());
    let mut bins: Vec<Bin> = BINS.iter().skip(1).map(|_| Bin::default()).collect();
    for sample in samples {
        let value = sample.moves.first()?.value;
        let chances = forecast.chances(&sample.grid, value, value);
        let Some(tile) = chances.iter().find(|tile| tile.exponent == exponent) else {
            continue;
        };
        let chance = tile.chance.value;
        let made = f64::from(u8::from(sample.largest >= exponent));
        squares += (chance - made).powi(2);
        all.add(sample.game, chance, made);
        let bin = BINS.iter().skip(1).position(|&bound| chance < bound);
        bins[bin.unwrap_or(BINS.len() - 2)].add(sample.game, chance, made);
    }
    let ReliabilityBin {
        observed: rate,
        samples,
        ..
    } = all.mean()?;
    Some(TileCheck {
        tile: tile_value(exponent),
        samples,
        rate,
        brier: squares / samples as f64,
        brier_of_rate: rate * (1.0 - rate),
        bins: bins.into_iter().filter_map(Bin::mean).collect(),
    })
}

/// Compares expected scores with those that games went on to make, in bins of equal size.
pub fn check_scores(forecast: &Forecast, samples: &[Sample]) -> Vec<ReliabilityBin> {
    let mut scores: Vec<(f64, f64, u64)> = samples
        .iter()
        .filter_map(|sample| {
            let value = sample.moves.first()?.value;
            let expected = forecast.further_score(&sample.grid, value, value).value;
            Some((expected, sample.further_score as f64, sample.game))
        })
        .collect();
    scores.sort_by(|a, b| a.0.total_cmp(&b.0));
    let size = scores.len().div_ceil(10).max(1);
    let bins = scores.chunks(size).filter_map(|chunk| {
        let mut chunk = chunk.to_vec();
        chunk.sort_by_key(|&(.., game)| game);
        let mut bin = Bin::default();
        for (expected, score, game) in chunk {
            bin.add(game, expected, score);
        }
        bin.mean()
    });
    bins.collect()
}

/// Compares the losses of moves with those of deeper searches.
pub fn check_losses(samples: &[Sample]) -> Vec<LossCheck> {
    let pairs: Vec<(f64, f64)> = samples
        .iter()
        .filter(|sample| !sample.deeper.is_empty())
        .flat_map(|sample| {
            let (best, deep_best) = (sample.moves[0].value, sample.deeper[0].value);
            sample.moves.iter().skip(1).filter_map(move |played| {
                let deep = sample.deeper.iter().find(|deep| deep.m == played.m)?;
                Some((1.0 - played.value / best, 1.0 - deep.value / deep_best))
            })
        })
        .collect();
    let bins = LOSSES.windows(2).filter_map(|bounds| {
        let (from, below) = (bounds[0], bounds[1]);
        let inside = || {
            pairs
                .iter()
                .filter(|(loss, _)| (from..below).contains(loss))
        };
        let moves = inside().count();
        let squares: f64 = inside().map(|(loss, deep)| (loss - deep).powi(2)).sum();
        let became_best = inside().filter(|(_, deep)| *deep <= 0.0).count();
        (moves > 0).then(|| LossCheck {
            from,
            below,
            moves: moves as u64,
            change: (squares / moves as f64).sqrt(),
            became_best: became_best as f64 / moves as f64,
        })
    });
    bins.collect()
}
