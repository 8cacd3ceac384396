//! The program as a user runs it. One binary, because linking many takes minutes.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail"
)]

mod advise;
mod checkerboard;
#[cfg(target_os = "linux")]
mod cluster;
mod common;
mod compare;
mod count;
mod documents;
mod emulator;
mod export;
mod failures;
mod formations;
mod json;
mod lower_bound;
mod plan;
mod program;
mod prove;
mod record;
mod schema;
mod selftest;
mod serve;
mod shards;
mod site;
mod solve;
mod standard;
mod tables;
mod terminal;
mod workspace;
