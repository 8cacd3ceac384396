//! What `calibrate` answers, and the lines of its files of samples.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Direction;

/// Games that were played and sampled.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SamplesAnswer {
    /// The file of samples.
    pub file: PathBuf,
    /// Games played.
    pub games: u64,
    /// Positions sampled.
    pub samples: u64,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Wall-clock time.
    pub seconds: f64,
}

/// A forecast that was fitted.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ForecastAnswer {
    /// The file of the forecast.
    pub file: PathBuf,
    /// Positions that it was fitted to.
    pub samples: u64,
    /// Wall-clock time.
    pub seconds: f64,
}

/// A forecast compared with how games went on.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CalibrationAnswer {
    /// Positions that were compared.
    pub samples: u64,
    /// The chances, tile by tile.
    pub tiles: Vec<TileCalibration>,
    /// Expected scores, in ten bins of as many samples.
    pub scores: Vec<CalibrationBin>,
    /// Losses of moves, compared with deeper searches.
    pub losses: Vec<LossCalibration>,
}

/// How the chances of a tile compare with what happened.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TileCalibration {
    /// The tile.
    pub tile: u128,
    /// Positions without the tile on the board.
    pub samples: u64,
    /// The share of them whose game made it.
    pub rate: f64,
    /// Brier score: the mean squared error of the chances.
    pub brier: f64,
    /// Brier score of the rate as the chance of every position.
    pub brier_of_rate: f64,
    /// The reliability diagram: positions by their chances.
    pub bins: Vec<CalibrationBin>,
}

/// Positions whose forecasts are near each other.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct CalibrationBin {
    /// Mean of the forecasts.
    pub forecast: f64,
    /// Mean of what happened.
    pub observed: f64,
    /// Number of positions.
    pub samples: u64,
    /// Number of games that they are from.
    pub games: u64,
}

/// How losses compare with those of a deeper search.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct LossCalibration {
    /// Losses from this share of the best value.
    pub from: f64,
    /// Losses below this share; null for no bound.
    pub below: Option<f64>,
    /// Number of moves.
    pub moves: u64,
    /// Root mean square of the change of the share.
    pub change: f64,
    /// The share of moves that the deeper search finds best.
    pub became_best: f64,
}

/// A line of a file of samples: a position and how its game went on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CalibrationSample {
    /// Number of the game, from 0.
    pub game: u64,
    /// The board as tile values.
    pub tiles: String,
    /// The moves as the usual search values them, best first.
    pub moves: Vec<SampledMove>,
    /// The moves as a deeper search values them; empty for most samples.
    pub deeper: Vec<SampledMove>,
    /// Points that the game went on to score.
    pub further_score: u64,
    /// The largest tile at the end of the game.
    pub largest: u64,
}

/// A move of a sampled position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SampledMove {
    /// The move.
    #[serde(rename = "move")]
    pub direction: Direction,
    /// Its value by the search.
    pub value: f64,
}
