//! Looks moves ahead: expectimax search and the evaluations at its leaves.

pub mod patterns;
