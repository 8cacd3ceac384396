//! Explicit models of small games. One binary, because linking many takes minutes.

mod diagrams;
mod model;
mod rationals;
mod storm;
