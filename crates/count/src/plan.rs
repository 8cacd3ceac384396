//! What a count will need, before it is begun.

use tilebase_game::{Rules, Variant};

use crate::error::CountError;
use tilebase_index::layer::{Layout, Part};
use tilebase_index::row::Rows;
use tilebase_index::space::{cut, upright};
use tilebase_index::{IndexError, largest_of};

/// Bytes that the tables hold for each half board, roughly.
const TABLE_BYTES: u64 = 48;
/// What the program needs beside tables and layers.
const BASE_BYTES: u64 = 16 << 20;
/// Above this many steps the layers are looked at in samples.
const MAX_STEPS: u64 = 200_000_000;

/// Sizes of a game's layers, and how they fit the memory allowed.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Layers that boards of the shape could have, by tile sum; fewer are reached.
    pub layers: u64,
    /// Words of the largest layer.
    pub(crate) max_words: usize,
    /// Bytes of all layers' bits together.
    pub total_bytes: u64,
    /// Bytes of the tables.
    pub table_bytes: u64,
    /// Words of the largest block.
    block_words: u64,
    /// Words of layers: of every one, or of samples so many apart.
    sampled: (Vec<u64>, usize),
    /// Layers that a game can come to.
    reach: u64,
    /// Bytes allowed.
    memory: u64,
}

impl Plan {
    /// Looks at a game with so many bytes of memory allowed.
    pub fn new(variant: &Variant, memory: u64) -> Result<Plan, CountError> {
        let sizes = Plan::sizes(variant, memory)?;
        sizes.check(0)?;
        Ok(sizes)
    }

    /// The sizes alone, whether they fit or not.
    pub fn sizes(variant: &Variant, memory: u64) -> Result<Plan, CountError> {
        let shape = upright(variant.shape());
        Rules::new(shape).map_err(CountError::from)?;
        let rows = Rows::new(shape.cols(), largest_of(variant)?).map_err(CountError::from)?;
        let (top_rows, bottom_rows) = cut(shape.rows());
        let count = |units: usize| rows.with_units(units).len() as u64;
        let folded = |units: usize| {
            let rows_of_sum = rows.with_units(units).iter();
            rows_of_sum
                .filter(|&&row| !rows.info(row).is_less())
                .count() as u64
        };
        let single: Vec<u64> = (0..=rows.max_units()).map(count).collect();
        let lead: Vec<u64> = (0..=rows.max_units()).map(folded).collect();
        let tops = if top_rows == 2 {
            convolve(&lead, &single)
        } else {
            lead
        };
        let bottoms = match bottom_rows {
            0 => vec![1],
            1 => single.clone(),
            _ => convolve(&single, &single),
        };
        // Of three rows, the bottoms whose last row is not heavier than the top.
        let under = |top: usize, bottom: usize| match (top_rows, bottom_rows) {
            (1, 2) => (0..=top.min(bottom))
                .filter_map(|last| Some(single.get(last)? * single.get(bottom - last)?))
                .sum(),
            (_, 0) => bottoms[bottom],
            _ if top < bottom => 0,
            _ => bottoms[bottom],
        };
        let halves = tops.iter().sum::<u64>() + bottoms.iter().sum::<u64>();
        let max_units = tops.len() + bottoms.len() - 2;
        let three = if (top_rows, bottom_rows) == (1, 2) {
            single.len() as u64
        } else {
            1
        };
        let steps = (max_units as u64 + 1) * tops.len().min(bottoms.len()) as u64 * three;
        let stride = steps.div_ceil(MAX_STEPS).max(1) as usize;
        let mut plan = Plan {
            layers: max_units as u64 + 1,
            max_words: 0,
            total_bytes: 0,
            table_bytes: halves.saturating_mul(TABLE_BYTES) + (64 << 16),
            block_words: 0,
            sampled: (Vec::new(), stride),
            reach: reach(variant),
            memory,
        };
        for units in (0..=max_units).step_by(stride) {
            let mut words = 0u64;
            let first = units.saturating_sub(bottoms.len() - 1);
            let last = units.min(tops.len() - 1);
            for (top, &rows) in tops.iter().enumerate().take(last + 1).skip(first) {
                let bits: u64 = if rows == 0 {
                    0
                } else {
                    under(top, units - top)
                };
                let block = rows * bits.div_ceil(64);
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
            // Neighbouring layers differ little; a margin for those not looked at.
            plan.max_words += plan.max_words / 8;
            plan.block_words += plan.block_words / 8;
        }
        Ok(plan)
    }

    /// Words of every layer that a game can come to, by tile sum; about so many where they
    /// are looked at in samples.
    pub fn layer_words(&self) -> Vec<usize> {
        let (words, stride) = &self.sampled;
        let all = words
            .iter()
            .flat_map(|&words| std::iter::repeat_n(words as usize, *stride));
        all.take(self.reach.min(self.layers) as usize).collect()
    }

    /// Bytes of the largest layer's bits.
    pub fn layer_bytes(&self) -> u64 {
        self.max_words as u64 * 8
    }

    /// Bytes that a count needs to keep whole layers in memory.
    pub fn whole_bytes(&self) -> u64 {
        BASE_BYTES + self.table_bytes + 3 * self.layer_bytes()
    }

    /// Bytes that a count needs of a GPU's memory to keep whole layers there.
    pub fn gpu_bytes(&self) -> u64 {
        self.table_bytes + 3 * self.layer_bytes()
    }

    /// Bytes that a count needs of a GPU's memory at least, in parts if that is less.
    pub fn gpu_least_bytes(&self) -> u64 {
        // Three parts, one of them with three blocks: the afterstates around a block of states.
        let part = (3 * self.block_words).min(self.max_words as u64);
        self.table_bytes + 3 * 8 * part
    }

    /// Bytes of this machine's memory that a count in parts on a GPU needs: three layers, and
    /// another one where sets are handed out.
    pub fn gpu_host_bytes(&self, handed_out: bool) -> u64 {
        self.whole_bytes() + u64::from(handed_out) * self.layer_bytes()
    }

    /// Words of each of the three parts that a GPU with so many free bytes has room for.
    pub(crate) fn gpu_part_words(&self, free: u64) -> usize {
        let room = free.saturating_sub(self.table_bytes) / 3 / 8;
        usize::try_from(room.min(self.max_words as u64)).unwrap_or(usize::MAX)
    }

    /// Bytes that a count in parts needs at least, packed layers not counted.
    pub fn least_bytes(&self) -> u64 {
        // A block of states with one, two and three blocks of afterstates around it, or a
        // block before and after a slide.
        BASE_BYTES + self.table_bytes + 6 * 8 * self.block_words
    }

    /// Whether layers must be split.
    pub fn in_parts(&self) -> bool {
        self.memory < self.whole_bytes()
    }

    /// Fails if so many bytes of packed layers are too much.
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

/// Layers that a game can come to: a board is heaviest with one of each tile from 4 up.
fn reach(variant: &Variant) -> u64 {
    let cells = u32::from(variant.shape().cells());
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

/// What a count will take, roughly.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// Bytes of the packed states.
    pub disk_bytes: u64,
    /// Time on this many threads.
    pub seconds: f64,
}

impl Plan {
    /// Seconds on an H200, roughly: half a second to begin with, and 4.1 picoseconds for each
    /// bit of all layers, as measured on 4x4 to 128 and to 256. Layers in parts are copied about
    /// seven times, and once more for each part, when what is mirrored is looked at again too.
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

    /// A rough guess, from what was measured on shapes with as many cells.
    pub fn estimate(&self, variant: &Variant, threads: usize) -> Estimate {
        // Nanoseconds and bytes on disk for each bit of all layers. The fewer cells, the
        // more of the boards are reached.
        let (nanoseconds, bytes) = match variant.shape().cells() {
            ..=9 => (7.0, 0.05),
            10..=12 => (15.0, 0.1),
            // Marks in large tables wait for memory.
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
    use crate::pass::{Options, count};
    use tilebase_index::Places;
    use tilebase_util::progress::Silent;

    #[test]
    fn layers_are_as_large_as_planned_and_no_game_goes_beyond() {
        for name in ["1x4", "2x2", "2x3", "3x3-to-64", "4x2-to-64", "4x4-to-16"] {
            let variant: Variant = name.parse().unwrap();
            let words = Plan::sizes(&variant, u64::MAX).unwrap().layer_words();
            let places = Places::new(&variant).unwrap();
            for (units, &words) in words.iter().enumerate() {
                let layer = places.layer(2 * units as u32);
                assert_eq!(layer.positions(), 64 * words as u64, "{name} {units}");
            }
            let found = count(&variant, &Options::default(), None, &Silent).unwrap();
            let last = found.layers.last().unwrap().sum as usize / 2;
            assert!(last < words.len(), "{name}");
        }
    }
}
