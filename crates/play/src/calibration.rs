//! Samples of games that a forecast is fitted to and checked with: positions, what a search says
//! of them, and how the games went on.

mod sample;

pub use sample::{Sample, sample_disturbed, sample_recorded};
