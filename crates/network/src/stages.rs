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
        true => indices(halved(board)).map(|index| index + WEIGHTS as u32),
        false => indices(board),
    }
}

/// A board whose tiles above the largest missing exponent are halved, repeatedly, until none is
/// above 8192. This keeps the order of sizes and what merges with what.
#[inline]
fn halved(mut board: Board) -> Board {
    while board.reaches(LARGEST + 1) {
        let bits = board.bits();
        let present = (0..16).fold(0u32, |set, cell| set | 1 << (bits >> (4 * cell) & 15));
        // Exponents below the largest that no tile has; 0 stands for empty cells.
        let largest = 31 - present.leading_zeros();
        let missing = !present & ((1 << largest) - 2);
        if missing == 0 {
            break;
        }
        let missing = 31 - missing.leading_zeros();
        // In bytes, a sum above 127 marks the exponents larger than the missing one.
        const LOW: u64 = 0x0f0f_0f0f_0f0f_0f0f;
        const ONES: u64 = 0x0101_0101_0101_0101;
        let larger = |cells: u64| (cells + ONES * u64::from(127 - missing)) >> 7 & ONES;
        board = Board::from_bits(bits - larger(bits & LOW) - (larger(bits >> 4 & LOW) << 4));
    }
    board
}
