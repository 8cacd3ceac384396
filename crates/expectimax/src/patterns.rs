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

/// Weights of one stage of the game.
pub const STAGE: usize = PATTERNS * FILLINGS;
/// How many stages there are: boards without a 16384, and boards with one. What is good
/// play differs, and one set of weights that serves both hardly ever makes a 32768 (the
/// finding of Wu and others, 2014).
pub const STAGES: usize = 2;
/// Exponent of the tile that begins the second stage.
pub const SECOND_STAGE: u8 = 14;

/// Where the weights of a board's stage begin.
#[inline]
pub fn stage(board: Board) -> u32 {
    if board.reaches(SECOND_STAGE) {
        STAGE as u32
    } else {
        0
    }
}

/// The place of each look-up in one array of all patterns' fillings, from where a stage's
/// weights begin.
#[inline]
pub fn places(board: Board, stage: u32) -> [u32; LOOK_UPS] {
    const SIX: u64 = 0xff_ffff;
    const THREE: u64 = 0xfff;
    let mut places = [0; LOOK_UPS];
    for (image, at) in board
        .frame_images()
        .into_iter()
        .zip(places.chunks_exact_mut(PATTERNS))
    {
        let bits = image.bits();
        at[0] = (bits >> 40) as u32 | stage;
        at[1] = (bits >> 24 & SIX) as u32 | 1 << 24 | stage;
        at[2] = (bits >> 52 << 12 | bits >> 36 & THREE) as u32 | 2 << 24 | stage;
        at[3] = ((bits >> 36 & THREE) << 12 | bits >> 20 & THREE) as u32 | 3 << 24 | stage;
    }
    places
}
