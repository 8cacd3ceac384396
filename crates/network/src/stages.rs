//! Stages of the game (multi-stage learning: Wu et al. 2014).
//!
//! Boards with a 16384 have weights of their own: good play differs there, and training on them
//! must not disturb the rest. Few games get far beyond 16384, so the second stage looks its
//! weights up by halved tiles: a board with 32768 and 16384 shares those of one with 16384 and
//! 8192, if it has no 8192 itself.

use tilebase_game::Board;

use crate::patterns::{LOOKUPS, WEIGHTS, indices};

/// Stages with weights of their own: boards without a 16384, and boards with one.
pub const STAGES: usize = 2;

/// The largest exponent of the first stage, and of halved boards.
const LARGEST: u8 = 13;

/// The indices of a board's weights among those of all stages.
#[inline]
pub fn staged_indices(board: Board) -> [u32; LOOKUPS] {
    match board.reaches(LARGEST + 1) {
        true => indices(board.halved(LARGEST)).map(|index| index + WEIGHTS as u32),
        false => indices(board),
    }
}
