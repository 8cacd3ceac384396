//! Stages of the game.
//!
//! While learning, boards with a 16384 may have weights of their own: what is good play
//! differs, and what is learned of them must not disturb the rest (the finding of Wu and
//! others, 2014). They say what making a 16384 is worth. They are not written, since players
//! take such boards with halved tiles.

use tilebase_expectimax::patterns::{LOOK_UPS, WEIGHTS, places};
use tilebase_game::Board;

/// How many stages there are.
pub(crate) const STAGES: usize = 2;
/// Exponent of the tile that begins the second stage.
const SECOND: u8 = 14;

/// The places of a board's weights among those of all stages.
pub(crate) fn staged_places(board: Board, split: bool) -> [u32; LOOK_UPS] {
    let places = places(board);
    match split && board.reaches(SECOND) {
        true => places.map(|place| place + WEIGHTS as u32),
        false => places,
    }
}
