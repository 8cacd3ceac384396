//! The memory and the time that solving on a GPU takes.

use tilebase_count::{Count, CountPlan};
use tilebase_game::Variant;
use tilebase_gpu::{GpuError, GpuMemory, GpuSteps};
use tilebase_table::Objective;

use crate::error::SolveError;

use super::ranked::line_words;
use super::slots::{Slot, choose};
use super::{GpuOptions, Width};

/// Sets of boards on the GPU at a time: those of the two layers above, and three on the way from
/// the afterstates below to the ranked states and afterstates of a layer.
const SETS: u64 = 5;
/// Layers of values of states on the GPU at a time.
const VALUES: u64 = 2;
/// What part of the largest layer's bits are states and afterstates that are kept, at most: guesses,
/// from the safest to the tightest. free10 to 512 has one in thirteen, lost states included, and one
/// in eighteen; 4x4 one in twelve and one in thirty.
const DENSITIES: [[f64; 2]; 5] = [
    [1.0, 1.0],
    [0.5, 0.5],
    [0.25, 0.25],
    [1.0 / 10.0, 1.0 / 14.0],
    [1.0 / 11.5, 1.0 / 28.0],
];
/// Bytes for the driver and short lists.
const RESERVED: u64 = 1 << 30;

/// What solving on a GPU needs, roughly.
#[derive(Clone, Copy, Debug)]
pub struct GpuEstimate {
    /// Bits of a value.
    pub width: Width,
    /// Bytes of the GPU's memory for sets and values.
    pub gpu_bytes: u64,
    /// Bytes of checkpoints and runs on the GPU, and of checkpoints in this machine's memory.
    pub checkpoint_bytes: [u64; 2],
    /// Number of checkpoints.
    pub checkpoints: usize,
    /// How often a layer is made on the way up to others, on average by size.
    pub passes: f64,
    /// Seconds on an H200.
    pub seconds: f64,
}

/// Estimates what a run needs on a GPU with `free` bytes of free memory.
pub fn estimate_on_gpu(
    variant: &Variant,
    objective: Objective,
    free: u64,
    options: &GpuOptions,
) -> Result<GpuEstimate, SolveError> {
    check(variant, objective)?;
    let plan = CountPlan::sizes(variant, u64::MAX)?;
    let usable = options.gpu_bytes.map_or(free, |bytes| bytes.min(free));
    let for_sets = usable.saturating_sub(plan.table_bytes);
    let sizes = Sizes::guessed(0, plan.layer_words(), for_sets, options);
    let width = options.width.unwrap_or_else(|| sizes.width(for_sets));
    let needed = sizes.bytes(width) + plan.table_bytes;
    let host = options.memory.saturating_sub(plan.table_bytes);
    let chosen = usable
        .checked_sub(needed)
        .and_then(|rest| choose(&sizes.words, rest, host));
    let (slots, run, passes, seconds) = match chosen {
        Some(chosen) => (chosen.slots, chosen.run, chosen.passes, chosen.seconds),
        None => (Vec::new(), 0, 0.0, 0.0),
    };
    let [on_gpu, host] = sum(slots.iter().map(Slot::bytes));
    Ok(GpuEstimate {
        width,
        gpu_bytes: needed,
        checkpoint_bytes: [on_gpu + 8 * run as u64, host],
        checkpoints: slots.len(),
        passes,
        // The plan makes the layers; opening the GPU and the values come on top.
        seconds: 0.5 + seconds + 8.0 * plan.total_bytes as f64 * SECONDS_A_BIT,
    })
}

/// Checks whether the game can be solved on a GPU at all.
pub(super) fn check(variant: &Variant, objective: Objective) -> Result<(), SolveError> {
    if objective.needs_target() && variant.target().is_none() {
        return Err(SolveError::Target(objective.name()));
    }
    if !objective.value_kind().on_gpu() {
        return Err(SolveError::OnProcessor(objective.name()));
    }
    Ok(())
}

/// Checks that `needed` bytes of the GPU's memory are free and allowed.
pub(super) fn fit(needed: u64, gpu: &GpuMemory, options: &GpuOptions) -> Result<(), GpuError> {
    match options.gpu_bytes {
        Some(allowed) if needed > allowed => Err(GpuError::Allowance { needed, allowed }),
        _ if needed > gpu.free => Err(GpuError::Memory {
            needed,
            free: gpu.free,
            name: gpu.name.clone(),
        }),
        _ => Ok(()),
    }
}

/// Bytes that the GPU needs at least, whatever the width. Known before the count.
pub(super) fn least(variant: &Variant) -> Result<u64, SolveError> {
    let plan = CountPlan::sizes(variant, u64::MAX)?;
    let most = plan.layer_words().into_iter().max().unwrap_or(0);
    Ok(8 * SETS * line_words(most) as u64 + plan.table_bytes)
}

/// Seconds of the backward pass for each bit of all layers, on an H200.
const SECONDS_A_BIT: f64 = 13e-12;

/// Bytes on the GPU and in this machine's memory, together.
pub(super) fn sum(bytes: impl Iterator<Item = [u64; 2]>) -> [u64; 2] {
    bytes.fold([0, 0], |sum, more| [sum[0] + more[0], sum[1] + more[1]])
}

/// The sizes of a game's layers.
pub(super) struct Sizes {
    /// The first sum, in units of 2.
    pub first: usize,
    /// Words of every layer from the first to the last.
    pub words: Vec<usize>,
    /// The most states and the most afterstates of a layer.
    states: u64,
    afterstates: u64,
    /// Whether afterstates are listed for a table.
    lists: bool,
}

impl Sizes {
    pub fn new(steps: &GpuSteps, count: &Count, options: &GpuOptions) -> Sizes {
        let sums = || count.layers.iter().map(|layer| layer.sum as usize / 2);
        let (first, last) = (sums().min().unwrap_or(0), sums().max().unwrap_or(0));
        let most = |of: fn(&tilebase_index::LayerCount) -> u64| {
            count.layers.iter().map(of).max().unwrap_or(0)
        };
        Sizes {
            first,
            words: (first..=last).map(|units| steps.words(units)).collect(),
            states: most(|layer| layer.states.iter().chain(&layer.lost).sum()),
            afterstates: most(|layer| layer.afterstates),
            lists: options.lists,
        }
    }

    /// Guesses for layers of these words, before anything is counted: the safest that take a quarter
    /// of the memory, or otherwise two thirds; or the tightest.
    pub fn guessed(first: usize, words: Vec<usize>, usable: u64, options: &GpuOptions) -> Sizes {
        let most = 64.0 * words.iter().copied().max().unwrap_or(0) as f64;
        let mut sizes = Sizes {
            first,
            words,
            states: 0,
            afterstates: 0,
            lists: options.lists,
        };
        let width = options.width.unwrap_or(Width::Bits64);
        for part in [1.0 / 4.0, 2.0 / 3.0] {
            for [states, afterstates] in DENSITIES {
                sizes.states = (states * most) as u64;
                sizes.afterstates = (afterstates * most) as u64;
                if sizes.bytes(width) as f64 <= part * usable as f64 {
                    return sizes;
                }
            }
        }
        sizes
    }

    /// The most afterstates of a layer.
    pub fn afterstates(&self) -> u64 {
        self.afterstates
    }

    /// Words of a buffer for a set.
    pub fn set_words(&self) -> usize {
        line_words(self.words.iter().copied().max().unwrap_or(0))
    }

    /// Words of a buffer for the values of afterstates, if they do not fit one for a set.
    pub fn after_words(&self, width: Width) -> Option<usize> {
        let words = (self.afterstates * width.bytes()).div_ceil(8) as usize;
        (words > self.set_words()).then_some(words)
    }

    /// Words of a buffer for the values of states.
    pub fn value_words(&self, width: Width) -> usize {
        (self.states * width.bytes()).div_ceil(8) as usize
    }

    /// The widest values that fit.
    pub fn width(&self, usable: u64) -> Width {
        if self.bytes(Width::Bits64) <= usable {
            Width::Bits64
        } else {
            Width::Bits32
        }
    }

    /// Bytes that the GPU needs without checkpoints.
    pub fn bytes(&self, width: Width) -> u64 {
        let (sets, values) = (self.set_words() as u64, self.value_words(width) as u64);
        let after = self.after_words(width).unwrap_or(0) as u64;
        let listed = u64::from(self.lists) * self.afterstates;
        8 * (SETS * sets + VALUES * values + after + listed) + RESERVED
    }
}
