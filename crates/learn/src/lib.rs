//! Learns what positions of 4x4 are worth by playing.

mod learner;
mod pages;

pub use learner::{Learner, Played};
