//! Learns what positions of 4x4 are worth by playing.

mod learner;

pub use learner::{Learner, Played};
