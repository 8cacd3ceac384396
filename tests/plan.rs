//! `tilebase plan` as a user runs it.
#![allow(clippy::unwrap_used, reason = "a test may fail")]
mod common;
