//! Which cells the learned evaluation looks at together.
//!
//! Four patterns of six cells each, in all eight images of the board: 32 look-ups a board.
//! They are the patterns of Yeh and others (2016), chosen here because a packed board gives
//! each of them with a shift or two:
//!
//! ```text
//!   ABCD   ....   ABC.   ....
//!   EF..   ABCD   DEF.   ABC.
//!   ....   EF..   ....   DEF.
//!   ....   ....   ....   ....
//! ```

use tilebase_game::Board;

/// How many patterns there are.
pub const PATTERNS: usize = 4;
/// How many ways six cells can be filled.
pub const FILLINGS: usize = 1 << 24;
/// Look-ups for one board.
pub const LOOK_UPS: usize = 8 * PATTERNS;

/// Weights in all.
pub const WEIGHTS: usize = PATTERNS * FILLINGS;

/// The place of each look-up in one array of all patterns' fillings.
#[inline]
pub fn places(board: Board) -> [u32; LOOK_UPS] {
    const SIX: u64 = 0xff_ffff;
    const THREE: u64 = 0xfff;
    let mut places = [0; LOOK_UPS];
    for (image, at) in board
        .frame_images()
        .into_iter()
        .zip(places.chunks_exact_mut(PATTERNS))
    {
        let bits = image.bits();
        at[0] = (bits >> 40) as u32;
        at[1] = (bits >> 24 & SIX) as u32 | 1 << 24;
        at[2] = (bits >> 52 << 12 | bits >> 36 & THREE) as u32 | 2 << 24;
        at[3] = ((bits >> 36 & THREE) << 12 | bits >> 20 & THREE) as u32 | 3 << 24;
    }
    places
}
