//! One bit for each position of a layer.

use std::ops::Range;

use rayon::prelude::*;

use crate::board_index::LayerIndex;
use crate::board_set::BoardSet;
use crate::buffer::Buffer;

/// The fewest words to hand to another thread.
const CHUNK: usize = 1 << 12;

/// One bit for each position of a layer, in large pages.
///
/// Unlike a [`BoardSet`] it has no ranks, so that a lookup touches memory once.
///
/// ```
/// use tilebase_index::{BoardSet, LayerBits, BoardIndex};
///
/// let index = BoardIndex::new(&"2x2-to-32".parse().unwrap()).unwrap();
/// let layer = index.layer(8);
/// let positions = (0..layer.positions()).filter(|&position| layer.board(position).is_some());
/// let boards = BoardSet::at(layer.clone(), positions).unwrap();
/// let mut bits = LayerBits::new(layer.clone()).unwrap();
/// for (range, words) in bits.split(&boards, 10) {
///     let first = 64 * range.start as u64;
///     boards.for_each_in(range, |position, board| {
///         let at = (position - first) as usize;
///         words[at / 64] |= u64::from(board.reaches(3)) << (at % 64);
///     });
/// }
/// for position in 0..layer.positions() {
///     let large = layer.board(position).is_some_and(|board| board.reaches(3));
///     assert_eq!(bits.get(position), large);
/// }
/// ```
pub struct LayerBits {
    index: LayerIndex,
    words: Buffer,
}

impl LayerBits {
    /// A layer with no bit set.
    pub fn new(index: LayerIndex) -> std::io::Result<LayerBits> {
        let words = index.layout.words();
        let mut buffer = Buffer::new(words)?;
        buffer.resize(words);
        Ok(LayerBits {
            index,
            words: buffer,
        })
    }

    /// The index of the layer.
    pub fn index(&self) -> &LayerIndex {
        &self.index
    }

    /// The bit at a position; false outside the layer.
    #[inline]
    pub fn get(&self, position: u64) -> bool {
        let word = self.words.words().get((position / 64) as usize);
        word.is_some_and(|word| word >> (position % 64) & 1 == 1)
    }

    /// Number of bits that are set.
    pub fn count(&self) -> u64 {
        let words = self.words.words().par_iter().with_min_len(CHUNK);
        words.map(|word| u64::from(word.count_ones())).sum()
    }

    /// The words split like the tasks of a set of the same layer ([`BoardSet::tasks`]), so that
    /// no two threads write to the same word.
    pub fn split(&mut self, set: &BoardSet, boards: u32) -> Vec<(Range<usize>, &mut [u64])> {
        let mut rest = self.words.words_mut();
        let mut tasks = Vec::new();
        for (_, range) in set.tasks(boards) {
            let Some((words, after)) = std::mem::take(&mut rest).split_at_mut_checked(range.len())
            else {
                break;
            };
            rest = after;
            tasks.push((range, words));
        }
        tasks
    }
}
