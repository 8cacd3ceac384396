//! The server as a program: its address, its port, its end.
#![allow(clippy::unwrap_used, reason = "a test may fail")]
