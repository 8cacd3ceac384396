//! Explicit models of small games. One binary, because linking many takes minutes.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail"
)]

mod diagrams;
mod model;
mod rationals;
mod storm;
