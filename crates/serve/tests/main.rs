//! The HTTP API. One binary, because linking many takes minutes.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail"
)]

mod common;
mod errors;
mod fuzz;
mod jobs;
mod openapi;
mod positions;
mod reviews;
