//! Fitting a forecast to samples.

use std::ops::Range;

use super::sample::Sample;
use crate::forecast::{FIRST_TILE, Forecast, LAST_TILE, TileModel, dot, sum_hats};

/// How strongly neighbouring coefficients of a tile are drawn to each other, so that those
/// without samples follow their neighbours.
const SMOOTHNESS: f64 = 10.0;
/// How strongly the coefficients are drawn to zero: only as much as makes the fit unique.
const RIDGE: f64 = 0.01;
/// Scores are fitted in this unit, so that samples count for more than the penalty.
const SCORE_UNIT: f64 = 100_000.0;
/// Steps of iterations, at most.
const STEPS: usize = 50;

/// Exponents of survival that are tried.
const SURVIVAL: [f64; 9] = [1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 6.0];

/// Fits a forecast. Its errors are those of `errors`: they are measured on other samples.
pub fn fit_forecast(samples: &[Sample], errors: &Forecast) -> Forecast {
    let typical_values = fit_typical(samples);
    let fitted = SURVIVAL.map(|survival_exponent| {
        let mut forecast = Forecast {
            typical_values,
            survival_exponent,
            ..errors.clone()
        };
        let tiles = (FIRST_TILE..=LAST_TILE).map(|exponent| fit_tile(&forecast, samples, exponent));
        let (tiles, likelihoods): (Vec<TileModel>, Vec<f64>) = tiles.unzip();
        forecast.tiles = tiles;
        (forecast, likelihoods.iter().sum::<f64>())
    });
    let best = fitted.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
    let mut forecast = best.map_or_else(|| errors.clone(), |(forecast, _)| forecast);
    forecast.score_factors = fit_score(&forecast, samples);
    forecast
}

/// The samples that have a search value, with it.
fn valued(samples: &[Sample]) -> impl Iterator<Item = (&Sample, f64)> {
    samples
        .iter()
        .filter_map(|sample| Some((sample, sample.moves.first()?.value)))
}

/// Typical search values: those with the least absolute deviations, by least squares whose
/// weights are adjusted again and again.
fn fit_typical(samples: &[Sample]) -> [f64; Forecast::SUMS] {
    let mut typical = [0.0; Forecast::SUMS];
    for _ in 0..STEPS {
        let mut system = Smooth::new(Forecast::SUMS);
        for (sample, value) in valued(samples) {
            let row = sum_hats(&sample.grid);
            let deviation = (value - dot(&row, &typical)).abs() / SCORE_UNIT;
            system.add(&row, value / SCORE_UNIT, 1.0 / deviation.max(0.005));
        }
        typical.copy_from_slice(&system.solve());
        typical = typical.map(|value| value * SCORE_UNIT);
    }
    typical
}

/// The coefficients of a tile, and the logarithm of the likelihood of the samples.
fn fit_tile(forecast: &Forecast, samples: &[Sample], exponent: u8) -> (TileModel, f64) {
    let mut model = TileModel {
        exponent,
        intercepts: Default::default(),
        slopes: Default::default(),
    };
    let rows: Vec<Row> = valued(samples)
        .filter(|(sample, _)| sample.grid.max_exponent() < exponent)
        .map(|(sample, value)| {
            let quality = forecast.quality(&sample.grid, value);
            Row {
                features: model.row(&sample.grid, quality),
                survival: forecast.survival(quality),
                made: sample.largest >= exponent,
            }
        })
        .collect();
    let (coefficients, likelihood) = fit_rows(&rows, &penalty());
    let (intercepts, slopes) = coefficients.split_at(TileModel::SHARES);
    model.intercepts.copy_from_slice(intercepts);
    model.slopes.copy_from_slice(slopes);
    (model, likelihood)
}

/// A sample as the fit of a tile sees it.
struct Row {
    features: Vec<f64>,
    survival: f64,
    made: bool,
}

impl Row {
    /// The logistic function of the features, and the probability: survival times that.
    fn probability(&self, coefficients: &[f64]) -> (f64, f64) {
        let logistic = 1.0 / (1.0 + (-dot(&self.features, coefficients)).exp());
        (logistic, (self.survival * logistic).clamp(1e-9, 1.0 - 1e-9))
    }
}

/// The quadratic penalty on a tile's coefficients.
fn penalty() -> Vec<Vec<f64>> {
    let half = TileModel::SHARES;
    let mut penalty = vec![vec![0.0; 2 * half]; 2 * half];
    for (at, row) in penalty.iter_mut().enumerate() {
        row[at] = RIDGE;
    }
    add_smoothness(&mut penalty, 0..half, SMOOTHNESS);
    add_smoothness(&mut penalty, half..2 * half, SMOOTHNESS);
    penalty
}

/// Coefficients that make the rows' outcomes most likely, less the penalty, by Fisher scoring,
/// and the logarithm of that likelihood.
fn fit_rows(rows: &[Row], penalty: &[Vec<f64>]) -> (Vec<f64>, f64) {
    let mut found = vec![0.0; penalty.len()];
    for _ in 0..STEPS {
        let mut information = penalty.to_vec();
        let mut gradient: Vec<f64> = penalty.iter().map(|row| -dot(row, &found)).collect();
        for row in rows {
            let (logistic, p) = row.probability(&found);
            let slope = row.survival * logistic * (1.0 - logistic);
            let variance = p * (1.0 - p);
            add_outer(&mut information, &row.features, slope * slope / variance);
            let pull = (f64::from(u8::from(row.made)) - p) / variance * slope;
            for (sum, x) in gradient.iter_mut().zip(&row.features) {
                *sum += x * pull;
            }
        }
        let step = solve(information, gradient);
        let longest = step.iter().fold(0.0f64, |most, by| most.max(by.abs()));
        // Long steps may go too far.
        let shortened = (2.0 / longest).min(1.0);
        for (coefficient, by) in found.iter_mut().zip(&step) {
            *coefficient += by * shortened;
        }
        if longest < 1e-7 {
            break;
        }
    }
    let likelihood = rows.iter().map(|row| {
        let (_, p) = row.probability(&found);
        if row.made { p.ln() } else { (1.0 - p).ln() }
    });
    let likelihood = likelihood.sum();
    (found, likelihood)
}

/// The factors from typical values to scores by least squares.
fn fit_score(forecast: &Forecast, samples: &[Sample]) -> [f64; Forecast::SUMS] {
    let mut system = Smooth::new(Forecast::SUMS);
    for (sample, value) in valued(samples) {
        let value = forecast.surviving_value(&sample.grid, value) / SCORE_UNIT;
        let row = sum_hats(&sample.grid).map(|hat| hat * value);
        system.add(&row, sample.further_score as f64 / SCORE_UNIT, 1.0);
    }
    let mut factors = [0.0; Forecast::SUMS];
    factors.copy_from_slice(&system.solve());
    factors
}

/// Least squares with coefficients that are drawn to their neighbours.
struct Smooth {
    matrix: Vec<Vec<f64>>,
    right: Vec<f64>,
}

impl Smooth {
    fn new(size: usize) -> Smooth {
        let mut matrix = vec![vec![0.0; size]; size];
        add_smoothness(&mut matrix, 0..size, SMOOTHNESS);
        Smooth {
            matrix,
            right: vec![0.0; size],
        }
    }

    fn add(&mut self, row: &[f64], value: f64, weight: f64) {
        add_outer(&mut self.matrix, row, weight);
        for (sum, x) in self.right.iter_mut().zip(row) {
            *sum += weight * x * value;
        }
    }

    fn solve(self) -> Vec<f64> {
        solve(self.matrix, self.right)
    }
}

/// Draws neighbouring coefficients to each other.
fn add_smoothness(matrix: &mut [Vec<f64>], range: Range<usize>, strength: f64) {
    for (a, b) in range.clone().zip(range.skip(1)) {
        matrix[a][a] += strength;
        matrix[b][b] += strength;
        matrix[a][b] -= strength;
        matrix[b][a] -= strength;
    }
}

/// Adds `weight` times the row's outer product with itself.
fn add_outer(matrix: &mut [Vec<f64>], row: &[f64], weight: f64) {
    // Rows are mostly zeros.
    for (at, x) in row.iter().enumerate().filter(|(_, x)| **x != 0.0) {
        for (sum, y) in matrix[at].iter_mut().zip(row) {
            *sum += weight * x * y;
        }
    }
}

/// Solves a positive definite system by elimination.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for pivot in 0..size {
        let (above, below) = matrix.split_at_mut(pivot + 1);
        let pivot_row = &above[pivot];
        for (offset, row) in below.iter_mut().enumerate() {
            let factor = row[pivot] / pivot_row[pivot];
            for (x, y) in row.iter_mut().zip(pivot_row) {
                *x -= factor * y;
            }
            right[pivot + 1 + offset] -= factor * right[pivot];
        }
    }
    for at in (0..size).rev() {
        let known: f64 = (at + 1..size).map(|k| matrix[at][k] * right[k]).sum();
        right[at] = (right[at] - known) / matrix[at][at];
    }
    right
}
