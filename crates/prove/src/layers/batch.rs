//! Boards of a layer taken a few at a time, and lookups that are made together.

use rayon::prelude::*;
use tilebase_game::Board;
use tilebase_index::{BoardSet, Images, LayerBits};
use tilebase_util::progress::Progress;

use super::error::LayersError;

/// Boards that a thread takes at a time.
const TASK: u32 = 1 << 12;
/// Boards of a batch: the bits of a word tell them apart.
const SIZE: usize = 64;

/// What is known of some boards while they are looked at.
#[derive(Default)]
pub(super) struct LookupBatch {
    /// The images of afterstates.
    pub images: Vec<Images>,
    /// The slides of states.
    pub slides: Vec<[Board; 4]>,
    /// Boards, and positions to be looked up for them.
    lookups: Vec<(u32, u64)>,
}

impl LookupBatch {
    /// Adds a position to be looked up for a board. A board without a place is not marked.
    #[inline]
    pub fn add(&mut self, board: usize, position: Option<u64>) {
        self.lookups
            .push((board as u32, position.unwrap_or(u64::MAX)));
    }

    /// Looks all positions up, and forgets them: the boards with one that is marked, or is
    /// not, as asked.
    #[inline]
    pub fn ask(&mut self, marks: &LayerBits, marked: bool) -> u64 {
        let found = self.lookups.iter().fold(0, |found, &(board, position)| {
            found | u64::from(marks.get(position) == marked) << board
        });
        self.lookups.clear();
        found
    }
}

/// This number of boards, at most 64.
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

/// LayerBits boards of a set on all threads: `compute` tells which of a few boards to mark, a bit
/// for each, and `done` hears how many have been looked at.
pub(super) fn mark(
    set: &BoardSet,
    progress: &dyn Progress,
    compute: impl Fn(&[Board], &mut LookupBatch) -> u64 + Sync,
    done: impl Fn(u64) + Sync,
) -> Result<LayerBits, LayersError> {
    let mut marks = LayerBits::new(set.index().clone()).map_err(LayersError::system)?;
    let tasks = marks.split(set, TASK).into_par_iter();
    let whole = tasks.map_init(LookupBatch::default, |batch, (range, words)| {
        if progress.interrupted() {
            return false;
        }
        let first = 64 * range.start as u64;
        let mut looked = 0;
        let mut boards = Vec::with_capacity(SIZE);
        let mut positions = Vec::with_capacity(SIZE);
        let mut flush = |boards: &mut Vec<Board>, positions: &mut Vec<u64>| {
            for i in bits(compute(boards, batch)) {
                let at = (positions[i] - first) as usize;
                words[at / 64] |= 1 << (at % 64);
            }
            looked += boards.len() as u64;
            boards.clear();
            positions.clear();
        };
        set.for_each_in(range, |position, board| {
            boards.push(board);
            positions.push(position);
            if boards.len() == SIZE {
                flush(&mut boards, &mut positions);
            }
        });
        flush(&mut boards, &mut positions);
        done(looked);
        true
    });
    if whole.all(|whole| whole) {
        Ok(marks)
    } else {
        Err(LayersError::Interrupted)
    }
}
