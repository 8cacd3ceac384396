//! Proofs: the engines, the strategies and the checkerboard. One binary, because linking many takes minutes.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail"
)]

mod bdd_agreement;
mod bdd_engines;
mod checkerboard_lemmas;
mod checkerboard_listing;
mod cluster;
mod figures;
mod formations;
mod layers;
mod strategy;
