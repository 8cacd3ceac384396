//! Sets of boards of one layer, with ranks.

use std::hint::select_unpredictable;
use std::ops::Range;

use rayon::prelude::*;
use tilebase_game::{Board, Shape};

use crate::board_index::LayerIndex;
use crate::buffer::Buffer;
use crate::layer::{Block, Layer, Part, for_each_bit};
use crate::pack::{InvalidSection, Section, unpack};

/// Words that a thread takes at a time.
const CHUNK: usize = 1 << 12;

/// Boards of a layer, one canonical board for each symmetry class, in the order of their ranks.
///
/// ```
/// use tilebase_index::{BoardIndex, BoardSet};
///
/// let index = BoardIndex::new(&"2x2-to-32".parse().unwrap()).unwrap();
/// let layer = index.layer(8);
/// let positions = (0..layer.positions()).filter(|&position| layer.board(position).is_some());
/// let set = BoardSet::at(layer.clone(), positions).unwrap();
/// assert!(set.len() > 0);
/// for (rank, board) in set.iter().enumerate() {
///     assert_eq!(board.sum(), 8);
///     assert_eq!(set.rank(board).is_some(), set.contains(board));
///     assert!(rank < set.len() as usize);
/// }
/// ```
pub struct BoardSet {
    index: LayerIndex,
    /// One bit for each position.
    words: Buffer,
    /// Boards before every word.
    before: Vec<u32>,
    len: u64,
}

impl BoardSet {
    /// The boards of packed sections.
    pub fn unpack(index: LayerIndex, sections: &[Section]) -> Result<BoardSet, UnpackError> {
        let buffer = Buffer::new(index.layout.words()).map_err(UnpackError::Memory)?;
        let mut layer = Layer::new(index.layout.clone(), buffer);
        unpack(sections, &mut layer, Part::ALL).map_err(|InvalidSection| UnpackError::Invalid)?;
        Ok(BoardSet::ranked(index, layer.into_buffer()))
    }

    /// The boards at increasing positions. Positions outside the layer are left out.
    pub fn at(
        index: LayerIndex,
        positions: impl IntoIterator<Item = u64>,
    ) -> std::io::Result<BoardSet> {
        let words = index.layout.words();
        let mut buffer = Buffer::new(words)?;
        buffer.resize(words);
        let bits = buffer.words_mut();
        for position in positions {
            if let Some(word) = bits.get_mut((position / 64) as usize) {
                *word |= 1 << (position % 64);
            }
        }
        Ok(BoardSet::ranked(index, buffer))
    }

    /// The boards whose bits are set in `words`.
    pub fn copy(index: LayerIndex, words: &[u64]) -> std::io::Result<BoardSet> {
        let mut buffer = Buffer::new(words.len())?;
        buffer.resize(words.len());
        buffer.words_mut().copy_from_slice(words);
        Ok(BoardSet::ranked(index, buffer))
    }

    pub(crate) fn ranked(index: LayerIndex, buffer: Buffer) -> BoardSet {
        let words = buffer.words();
        let ones = |words: &[u64]| words.iter().map(|word| word.count_ones()).sum::<u32>();
        let sums: Vec<u32> = words.par_chunks(CHUNK).map(ones).collect();
        let mut len = 0u64;
        let firsts: Vec<u64> = sums
            .iter()
            .map(|&sum| {
                let first = len;
                len += u64::from(sum);
                first
            })
            .collect();
        let mut before = vec![0; words.len()];
        before
            .par_chunks_mut(CHUNK)
            .zip(words.par_chunks(CHUNK))
            .zip(firsts)
            .for_each(|((before, words), first)| {
                let mut rank = first as u32;
                for (before, word) in before.iter_mut().zip(words) {
                    *before = rank;
                    rank += word.count_ones();
                }
            });
        BoardSet {
            index,
            words: buffer,
            before,
            len,
        }
    }

    /// The boards of the set that are also in a layer of the same sum.
    pub fn within(&self, layer: &Layer) -> std::io::Result<BoardSet> {
        let words = self.words.words();
        let mut buffer = Buffer::new(words.len())?;
        buffer.resize(words.len());
        let both = buffer
            .words_mut()
            .iter_mut()
            .zip(words.iter().zip(layer.words()));
        both.for_each(|(both, (own, other))| *both = own & other);
        Ok(BoardSet::ranked(self.index.clone(), buffer))
    }

    /// Number of boards.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there is no board.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The shape of the boards.
    pub fn shape(&self) -> Shape {
        self.index.space.shape
    }

    /// The index of the layer.
    pub fn index(&self) -> &LayerIndex {
        &self.index
    }

    /// Whether a board, or an image of it, is in the set.
    pub fn contains(&self, board: Board) -> bool {
        self.rank(board).is_some()
    }

    /// The rank of a board's symmetry class, if it is in the set.
    pub fn rank(&self, board: Board) -> Option<u64> {
        let space = &self.index.space;
        let board = space.upright(board);
        if !space.cut.has_room_for(board) || space.rules.sum(board) != self.index.sum() {
            return None;
        }
        let canonical = space.rules.canonical(board);
        let position = self.index.position(canonical)?;
        self.rank_at(position).map(u64::from)
    }

    /// The rank of the board at a position, if it is in the set.
    #[inline]
    pub fn rank_at(&self, position: u64) -> Option<u32> {
        let at = (position / 64) as usize;
        let word = *self.words.words().get(at)?;
        let bit = 1u64 << (position % 64);
        (word & bit != 0).then(|| self.before[at] + (word & (bit - 1)).count_ones())
    }

    /// The rank of the board at a position, [`BoardSet::NONE`] if it is not in the set or the
    /// position is outside the layer. No branch depends on the board.
    #[inline]
    pub fn rank_or_none(&self, position: u64) -> u32 {
        let at = (position / 64) as usize;
        let words = self.words.words();
        let (word, before) = match (words.get(at), self.before.get(at)) {
            (Some(&word), Some(&before)) => (word, before),
            _ => return BoardSet::NONE,
        };
        rank_in_word(word, before, position)
    }

    /// No rank.
    pub const NONE: u32 = u32::MAX;

    /// The boards by rank, in the game's shape.
    pub fn iter(&self) -> impl Iterator<Item = Board> {
        (0..self.words.words().len())
            .step_by(CHUNK)
            .flat_map(move |from| {
                let mut boards = Vec::new();
                self.for_each_in(from..from + CHUNK, |_, board| {
                    boards.push(self.index.space.in_shape(board));
                });
                boards
            })
    }

    /// Ranges of words with about `boards` boards each, and the rank that each begins with.
    pub fn tasks(&self, boards: u32) -> Vec<(u32, Range<usize>)> {
        let words = self.words.words().len();
        let mut tasks = Vec::new();
        let mut from = 0;
        while from < words {
            let limit = self.before[from].saturating_add(boards);
            // A word more than none, so that it ends. The end is near: look there first.
            let (mut start, mut step) = (from + 1, boards as usize / 16 + 1);
            while self
                .before
                .get(start + step)
                .is_some_and(|&rank| rank <= limit)
            {
                start += step;
                step *= 2;
            }
            let near = &self.before[start..words.min(start + step)];
            let end = start + near.partition_point(|&rank| rank <= limit);
            tasks.push((self.before[from], from..end));
            from = end;
        }
        tasks
    }

    /// Calls `visit` with the positions of a range of ranks.
    pub fn for_each_rank(&self, ranks: Range<u32>, mut visit: impl FnMut(u64)) {
        if ranks.is_empty() {
            return;
        }
        // The last word that begins with the first rank or less.
        let from = self.before.partition_point(|&rank| rank <= ranks.start) - 1;
        let mut rank = self.before[from];
        for (i, &word) in self.words.words()[from..].iter().enumerate() {
            if rank >= ranks.end {
                return;
            }
            for_each_bit(std::iter::once(word), |bit| {
                if ranks.contains(&rank) {
                    visit((64 * (from + i) + bit) as u64);
                }
                rank += 1;
            });
        }
    }

    /// Calls `visit` with the position and the upright board of every set bit in a range of
    /// words, by rank.
    #[inline]
    pub fn for_each_in(&self, range: Range<usize>, mut visit: impl FnMut(u64, Board)) {
        let space = &*self.index.space;
        self.for_each_row_in(range, |block, row, first, words| {
            let bottoms = space.bottom_group(block);
            let top = space.top(block, row);
            let start = block.offset + row * block.stride;
            for_each_bit(words.iter().copied(), |bit| {
                let bit = first + bit;
                visit((64 * start + bit) as u64, space.board(top, bottoms[bit]));
            });
        });
    }

    /// Calls `visit` with every row, or part of a row, in a range of words: its block, the rank of
    /// its top, the rank of the bottom of its first bit, and its words.
    #[inline]
    pub fn for_each_row_in(
        &self,
        range: Range<usize>,
        mut visit: impl FnMut(&Block, usize, usize, &[u64]),
    ) {
        let words = self.words.words();
        let mut at = range.start;
        let end = range.end.min(words.len());
        while at < end {
            let Some(block) = self.index.block_of(at) else {
                return;
            };
            let row = (at - block.offset) / block.stride;
            let start = block.offset + row * block.stride;
            let stop = (start + block.stride).min(end);
            visit(block, row, 64 * (at - start), &words[at..stop]);
            at = stop;
        }
    }

    /// The boards with a top, given by its weight and its rank; none if there is no such block.
    #[inline]
    pub fn row(&self, top_units: usize, row: usize) -> RankedRow<'_> {
        let block = self.index.layout.block(top_units);
        let Some(block) = block.filter(|block| row < block.rows) else {
            return RankedRow::default();
        };
        let words = block.offset + row * block.stride..block.offset + (row + 1) * block.stride;
        RankedRow {
            words: &self.words.words()[words.clone()],
            before: &self.before[words],
        }
    }
}

/// The boards of a set that have the same top.
#[derive(Clone, Copy, Default)]
pub struct RankedRow<'a> {
    words: &'a [u64],
    before: &'a [u32],
}

impl RankedRow<'_> {
    /// The rank of the board whose bottom has a rank, [`BoardSet::NONE`] if it is not in the set.
    #[inline]
    pub fn rank_or_none(&self, bottom: usize) -> u32 {
        let (word, before) = match (self.words.get(bottom / 64), self.before.get(bottom / 64)) {
            (Some(&word), Some(&before)) => (word, before),
            _ => return BoardSet::NONE,
        };
        rank_in_word(word, before, bottom as u64)
    }
}

/// The rank of a bit, modulo 64, of a word, if it is set. No branch depends on it.
#[inline]
fn rank_in_word(word: u64, before: u32, position: u64) -> u32 {
    let bit = 1u64 << (position % 64);
    let rank = before + (word & (bit - 1)).count_ones();
    select_unpredictable(word & bit != 0, rank, BoardSet::NONE)
}

/// Why a packed set could not be unpacked.
#[derive(Debug)]
pub enum UnpackError {
    /// The system refused memory.
    Memory(std::io::Error),
    /// A section does not fit its layer.
    Invalid,
}
