//! The policy of a state.

use tilebase_game::MoveSet;

/// The value and the best moves of a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StatePolicy {
    /// The value of the state.
    pub value: f64,
    /// The best moves.
    pub best: MoveSet,
}
