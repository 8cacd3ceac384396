//! The patterns of the network: which cells form its 6-tuples.
//!
//! Four patterns of six cells each, in all eight images of the board: 32 lookups a board. They
//! are patterns of Yeh et al. (2016), chosen because a packed board yields each of them with a
//! shift or two:
//!
//! ```text
//!   ABCD   ....   ABC.   ....
//!   EF..   ABCD   DEF.   ABC.
//!   ....   EF..   ....   DEF.
//!   ....   ....   ....   ....
//! ```

use tilebase_game::Board;

/// Number of patterns.
pub const PATTERNS: usize = 4;
/// Entries of a pattern's lookup table: the ways to fill six cells.
pub const ENTRIES: usize = 1 << 24;
/// Lookups for one board.
pub const LOOKUPS: usize = 8 * PATTERNS;

/// Weights of a stage: the entries of all patterns.
pub const WEIGHTS: usize = PATTERNS * ENTRIES;

/// The index of each lookup among the weights of a stage.
#[inline]
pub fn indices(board: Board) -> [u32; LOOKUPS] {
    const SIX: u64 = 0xff_ffff;
    const THREE: u64 = 0xfff;
    let mut indices = [0; LOOKUPS];
    for (image, at) in board
        .frame_images()
        .into_iter()
        .zip(indices.chunks_exact_mut(PATTERNS))
    {
        let bits = image.bits();
        at[0] = (bits >> 40) as u32;
        at[1] = (bits >> 24 & SIX) as u32 | 1 << 24;
        at[2] = (bits >> 52 << 12 | bits >> 36 & THREE) as u32 | 2 << 24;
        at[3] = ((bits >> 36 & THREE) << 12 | bits >> 20 & THREE) as u32 | 3 << 24;
    }
    indices
}
