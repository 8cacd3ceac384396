//! The bits of one layer.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::buffer::Buffer;
use crate::space::{Place, Space};

/// The boards of a layer whose tops have the same sum.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    /// Sum of the tops, in units of 2.
    pub top_units: usize,
    /// Sum of the bottoms.
    pub bottom_units: usize,
    /// Number of tops.
    pub rows: usize,
    /// Words for each top.
    pub stride: usize,
    /// Words of the blocks before.
    offset: usize,
}

/// The blocks of a layer, one for each sum of the top.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub units: usize,
    first: usize,
    pub blocks: Vec<Block>,
}

impl Layout {
    /// The blocks of the layer whose tile sum is `units` × 2.
    pub fn new(space: &Space, units: usize) -> Layout {
        let (tops, bottoms) = (&space.tops.halves, &space.bottoms);
        let first = match units.checked_sub(bottoms.halves.max_units()) {
            rest if space.folded => rest.unwrap_or(0).max(units.div_ceil(2)),
            rest => rest.unwrap_or(0),
        };
        let mut offset = 0;
        let blocks = (first..=units.min(tops.max_units()))
            .map(|top_units| {
                let bottom_units = units - top_units;
                let stride = bottoms.words(bottom_units);
                let rows = if stride == 0 { 0 } else { tops.group(top_units).len() };
                let block = Block { top_units, bottom_units, rows, stride, offset };
                offset += rows * stride;
                block
            })
            .collect();
        Layout { units, first, blocks }
    }

    /// Words of the whole layer.
    pub fn words(&self) -> usize {
        self.blocks.last().map_or(0, |block| block.offset + block.rows * block.stride)
    }

    /// The block with a sum of the top.
    #[inline]
    pub fn block(&self, top_units: usize) -> Option<&Block> {
        self.blocks.get(top_units.checked_sub(self.first)?)
    }
}

/// A set of folded boards with the same tile sum.
pub(crate) struct Layer {
    pub layout: Layout,
    words: Buffer,
}

/// Layers below this many words are not worth a second thread.
const SMALL: usize = 1 << 12;
/// Words that a thread takes at a time.
const CHUNK: usize = 1 << 13;

impl Layer {
    /// A layer in a buffer whose content is not known yet.
    pub fn new(layout: Layout, mut words: Buffer) -> Layer {
        words.resize(layout.words());
        Layer { layout, words }
    }

    /// The buffer, for another layer.
    pub fn into_buffer(self) -> Buffer {
        self.words
    }

    pub fn words(&self) -> &[u64] {
        self.words.words()
    }

    /// The bits of a top; `None` if there is no such block.
    #[inline]
    pub fn row(&self, top_units: usize, row: usize) -> Option<&[u64]> {
        let block = self.layout.block(top_units)?;
        let from = block.offset + row * block.stride;
        self.words.words().get(from..from + block.stride)
    }

    /// Whether a board with this place is in the set.
    #[inline]
    pub fn contains(&self, place: Place) -> bool {
        self.row(place.top_units, place.row)
            .and_then(|row| row.get(place.bit / 64))
            .is_some_and(|word| word >> (place.bit % 64) & 1 == 1)
    }

    /// Fills every row anew, rows in parallel: `fill` gets the block, the row's number, and
    /// the row itself with its old content.
    pub fn fill_rows<S>(
        &mut self,
        scratch: impl Fn() -> S + Sync,
        fill: impl Fn(&Block, usize, &mut [u64], &mut S) + Sync,
    ) {
        let total = self.layout.words();
        let mut rest = self.words.words_mut();
        let mut tasks = Vec::new();
        for block in self.layout.blocks.iter().filter(|block| block.rows > 0) {
            let (words, after) = rest.split_at_mut(block.rows * block.stride);
            rest = after;
            let rows = (CHUNK / block.stride).max(1);
            for (i, part) in words.chunks_mut(rows * block.stride).enumerate() {
                tasks.push((block, i * rows, part));
            }
        }
        let work = |(block, first, part): (&Block, usize, &mut [u64]), scratch: &mut S| {
            for (i, row) in part.chunks_mut(block.stride).enumerate() {
                fill(block, first + i, row, scratch);
            }
        };
        if total < SMALL {
            let mut scratch = scratch();
            tasks.into_iter().for_each(|task| work(task, &mut scratch));
        } else {
            tasks
                .into_par_iter()
                .with_max_len(1)
                .for_each_init(&scratch, |scratch, task| work(task, scratch));
        }
    }

    /// Folds a function over all rows of the chosen blocks, in parallel.
    pub fn fold_rows<T: Send>(
        &self,
        choose: impl Fn(&Block) -> bool,
        zero: impl Fn() -> T + Sync + Send,
        add: impl Fn(&mut T, &Block, usize, &[u64]) + Sync + Send,
        merge: impl Fn(T, T) -> T + Sync + Send,
    ) -> T {
        let words = self.words.words();
        let mut tasks = Vec::new();
        let mut total = 0;
        for block in self.layout.blocks.iter().filter(|b| b.rows > 0 && choose(b)) {
            let part = &words[block.offset..block.offset + block.rows * block.stride];
            let rows = (CHUNK / block.stride).max(1);
            total += part.len();
            for (i, part) in part.chunks(rows * block.stride).enumerate() {
                tasks.push((block, i * rows, part));
            }
        }
        let work = |sum: &mut T, (block, first, part): (&Block, usize, &[u64])| {
            for (i, row) in part.chunks(block.stride).enumerate() {
                add(sum, block, first + i, row);
            }
        };
        if total < SMALL {
            let mut sum = zero();
            tasks.into_iter().for_each(|task| work(&mut sum, task));
            sum
        } else {
            tasks
                .into_par_iter()
                .with_max_len(1)
                .fold(&zero, |mut sum, task| {
                    work(&mut sum, task);
                    sum
                })
                .reduce(&zero, merge)
        }
    }

    /// The layer for marking from many threads.
    pub fn marker(&mut self) -> Marker<'_> {
        Marker { layout: &self.layout, words: self.words.atomic() }
    }
}

/// Sets bits from many threads.
pub(crate) struct Marker<'a> {
    pub layout: &'a Layout,
    words: &'a [AtomicU64],
}

impl Marker<'_> {
    /// Puts a board into the set.
    #[inline]
    pub fn mark(&self, place: Place) {
        let Some(block) = self.layout.block(place.top_units) else {
            return;
        };
        let at = block.offset + place.row * block.stride + place.bit / 64;
        let bit = 1u64 << (place.bit % 64);
        // Most boards are there already, and looking is cheaper than locking the line.
        if self.words[at].load(Ordering::Relaxed) & bit == 0 {
            self.words[at].fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Calls `visit` with all boards of a part of the set, including some that are marked
    /// meanwhile.
    pub fn for_each_row(&self, choose: impl Fn(&Block) -> bool + Sync, visit: impl Fn(&Block, usize, &[AtomicU64]) + Sync + Send) {
        let mut tasks = Vec::new();
        let mut total = 0;
        for block in self.layout.blocks.iter().filter(|b| b.rows > 0 && choose(b)) {
            let part = &self.words[block.offset..block.offset + block.rows * block.stride];
            let rows = (CHUNK / block.stride).max(1);
            total += part.len();
            for (i, part) in part.chunks(rows * block.stride).enumerate() {
                tasks.push((block, i * rows, part));
            }
        }
        let work = |(block, first, part): (&Block, usize, &[AtomicU64])| {
            for (i, row) in part.chunks(block.stride).enumerate() {
                visit(block, first + i, row);
            }
        };
        if total < SMALL {
            tasks.into_iter().for_each(work);
        } else {
            tasks.into_par_iter().with_max_len(1).for_each(work);
        }
    }
}

/// Calls `visit` with the number of every set bit of a row.
#[inline]
pub(crate) fn for_each_bit(words: impl Iterator<Item = u64>, mut visit: impl FnMut(usize)) {
    for (i, mut word) in words.enumerate() {
        while word != 0 {
            visit(64 * i + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    }
}
