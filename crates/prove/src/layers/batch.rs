//! Look-ups that are made together.

use tilebase_count::{Images, Marks};
use tilebase_game::Board;

/// Boards of a batch: the bits of a word tell them apart.
pub(super) const SIZE: usize = 64;

/// What is known of some boards while they are looked at.
#[derive(Default)]
pub(super) struct Batch {
    /// The images of afterstates.
    pub images: Vec<Images>,
    /// Empty cells of afterstates whose drops were not looked up yet.
    pub cells: Vec<u64>,
    /// The slides of states.
    pub slides: Vec<[Board; 4]>,
    /// Boards, and positions to be looked up for them.
    look_ups: Vec<(u32, u64)>,
}

impl Batch {
    /// Adds a position to be looked up for a board. A board without a place is not marked.
    #[inline]
    pub fn add(&mut self, board: usize, position: Option<u64>) {
        self.look_ups
            .push((board as u32, position.unwrap_or(u64::MAX)));
    }

    /// Looks all positions up, and forgets them: the boards with one that is marked, or is
    /// not, as asked.
    #[inline]
    pub fn ask(&mut self, marks: &Marks, marked: bool) -> u64 {
        let found = self.look_ups.iter().fold(0, |found, &(board, position)| {
            found | u64::from(marks.get(position) == marked) << board
        });
        self.look_ups.clear();
        found
    }
}

/// So many boards, at most 64.
pub(super) fn all(boards: usize) -> u64 {
    u64::MAX.checked_shr(64 - boards as u32).unwrap_or(0)
}

/// The numbers of the set bits.
pub(super) fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        first
    })
}
