//! What a position is worth where a search stops.

use tilebase_game::Board;

/// More different tiles than a board has cells: with this [crowd](Evaluation::crowd) no board
/// is searched deeper than asked.
pub const NO_CROWD: u8 = 16;

/// Says what a position is worth, in points that can be added to the score. All images of a
/// position, turned or mirrored, must be worth the same.
pub trait Evaluation: Sync {
    /// The worth of a board after a slide, before the next tile falls.
    fn worth(&self, after: Board) -> f64;

    /// The worth of a state without a legal move.
    fn lost(&self) -> f64;

    /// How many positions [`Evaluation::worth`] stands for: one, or all the states that
    /// may follow if it is a mean over those.
    fn positions(&self, _after: Board) -> u64 {
        1
    }

    /// The margin to search with unless another is asked for: see
    /// [`Options::margin`](crate::Options::margin).
    fn margin(&self) -> f64 {
        f64::INFINITY
    }

    /// The crowd to search with unless another is asked for: see
    /// [`Options::crowd`](crate::Options::crowd).
    fn crowd(&self) -> u8 {
        NO_CROWD
    }
}
