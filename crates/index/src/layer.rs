//! One layer as a bitmap in blocks.

use std::ops::Range;

use rayon::prelude::*;

use crate::buffer::Buffer;
use crate::mark::Marker;
use crate::space::{Place, Space};

/// The boards of a layer whose tops have the same weight.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Weight of the tops: their sum in units of 2, and what their walls weigh.
    pub top_units: usize,
    /// Weight of the bottoms.
    pub bottom_units: usize,
    /// Number of tops.
    pub rows: usize,
    /// Words for each top.
    pub stride: usize,
    /// Bits for each top: the bottoms of folded boards.
    pub bits: usize,
    /// How many of them are lighter than the top; they come first, and the others tie with it.
    pub untied: usize,
    /// Words of the blocks before.
    pub offset: usize,
}

impl Block {
    /// The bottoms that are lighter than the top, but by no more than a tile.
    pub fn nearly_tied(&self, space: &Space, tile_units: usize) -> Range<usize> {
        let lighter = self.top_units.checked_sub(tile_units);
        let far = lighter.map_or(0, |units| space.bottoms_under(units, self.bottom_units).1);
        far.min(self.untied)..self.untied
    }
}

/// The blocks of a layer, one for each weight of the top.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The tile sum, in units of 2.
    pub units: usize,
    /// Sum of the tops of the first block.
    first: usize,
    /// The blocks, by the sum of their tops.
    pub blocks: Vec<Block>,
}

impl Layout {
    /// The blocks of the layer whose tile sum is `units` × 2.
    pub fn new(space: &Space, units: usize) -> Layout {
        let (tops, bottoms) = (&space.tops.halves, &space.bottoms);
        let weight = units + space.cut.all_walls_units();
        let first = weight.saturating_sub(bottoms.halves.max_units());
        let mut offset = 0;
        let blocks = (first..=weight.min(tops.max_units()))
            .map(|top_units| {
                let bottom = space.cut.bottom_units(units, top_units);
                let bottom_units = bottom.unwrap_or(0);
                let (bits, untied) = match bottom {
                    Some(bottom) => space.bottoms_under(top_units, bottom),
                    None => (0, 0),
                };
                let stride = bits.div_ceil(64);
                let rows = if bits == 0 {
                    0
                } else {
                    tops.group(top_units).len()
                };
                let block = Block {
                    top_units,
                    bottom_units,
                    rows,
                    stride,
                    bits,
                    untied,
                    offset,
                };
                offset += rows * stride;
                block
            })
            .collect();
        Layout {
            units,
            first,
            blocks,
        }
    }

    /// Words of the whole layer.
    #[inline]
    pub fn words(&self) -> usize {
        self.blocks
            .last()
            .map_or(0, |block| block.offset + block.rows * block.stride)
    }

    /// Where the words of a part lie.
    #[inline]
    pub fn range(&self, part: Part) -> Range<usize> {
        let begin = |top_units: usize| {
            let block = self.blocks.get(top_units.saturating_sub(self.first));
            block.map_or(self.words(), |block| block.offset)
        };
        begin(part.first)..begin(part.end)
    }

    /// The blocks of a part, as if there were no others.
    #[cfg(not(target_family = "wasm"))]
    pub fn part(&self, part: Part) -> Layout {
        let offset = self.range(part).start;
        let inside = self.blocks.iter().filter(|block| part.has(block.top_units));
        Layout {
            units: self.units,
            first: part.first.max(self.first),
            blocks: inside
                .map(|&block| Block {
                    offset: block.offset - offset,
                    ..block
                })
                .collect(),
        }
    }

    /// The blocks that `keep` accepts; the others have no room.
    #[cfg(not(target_family = "wasm"))]
    pub fn only(&self, keep: impl Fn(&Block) -> bool) -> Layout {
        let mut offset = 0;
        let blocks = self.blocks.iter().map(|block| {
            let rows = if keep(block) { block.rows } else { 0 };
            let kept = Block {
                rows,
                offset,
                ..*block
            };
            offset += rows * block.stride;
            kept
        });
        Layout {
            blocks: blocks.collect(),
            ..*self
        }
    }

    /// Runs of blocks, each as long as `fits` allows and at least one block long.
    pub fn parts(&self, fits: impl Fn(Part) -> bool) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        for block in &self.blocks {
            let (first, end) = (block.top_units, block.top_units + 1);
            match parts.last_mut() {
                Some(part) if fits(Part { end, ..*part }) => part.end = end,
                _ => parts.push(Part { first, end }),
            }
        }
        parts
    }

    /// The block with a sum of the top.
    #[inline]
    pub fn block(&self, top_units: usize) -> Option<&Block> {
        self.blocks.get(top_units.checked_sub(self.first)?)
    }
}

/// A part of a layer: the blocks whose tops have a sum in a range. Layers are split into parts
/// where memory is short.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// The smallest sum of a top, in units of 2.
    pub first: usize,
    /// One more than the largest sum of a top.
    pub end: usize,
}

impl Part {
    /// The whole layer.
    pub const ALL: Part = Part {
        first: 0,
        end: usize::MAX,
    };

    /// The part extended by `units` sums at its lower end.
    pub fn lowered(self, units: usize) -> Part {
        Part {
            first: self.first.saturating_sub(units),
            ..self
        }
    }

    /// Whether the block with a sum of the top belongs to it.
    #[inline]
    pub fn has(self, top_units: usize) -> bool {
        self.first <= top_units && top_units < self.end
    }
}

/// A set of folded boards with the same tile sum.
pub struct Layer {
    /// Where the boards have their bits.
    pub layout: Layout,
    words: Buffer,
}

/// Layers below this many words are done by one thread.
const SMALL: usize = 1 << 8;
/// Words that a thread takes at a time.
const CHUNK: usize = 1 << 13;

/// Tasks that a thread takes at a time: where blocks are small there are very many.
pub fn least_tasks(tasks: usize) -> usize {
    (tasks / (16 * rayon::current_num_threads())).max(1)
}

impl Layer {
    /// A layer in a buffer whose content is not known yet.
    pub fn new(layout: Layout, mut words: Buffer) -> Layer {
        words.resize(layout.words());
        Layer { layout, words }
    }

    /// The words of a block.
    pub fn block_words(&self, block: &Block) -> &[u64] {
        &self.words()[block.offset..block.offset + block.rows * block.stride]
    }

    /// All words.
    pub(crate) fn words(&self) -> &[u64] {
        self.words.words()
    }

    /// All words, to be filled.
    #[cfg(not(target_family = "wasm"))]
    pub fn words_mut(&mut self) -> &mut [u64] {
        self.words.words_mut()
    }

    /// The buffer, for another layer.
    pub fn into_buffer(self) -> Buffer {
        self.words
    }

    /// Whether the layer is too small for a second thread.
    #[inline]
    pub fn is_small(&self) -> bool {
        self.layout.words() < SMALL
    }

    /// Makes this layer the same set as another one of the same sum.
    pub fn copy_from(&mut self, other: &Layer) {
        let small = self.is_small();
        let (to, from) = (self.words.words_mut(), other.words.words());
        if small {
            to.copy_from_slice(from);
        } else {
            let chunks = to.par_chunks_mut(1 << 16).zip(from.par_chunks(1 << 16));
            chunks.for_each(|(to, from)| to.copy_from_slice(from));
        }
    }

    /// The bits of a top; `None` if there is no such block.
    #[inline]
    pub fn row(&self, top_units: usize, row: usize) -> Option<&[u64]> {
        let block = self
            .layout
            .block(top_units)
            .filter(|block| row < block.rows)?;
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

    /// Fills every row of the chosen blocks anew, rows in parallel: `fill` gets the block, the
    /// row's number, and the row itself with its old content.
    pub fn fill_rows<S>(
        &mut self,
        choose: impl Fn(&Block) -> bool,
        scratch: impl Fn() -> S + Sync,
        fill: impl Fn(&Block, usize, &mut [u64], &mut S) + Sync,
    ) {
        let total = self.layout.words();
        let mut rest = self.words.words_mut();
        let mut tasks = Vec::new();
        for block in self.layout.blocks.iter().filter(|block| block.rows > 0) {
            let (words, after) = rest.split_at_mut(block.rows * block.stride);
            rest = after;
            if !choose(block) {
                continue;
            }
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
            let least = least_tasks(tasks.len());
            tasks
                .into_par_iter()
                .with_min_len(least)
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
        for block in self
            .layout
            .blocks
            .iter()
            .filter(|b| b.rows > 0 && choose(b))
        {
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
            let least = least_tasks(tasks.len());
            tasks
                .into_par_iter()
                .with_min_len(least)
                .fold(&zero, |mut sum, task| {
                    work(&mut sum, task);
                    sum
                })
                .reduce(&zero, merge)
        }
    }

    /// Gives the memory of a block back to the system.
    pub fn release(&mut self, block: &Block) {
        self.words
            .release(block.offset..block.offset + block.rows * block.stride);
    }

    /// The layer for marking from many threads.
    pub fn marker(&mut self) -> Marker<'_> {
        Marker::new(&self.layout, self.words.atomic())
    }
}

/// Calls `visit` with the number of every set bit of a row.
#[inline]
pub fn for_each_bit(words: impl Iterator<Item = u64>, mut visit: impl FnMut(usize)) {
    for (i, mut word) in words.enumerate() {
        while word != 0 {
            visit(64 * i + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_make_up_a_layer_and_fit() {
        let space = Space::new(&"3x3-to-64".parse().unwrap()).unwrap();
        for units in 0..=space.tops.halves.max_units() + space.bottoms.halves.max_units() {
            let layout = Layout::new(&space, units);
            let largest = |block: &Block| block.rows * block.stride;
            let largest = layout.blocks.iter().map(largest).max().unwrap_or(0);
            for room in [0, largest, 2 * largest, usize::MAX] {
                let parts = layout.parts(|part| layout.range(part).len() <= room);
                let mut end = 0;
                let mut blocks = 0;
                for &part in &parts {
                    let (range, alone) = (layout.range(part), layout.part(part));
                    assert_eq!(range.start, end, "{units}");
                    end = range.end;
                    assert_eq!(alone.words(), range.len(), "{units}");
                    assert!(range.len() <= room.max(largest), "{units}");
                    for block in &alone.blocks {
                        let whole = layout.block(block.top_units).unwrap();
                        assert_eq!(whole.offset, range.start + block.offset);
                        assert_eq!(alone.block(block.top_units).unwrap().rows, whole.rows);
                        blocks += 1;
                    }
                    assert!(alone.block(part.end).is_none());
                    assert!(
                        part.first
                            .checked_sub(1)
                            .is_none_or(|b| alone.block(b).is_none())
                    );
                }
                assert_eq!(
                    (end, blocks),
                    (layout.words(), layout.blocks.len()),
                    "{units}"
                );
                assert!(room < usize::MAX || parts.len() <= 1);
            }
        }
    }
}
