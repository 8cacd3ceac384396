//! N-tuple networks and their training. One binary, because linking many takes minutes.

mod learner;
mod naive;
mod pruning;
