//! Plans and lower bounds. One binary, because linking many takes minutes.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail"
)]

mod heuristics;
mod lower_bound_methods;
mod lower_bound_published;
mod plans;
