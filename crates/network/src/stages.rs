//! Stages of the game.
//!
//! Boards with a 16384 have learned weights of their own: what is good play differs, and what
//! is learned of them must not disturb the rest (the finding of Wu and others, 2014). Few
//! games get far beyond, so these weights are looked up by halved tiles: a board with 32768
//! and 16384 has those of one with 16384 and 8192, if it lacks an 8192 itself.

use tilebase_game::Board;

use crate::patterns::{LOOK_UPS, WEIGHTS, places};

/// Stages that have weights of their own: boards without a 16384, and with one.
pub const STAGES: usize = 2;

/// The largest exponent of the first stage, and of halved boards.
const LARGEST: u8 = 13;

/// The places of a board's weights among those of all stages.
#[inline]
pub fn staged_places(board: Board) -> [u32; LOOK_UPS] {
    match board.reaches(LARGEST + 1) {
        true => places(halved(board)).map(|place| place + WEIGHTS as u32),
        false => places(board),
    }
}

/// A board whose tiles above the largest exponent that no tile has count as half, until none
/// is above 8192: what merges with what, and the order of sizes, stay the same.
#[inline]
fn halved(mut board: Board) -> Board {
    while board.reaches(LARGEST + 1) {
        let bits = board.bits();
        let present = (0..16).fold(0u32, |set, cell| set | 1 << (bits >> (4 * cell) & 15));
        // All below the largest that are missing; 0 stands for empty cells.
        let largest = 31 - present.leading_zeros();
        let missing = !present & ((1 << largest) - 2);
        if missing == 0 {
            break;
        }
        let missing = 31 - missing.leading_zeros();
        // In bytes, a sum above 127 tells the exponents that are larger than the missing one.
        const LOW: u64 = 0x0f0f_0f0f_0f0f_0f0f;
        const ONES: u64 = 0x0101_0101_0101_0101;
        let larger = |cells: u64| (cells + ONES * u64::from(127 - missing)) >> 7 & ONES;
        board = Board::from_bits(bits - larger(bits & LOW) - (larger(bits >> 4 & LOW) << 4));
    }
    board
}
