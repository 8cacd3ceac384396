//! The rules, the notation and their properties. One binary, because linking many takes minutes.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail"
)]

mod engines;
mod known_values;
mod matching;
mod notation;
mod properties;
mod rules;
