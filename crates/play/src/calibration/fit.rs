//! Fitting a forecast to samples.

use std::ops::Range;

use tilebase_game::Grid;

use super::sample::Sample;
use crate::forecast::{FIRST_TILE, Features, Forecast, LAST_TILE, TileModel, score_hats};

/// How strongly neighbouring coefficients of a tile are drawn to each other, so that those
/// without samples follow their neighbours.
const SMOOTHNESS: f64 = 10.0;
/// How strongly the coefficients are drawn to zero: only as much as makes the fit unique.
const RIDGE: f64 = 0.01;
/// Scores are fitted in this unit, so that samples count for more than the penalty.
const SCORE_UNIT: f64 = 100_000.0;
/// Newton steps of a logistic regression.
const STEPS: usize = 50;

/// Fits a forecast. Its errors are those of `errors`: they are measured on other samples.
pub fn fit_forecast(samples: &[Sample], errors: &Forecast) -> Forecast {
    Forecast {
        tiles: (FIRST_TILE..=LAST_TILE)
            .map(|exponent| fit_tile(samples, exponent))
            .collect(),
        score_factors: fit_score(samples),
        ..errors.clone()
    }
}

/// The samples that have a search value, with it.
fn valued(samples: &[Sample]) -> impl Iterator<Item = (&Sample, f64)> {
    samples
        .iter()
        .filter_map(|sample| Some((sample, sample.moves.first()?.value)))
}

/// The coefficients of a tile by logistic regression, with penalties that keep them smooth.
fn fit_tile(samples: &[Sample], exponent: u8) -> TileModel {
    let not_yet = |grid: &Grid| grid.max_exponent() < exponent;
    let rows: Vec<(Vec<f64>, f64)> = valued(samples)
        .filter(|(sample, _)| not_yet(&sample.grid))
        .map(|(sample, value)| {
            let Features { shares, log_ratio } = Features::of(&sample.grid, value, exponent);
            let slopes = shares.map(|share| share * log_ratio);
            let made = f64::from(u8::from(sample.largest >= exponent));
            ([shares, slopes].concat(), made)
        })
        .collect();
    let coefficients = logistic_regression(&rows, &penalty());
    let (intercepts, slopes) = coefficients.split_at(coefficients.len() / 2);
    let mut model = TileModel {
        exponent,
        intercepts: Default::default(),
        slopes: Default::default(),
    };
    model.intercepts.copy_from_slice(intercepts);
    model.slopes.copy_from_slice(slopes);
    model
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

/// Coefficients that make the rows' outcomes most likely, less the penalty, by Newton's method.
fn logistic_regression(rows: &[(Vec<f64>, f64)], penalty: &[Vec<f64>]) -> Vec<f64> {
    let size = penalty.len();
    let mut found = vec![0.0; size];
    for _ in 0..STEPS {
        let mut hessian = penalty.to_vec();
        let mut gradient: Vec<f64> = penalty.iter().map(|row| dot(row, &found)).collect();
        for (row, outcome) in rows {
            let p = 1.0 / (1.0 + (-dot(row, &found)).exp());
            add_outer(&mut hessian, row, p * (1.0 - p));
            for (sum, x) in gradient.iter_mut().zip(row) {
                *sum += x * (p - outcome);
            }
        }
        let step = solve(hessian, gradient);
        for (coefficient, by) in found.iter_mut().zip(&step) {
            *coefficient -= by;
        }
        if step.iter().all(|by| by.abs() < 1e-9) {
            break;
        }
    }
    found
}

/// The factors from search values to scores by least squares.
fn fit_score(samples: &[Sample]) -> [f64; Forecast::SUMS] {
    let mut factors = [0.0; Forecast::SUMS];
    let mut matrix = vec![vec![0.0; factors.len()]; factors.len()];
    // Of sums without samples the factor is that of their neighbours.
    add_smoothness(&mut matrix, 0..factors.len(), SMOOTHNESS);
    matrix[0][0] += RIDGE;
    let mut right = vec![0.0; factors.len()];
    for (sample, value) in valued(samples) {
        let row = score_hats(&sample.grid).map(|hat| hat * value.max(0.0) / SCORE_UNIT);
        add_outer(&mut matrix, &row, 1.0);
        for (sum, x) in right.iter_mut().zip(row) {
            *sum += x * sample.further_score as f64 / SCORE_UNIT;
        }
    }
    factors.copy_from_slice(&solve(matrix, right));
    factors
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

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
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
