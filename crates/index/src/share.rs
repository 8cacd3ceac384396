//! Layers dealt out to several processes.

use crate::layer::{Layout, Part};
use crate::space::Place;

/// How a layer is dealt out: every process has the blocks of a range of tops, and the shares have about
/// equally many bits.
///
/// ```
/// use tilebase_index::{BoardIndex, Shares};
///
/// let index = BoardIndex::new(&"3x3-to-64".parse().unwrap()).unwrap();
/// let layer = index.layer(40);
/// let shares = Shares::new(layer.layout().clone(), 3);
/// let parts = (0..3).map(|process| layer.part(shares.part(process)));
/// assert_eq!(parts.map(|part| part.positions()).sum::<u64>(), layer.positions());
/// ```
#[derive(Clone, Debug)]
pub struct Shares {
    /// The blocks of the whole layer.
    layout: Layout,
    parts: Vec<Part>,
    /// Words of the shares before each one, and its own.
    words: Vec<(usize, usize)>,
    /// The weight of the first block's tops, and who has each block.
    first: usize,
    owners: Vec<u32>,
}

impl Shares {
    /// Deals out a layer.
    pub fn new(layout: Layout, processes: usize) -> Shares {
        let words = layout.blocks.iter().map(|block| block.rows * block.stride);
        let cuts = even_cuts(words, processes);
        let top_units = |cut: &usize| {
            let block = layout.blocks.get(*cut);
            block.map_or(usize::MAX, |block| block.top_units)
        };
        let bounds: Vec<usize> = std::iter::once(0)
            .chain(cuts.iter().map(top_units))
            .chain([usize::MAX])
            .collect();
        let parts: Vec<Part> = bounds
            .windows(2)
            .map(|bounds| Part {
                first: bounds[0],
                end: bounds[1],
            })
            .collect();
        let owner = |top_units: usize| {
            let at = parts.iter().position(|part| part.has(top_units));
            at.unwrap_or(0) as u32
        };
        let words = |&part: &Part| {
            let range = layout.range(part);
            (range.start, range.len())
        };
        let blocks = layout.blocks.iter();
        Shares {
            words: parts.iter().map(words).collect(),
            first: layout.blocks.first().map_or(0, |block| block.top_units),
            owners: blocks.map(|block| owner(block.top_units)).collect(),
            parts,
            layout,
        }
    }

    /// The blocks of the whole layer.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// One more than the largest position in the share of a process.
    pub fn positions(&self, process: usize) -> u64 {
        64 * self.words[process].1 as u64
    }

    /// The process that has a board, and the position in its share.
    #[inline]
    pub fn locate(&self, place: Place) -> Option<(usize, u64)> {
        let owner = self.owner(place.top_units);
        let block = self.layout.block(place.top_units)?;
        let inside = place.row < block.rows && place.bit < block.bits;
        let word = (block.offset + place.row * block.stride).checked_sub(self.words[owner].0)?;
        inside.then_some((owner, (64 * word + place.bit) as u64))
    }

    /// What a process has.
    pub fn part(&self, process: usize) -> Part {
        self.parts[process]
    }

    /// What each process has.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The process that has the tops of a weight.
    #[inline]
    pub fn owner(&self, top_units: usize) -> usize {
        let at = top_units.wrapping_sub(self.first);
        self.owners.get(at).map_or(0, |&owner| owner as usize)
    }
}

/// Divides a row of blocks into shares of about equal sizes: the first block of every share but the
/// first, which is the one nearest to where the share would begin.
///
/// ```
/// assert_eq!(tilebase_index::even_cuts([3, 1, 1, 1].into_iter(), 2), [1]);
/// assert_eq!(tilebase_index::even_cuts([1; 6].into_iter(), 3), [2, 4]);
/// ```
pub fn even_cuts(sizes: impl Iterator<Item = usize>, processes: usize) -> Vec<usize> {
    let mut total = 0;
    // Twice the place of the middle of each block.
    let middles: Vec<usize> = sizes
        .map(|size| {
            let middle = 2 * total + size;
            total += size;
            middle
        })
        .collect();
    let cut = |process: usize| {
        let even = 2 * total as u128 * process as u128 / processes as u128;
        middles.partition_point(|&middle| (middle as u128) < even)
    };
    (1..processes).map(cut).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Space;

    #[test]
    fn every_block_has_one_owner_and_shares_are_even() {
        for name in ["2x2-to-32", "3x3-to-64", "4x3-to-32", "4x4-to-16"] {
            let space = Space::new(&name.parse().unwrap()).unwrap();
            for units in 0..40 {
                let layout = Layout::new(&space, units);
                let largest = layout.blocks.iter().map(|b| b.rows * b.stride).max();
                for processes in [1, 2, 3, 8, 40] {
                    let shares = Shares::new(layout.clone(), processes);
                    let words = |part: &Part| layout.range(*part).len();
                    let total: usize = shares.parts().iter().map(words).sum();
                    assert_eq!(total, layout.words(), "{name} {units} {processes}");
                    let most = layout.words() / processes + largest.unwrap_or(0) + 1;
                    assert!(shares.parts().iter().all(|part| words(part) <= most));
                    for block in &layout.blocks {
                        let owner = shares.owner(block.top_units);
                        assert!(shares.part(owner).has(block.top_units));
                    }
                }
            }
        }
    }
}
