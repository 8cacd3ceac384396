//! Solved games against independent calculations. One binary, because linking many takes minutes.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail"
)]

mod bellman;
mod cluster;
mod common;
mod continuation;
mod exact;
mod formations;
mod players;
mod recursion;
mod rounded;
mod shards;
mod tables;
mod values;
