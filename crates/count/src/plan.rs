//! What a count will need.

use tilebase_game::Variant;

use crate::error::CountError;
use tilebase_index::Cut;
use tilebase_index::layer::{Layout, Part};
use tilebase_index::row::Rows;

/// Bytes that the tables hold for each half board, roughly.
const TABLE_BYTES: u64 = 48;
/// What the program needs beside tables and layers.
const BASE_BYTES: u64 = 16 << 20;
/// Above this many steps only a sample of the layers is measured.
const MAX_STEPS: u64 = 200_000_000;

/// The sizes of a game's layers, and how they fit into memory.
///
/// ```
/// use tilebase_count::CountPlan;
///
/// let plan = CountPlan::new(&"4x4-to-16".parse().unwrap(), 1 << 30).unwrap();
/// assert!(!plan.in_parts() && plan.whole_bytes() < 1 << 30);
/// ```
#[derive(Clone, Debug)]
pub struct CountPlan {
    /// Layers that boards of the shape could have; fewer are reached.
    pub layers: u64,
    /// Words of the largest layer.
    pub(crate) max_words: usize,
    /// Bytes of all layers' bits together.
    pub total_bytes: u64,
    /// Bytes of the tables.
    pub table_bytes: u64,
    /// Words of the largest block.
    block_words: u64,
    /// Words of every n-th layer, and n.
    sampled: (Vec<u64>, usize),
    /// Layers that a game can reach.
    reach: u64,
    /// Bytes allowed.
    memory: u64,
}

impl CountPlan {
    /// The plan of a count with `memory` bytes; an error if that is too little.
    pub fn new(variant: &Variant, memory: u64) -> Result<CountPlan, CountError> {
        let sizes = CountPlan::sizes(variant, memory)?;
        sizes.check(0)?;
        Ok(sizes)
    }

    /// The same plan, whether it fits or not.
    pub fn sizes(variant: &Variant, memory: u64) -> Result<CountPlan, CountError> {
        let halves = HalfCounts::new(variant)?;
        let max_units = halves.max_units();
        let stride = halves.steps().div_ceil(MAX_STEPS).max(1) as usize;
        let mut plan = CountPlan {
            layers: max_units as u64 + 1,
            max_words: 0,
            total_bytes: 0,
            table_bytes: halves.number().saturating_mul(TABLE_BYTES) + (64 << 16),
            block_words: 0,
            sampled: (Vec::new(), stride),
            reach: reach(variant),
            memory,
        };
        for units in (0..=max_units).step_by(stride) {
            let mut words = 0u64;
            for block in halves.blocks(units) {
                plan.block_words = plan.block_words.max(block);
                words += block;
            }
            plan.sampled.0.push(words);
            plan.max_words = plan
                .max_words
                .max(usize::try_from(words).unwrap_or(usize::MAX));
            plan.total_bytes = plan
                .total_bytes
                .saturating_add(words.saturating_mul(8 * stride as u64));
        }
        if stride > 1 {
            // Neighbouring layers differ little; a margin for those not measured.
            plan.max_words += plan.max_words / 8;
            plan.block_words += plan.block_words / 8;
        }
        Ok(plan)
    }

    /// Words of every layer that a game can reach, by tile sum; approximate if layers are
    /// sampled.
    pub fn layer_words(&self) -> Vec<usize> {
        let (words, stride) = &self.sampled;
        let all = words
            .iter()
            .flat_map(|&words| std::iter::repeat_n(words as usize, *stride));
        all.take(self.reach.min(self.layers) as usize).collect()
    }

    /// Whether the sizes of only some layers were measured, because there are so many.
    pub fn is_sampled(&self) -> bool {
        self.sampled.1 > 1
    }

    /// Bytes of the largest layer's bits.
    pub fn layer_bytes(&self) -> u64 {
        self.max_words as u64 * 8
    }

    /// Bytes that a count needs to keep whole layers in memory.
    pub fn whole_bytes(&self) -> u64 {
        BASE_BYTES + self.table_bytes + 3 * self.layer_bytes()
    }

    /// Bytes of the program and its tables.
    pub fn base_bytes(&self) -> u64 {
        BASE_BYTES + self.table_bytes
    }

    /// Bytes of the largest block.
    pub fn block_bytes(&self) -> u64 {
        8 * self.block_words
    }

    /// Bytes of GPU memory that a count needs to keep whole layers there.
    pub fn gpu_bytes(&self) -> u64 {
        self.table_bytes + 3 * self.layer_bytes()
    }

    /// The least bytes of GPU memory that a count needs, with layers in parts.
    pub fn gpu_least_bytes(&self) -> u64 {
        // Three parts, one of them with three blocks: the afterstates around a block of states.
        let part = (3 * self.block_words).min(self.max_words as u64);
        self.table_bytes + 3 * 8 * part
    }

    /// Bytes of this machine's memory that a count in parts on a GPU needs: three layers, and
    /// one more if the engine returns sets.
    pub fn gpu_host_bytes(&self, returns_sets: bool) -> u64 {
        self.whole_bytes() + u64::from(returns_sets) * self.layer_bytes()
    }

    /// Words of each of the three parts that fit into `free` bytes of GPU memory.
    pub(crate) fn gpu_part_words(&self, free: u64) -> usize {
        let room = free.saturating_sub(self.table_bytes) / 3 / 8;
        usize::try_from(room.min(self.max_words as u64)).unwrap_or(usize::MAX)
    }

    /// The least bytes of memory that a count needs, with layers in parts and without what is
    /// packed.
    pub fn least_bytes(&self) -> u64 {
        // A block of states with one, two and three blocks of afterstates around it, or a
        // block before and after a slide.
        BASE_BYTES + self.table_bytes + 6 * 8 * self.block_words
    }

    /// Whether layers must be split into parts.
    pub fn in_parts(&self) -> bool {
        self.memory < self.whole_bytes()
    }

    /// Fails if there is too little memory for `packed` bytes of packed layers.
    pub(crate) fn check(&self, packed: u64) -> Result<(), CountError> {
        let needed = self.least_bytes().saturating_add(packed);
        if self.in_parts() && self.memory < needed {
            return Err(CountError::Memory {
                needed,
                allowed: self.memory,
            });
        }
        Ok(())
    }

    /// Runs of blocks, each as large as memory allows beside packed layers.
    pub(crate) fn parts(&self, layout: &Layout) -> Vec<Part> {
        // A half for the blocks, the other half for what is packed.
        let room = (self.memory.saturating_sub(BASE_BYTES + self.table_bytes) / 2 / 8) as usize;
        layout.parts(|part| layout.range(part).len() <= room)
    }
}

/// The sizes of all blocks of a game's layers, without the tables that a count builds.
///
/// ```
/// use tilebase_count::{BlockSizes, CountPlan};
///
/// let variant = "4x4-to-16".parse().unwrap();
/// let sizes = BlockSizes::new(&variant).unwrap();
/// let bytes = |units: usize| 8 * sizes.words(units).iter().sum::<u64>();
/// // Sixteen 8s have 64 units.
/// let largest = (0..=64).map(bytes).max();
/// assert_eq!(largest, CountPlan::new(&variant, u64::MAX).ok().map(|plan| plan.layer_bytes()));
/// ```
pub struct BlockSizes(HalfCounts);

impl BlockSizes {
    /// The sizes of a game.
    pub fn new(variant: &Variant) -> Result<BlockSizes, CountError> {
        Ok(BlockSizes(HalfCounts::new(variant)?))
    }

    /// Words of the blocks of the layer with a tile sum of `units` × 2, by the weight of their tops.
    pub fn words(&self, units: usize) -> Vec<u64> {
        self.0.blocks(units).collect()
    }
}

/// Numbers of half boards by their weight.
struct HalfCounts {
    cut: Cut,
    /// Rows that can lead a bottom, and those beside them.
    rows: [Vec<u64>; 2],
    tops: Vec<u64>,
    bottoms: Vec<u64>,
}

impl HalfCounts {
    fn new(variant: &Variant) -> Result<HalfCounts, CountError> {
        let cut = Cut::new(variant)?;
        let roles = [cut.rows(0)?, cut.rows(1)?, cut.rows(2)?, cut.rows(3)?];
        let count = |rows: &Rows| -> Vec<u64> {
            let of = |units: usize| rows.with_units(units).len() as u64;
            (0..=rows.max_units()).map(of).collect()
        };
        let folded = |rows: &Rows| -> Vec<u64> {
            let folded = |&&row: &&u16| !rows.info(row).is_less();
            let of = |units: usize| rows.with_units(units).iter().filter(folded).count() as u64;
            (0..=rows.max_units()).map(of).collect()
        };
        let [a, b, c, d] = &roles;
        let mut tops = match cut.top_rows {
            2 => convolve(&folded(a), &count(b)),
            _ => folded(a),
        };
        let rows = [count(d), count(c)];
        let mut bottoms = match cut.bottom_rows {
            0 => vec![1],
            1 => count(c),
            _ => convolve(&rows[0], &rows[1]),
        };
        for (halves, top) in [(&mut tops, true), (&mut bottoms, false)] {
            for (weight, number) in halves.iter_mut().enumerate() {
                if !cut.admits_half(weight, top) {
                    *number = 0;
                }
            }
        }
        Ok(HalfCounts {
            cut,
            rows,
            tops,
            bottoms,
        })
    }

    /// Number of all halves.
    fn number(&self) -> u64 {
        self.tops.iter().sum::<u64>() + self.bottoms.iter().sum::<u64>()
    }

    /// The largest sum of a board, in units of 2.
    fn max_units(&self) -> usize {
        let weight = self.tops.len() + self.bottoms.len() - 2;
        let units = weight.saturating_sub(self.cut.all_walls_units());
        units.min(self.cut.most_units)
    }

    /// Steps that it takes to measure all layers.
    fn steps(&self) -> u64 {
        let (tops, bottoms) = (self.tops.len(), self.bottoms.len());
        let each = match (self.cut.top_rows, self.cut.bottom_rows) {
            (1, 2) => self.rows[0].len(),
            _ => 1,
        };
        (self.max_units() + 1) as u64 * tops.min(bottoms) as u64 * each as u64
    }

    /// How many bottoms of a weight a folded board with a top of a weight can have.
    fn bottoms_under(&self, top: usize, bottom: usize) -> u64 {
        let all = self.bottoms.get(bottom).copied().unwrap_or(0);
        match (self.cut.top_rows, self.cut.bottom_rows) {
            _ if !self.cut.folded || all == 0 => all,
            // Of three rows, the bottoms whose last row is not heavier than the top.
            (1, 2) => (0..=top.min(bottom))
                .filter_map(|last| Some(self.rows[0].get(last)? * self.rows[1].get(bottom - last)?))
                .sum(),
            (_, 0) => all,
            _ if top < bottom => 0,
            _ => all,
        }
    }

    /// Words of the blocks of a layer.
    fn blocks(&self, units: usize) -> impl Iterator<Item = u64> {
        let weight = units + self.cut.all_walls_units();
        let first = weight.saturating_sub(self.bottoms.len() - 1);
        let last = weight.min(self.tops.len() - 1);
        (first..=last).map(
            move |top| match (self.tops[top], self.cut.bottom_units(units, top)) {
                (0, _) | (_, None) => 0,
                (rows, Some(bottom)) => rows * self.bottoms_under(top, bottom).div_ceil(64),
            },
        )
    }
}

/// Layers that a game can reach: a board is heaviest with one of each tile from 4 up.
fn reach(variant: &Variant) -> u64 {
    let cells = u32::from(variant.free_cells());
    2u64.checked_shl(cells).map_or(u64::MAX, |sum| sum + 1)
}

fn convolve(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut sums = vec![0u64; a.len() + b.len() - 1];
    for (i, &x) in a.iter().enumerate().filter(|&(_, &x)| x > 0) {
        for (j, &y) in b.iter().enumerate().filter(|&(_, &y)| y > 0) {
            sums[i + j] += x * y;
        }
    }
    sums
}

/// A rough estimate of what a count will take.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// Bytes of the packed states.
    pub disk_bytes: u64,
    /// Seconds.
    pub seconds: f64,
}

impl CountPlan {
    /// Rough seconds on an H200: half a second to start, and 4.1 picoseconds for each bit of all
    /// layers, as measured on 4x4 to 128 and to 256. Layers in parts are copied about seven
    /// times, and once more for each part, whose mirrored boards are also read again.
    pub fn gpu_seconds(&self, free: u64) -> f64 {
        const COPY: f64 = 1.0 / 50e9;
        const PASS: f64 = 8.0 * 4.1e-12;
        const MIRROR: f64 = PASS / 2.0;
        let bytes = self.total_bytes as f64;
        if free >= self.gpu_bytes() {
            return 0.5 + bytes * PASS;
        }
        let parts = self.max_words.div_ceil(self.gpu_part_words(free).max(1)) as f64;
        0.5 + bytes * (PASS + (7.0 + parts) * COPY + (parts - 1.0) * MIRROR)
    }

    /// A rough estimate, from measurements on shapes with as many cells.
    pub fn estimate(&self, variant: &Variant, threads: usize) -> Estimate {
        // Nanoseconds and bytes on disk for each bit of all layers. The fewer cells, the
        // more of the boards are reached.
        let (nanoseconds, bytes) = match variant.free_cells() {
            ..=9 => (7.0, 0.05),
            10..=12 => (15.0, 0.1),
            // LayerBits in large tables wait for memory.
            _ if self.layer_bytes() > 1 << 29 => (4.0, 0.03),
            _ => (1.8, 0.03),
        };
        let bits = 8.0 * self.total_bytes as f64;
        let slow = if self.in_parts() { 4.0 } else { 1.0 };
        Estimate {
            disk_bytes: (bits * bytes) as u64,
            seconds: slow * bits * nanoseconds * 1e-9 / threads as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::{CountOptions, count};
    use tilebase_index::BoardIndex;
    use tilebase_util::progress::Silent;

    #[test]
    fn layers_are_as_large_as_planned_and_no_game_goes_beyond() {
        for name in ["1x4", "2x2", "2x3", "3x3-to-64", "4x2-to-64", "4x4-to-16"] {
            let variant: Variant = name.parse().unwrap();
            let words = CountPlan::sizes(&variant, u64::MAX).unwrap().layer_words();
            let index = BoardIndex::new(&variant).unwrap();
            for (units, &words) in words.iter().enumerate() {
                let layer = index.layer(2 * units as u32);
                assert_eq!(layer.positions(), 64 * words as u64, "{name} {units}");
            }
            let found = count(&variant, &CountOptions::default(), None, &Silent).unwrap();
            let last = found.layers.last().unwrap().sum as usize / 2;
            assert!(last < words.len(), "{name}");
        }
    }
}
