//! The HTTP API. One binary, because linking many takes minutes.

mod common;
mod errors;
mod fuzz;
mod jobs;
mod openapi;
mod positions;
