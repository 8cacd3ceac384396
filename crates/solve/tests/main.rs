//! Solved games against independent calculations. One binary, because linking many takes minutes.

mod bellman;
mod common;
mod exact;
mod players;
mod recursion;
mod tables;
mod values;
