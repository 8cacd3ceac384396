//! N-tuple networks and their training. One binary, because linking many takes minutes.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail"
)]

mod pruning;
mod search;
mod training;
