//! N-tuple networks and their training. One binary, because linking many takes minutes.

mod pruning;
mod search;
mod training;
