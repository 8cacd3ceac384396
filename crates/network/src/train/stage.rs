//! Stages of the game while learning.

use crate::patterns::{LOOK_UPS, places};
use crate::staged_places;
use tilebase_game::Board;

/// The places of a board's weights. Until boards with a 16384 are split off they share those of
/// all boards, by their true tiles: what is so learned of making a 16384 needs no second stage.
pub(crate) fn places_while(split: bool, board: Board) -> [u32; LOOK_UPS] {
    match split {
        true => staged_places(board),
        false => places(board),
    }
}
