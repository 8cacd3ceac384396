//! Stages of the game during training.

use crate::patterns::{LOOKUPS, indices};
use crate::staged_indices;
use tilebase_game::Board;

/// The indices of a board's weights. Until the second stage is added, boards with a 16384 share
/// the weights of all boards, by their true tiles: learning to make a 16384 needs no second
/// stage.
pub(crate) fn indices_at(staged: bool, board: Board) -> [u32; LOOKUPS] {
    match staged {
        true => staged_indices(board),
        false => indices(board),
    }
}
