//! Marks on the boards of a layer: one bit for each place, nothing else.

use std::ops::Range;

use rayon::prelude::*;

use crate::boards::BoardSet;
use crate::buffer::Buffer;
use crate::places::LayerPlaces;

/// Words that are worth a thread.
const CHUNK: usize = 1 << 12;

/// One bit for each place of a layer, in large pages. A board is asked for without its rank,
/// so that a look-up touches memory once.
///
/// ```
/// use tilebase_index::{BoardSet, Marks, Places};
///
/// let places = Places::new(&"2x2-to-32".parse().unwrap()).unwrap();
/// let layer = places.layer(8);
/// let positions = (0..layer.positions()).filter(|&position| layer.board(position).is_some());
/// let boards = BoardSet::at(layer.clone(), positions).unwrap();
/// let mut marks = Marks::new(layer.clone()).unwrap();
/// for (range, words) in marks.split(&boards, 10) {
///     let first = 64 * range.start as u64;
///     boards.for_each_in(range, |position, board| {
///         let at = (position - first) as usize;
///         words[at / 64] |= u64::from(board.reaches(3)) << (at % 64);
///     });
/// }
/// for position in 0..layer.positions() {
///     let large = layer.board(position).is_some_and(|board| board.reaches(3));
///     assert_eq!(marks.get(position), large);
/// }
/// ```
pub struct Marks {
    places: LayerPlaces,
    words: Buffer,
}

impl Marks {
    /// No board of a layer is marked.
    pub fn new(places: LayerPlaces) -> std::io::Result<Marks> {
        let words = places.layout.words();
        let mut buffer = Buffer::new(words)?;
        buffer.resize(words);
        Ok(Marks {
            places,
            words: buffer,
        })
    }

    /// The places of the layer's boards.
    pub fn places(&self) -> &LayerPlaces {
        &self.places
    }

    /// Whether the board at a position is marked; none is at positions outside the layer.
    #[inline]
    pub fn get(&self, position: u64) -> bool {
        let word = self.words.words().get((position / 64) as usize);
        word.is_some_and(|word| word >> (position % 64) & 1 == 1)
    }

    /// How many boards are marked.
    pub fn count(&self) -> u64 {
        let words = self.words.words().par_iter().with_min_len(CHUNK);
        words.map(|word| u64::from(word.count_ones())).sum()
    }

    /// The words cut up like the tasks of a set of the same layer, so that each task marks its
    /// own boards and no two threads write to the same word.
    pub fn split(&mut self, set: &BoardSet, boards: u32) -> Vec<(Range<usize>, &mut [u64])> {
        let mut rest = self.words.words_mut();
        let mut parts = Vec::new();
        for (_, range) in set.tasks(boards) {
            let Some((words, after)) = std::mem::take(&mut rest).split_at_mut_checked(range.len())
            else {
                break;
            };
            rest = after;
            parts.push((range, words));
        }
        parts
    }
}
