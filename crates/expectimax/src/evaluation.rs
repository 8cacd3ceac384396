//! The interface of evaluations: the value of an afterstate at a leaf of the search.

use tilebase_game::Board;

/// More distinct tiles than fit on a board. Used as [`Evaluation::extend_above`], it never
/// extends a search.
pub const NO_EXTENSION: u8 = 16;

/// A function that estimates positions, in points that can be added to the score.
///
/// All images of a board under rotation and reflection must have the same value.
pub trait Evaluation: Sync {
    /// The value of an afterstate: a board after a slide, before the next tile spawns.
    fn value(&self, afterstate: Board) -> f64;

    /// The value of a state without a legal move.
    fn lost(&self) -> f64;

    /// How many positions one call of [`Evaluation::value`] covers: one, or the number of
    /// possible spawns if the value is a mean over them.
    fn positions(&self, _afterstate: Board) -> u64 {
        1
    }

    /// The default of [`ExpectimaxOptions::pruning_margin`](crate::ExpectimaxOptions).
    fn pruning_margin(&self) -> f64 {
        f64::INFINITY
    }

    /// The default of [`ExpectimaxOptions::extend_above`](crate::ExpectimaxOptions).
    fn extend_above(&self) -> u8 {
        NO_EXTENSION
    }
}
