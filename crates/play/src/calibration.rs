//! Fitting and checking forecasts: positions of games, what a search says of them, and how the
//! games went on.

mod check;
mod fit;
mod sample;
#[cfg(test)]
mod tests;

pub use check::{LossCheck, ReliabilityBin, TileCheck, check_chances, check_losses, check_scores};
pub use fit::fit_forecast;
pub use sample::{Sample, sample_disturbed, sample_recorded};
