//! How much memory solving on a GPU takes, and how long.

use tilebase_count::{Count, CountPlan};
use tilebase_game::Variant;
use tilebase_gpu::{GpuError, GpuMemory, GpuSteps};
use tilebase_table::Objective;

use crate::error::SolveError;

use super::ranked::line_words;
use super::slots::{Slot, choose};
use super::{GpuOptions, Width};

/// Sets of boards that lie on the GPU at a time: those of the two layers above, and three on
/// the way from the afterstates below to the ranked states and afterstates of a layer.
const SETS: u64 = 5;
/// Layers of worths that lie on the GPU at a time.
const WORTHS: u64 = 2;
/// What the driver and small lists take.
const ASIDE: u64 = 1 << 30;

/// What solving on a GPU will take.
#[derive(Clone, Copy, Debug)]
pub struct GpuEstimate {
    /// Bits of a worth.
    pub width: Width,
    /// Bytes of the GPU's memory for sets and worths.
    pub gpu_bytes: u64,
    /// Bytes of checkpoints on the GPU and in this machine's memory.
    pub checkpoint_bytes: [u64; 2],
    /// How many checkpoints.
    pub checkpoints: usize,
    /// How often a layer is made on the way up to others, on average by its size.
    pub passes: f64,
    /// Time on an H200, roughly.
    pub seconds: f64,
}

/// A rough guess, for a GPU with so many bytes free and the options of a run.
pub fn estimate_on_gpu(
    variant: &Variant,
    objective: Objective,
    free: u64,
    options: &GpuOptions,
) -> Result<GpuEstimate, SolveError> {
    check(variant, objective)?;
    let plan = CountPlan::sizes(variant, u64::MAX)?;
    let words = plan.layer_words();
    let most = words.iter().copied().max().unwrap_or(0) as u64;
    // In the largest layers about a bit in twelve is a state, and one in thirty an afterstate.
    let sizes = Sizes {
        first: 0,
        words,
        states: 64 * most / 12,
        afterstates: 64 * most / 30,
    };
    let room = options.gpu_bytes.map_or(free, |bytes| bytes.min(free));
    let width = options.width.unwrap_or_else(|| sizes.width(room));
    let needed = sizes.bytes(width) + plan.table_bytes;
    let beside = options.memory.saturating_sub(plan.table_bytes);
    let chosen = room
        .checked_sub(needed)
        .and_then(|room| choose(&sizes.words, room, beside));
    let (slots, passes, seconds) = match chosen {
        Some(chosen) => (chosen.slots, chosen.passes, chosen.seconds),
        None => (Vec::new(), 0.0, 0.0),
    };
    Ok(GpuEstimate {
        width,
        gpu_bytes: needed,
        checkpoint_bytes: sum(slots.iter().map(Slot::bytes)),
        checkpoints: slots.len(),
        passes,
        // Every layer is made once to be counted and once to be worked through.
        seconds: 2.0 * plan.gpu_seconds(u64::MAX)
            + seconds
            + 8.0 * plan.total_bytes as f64 * SECONDS_A_BIT,
    })
}

/// Whether the game can be solved on a GPU at all, by what the request says.
pub(super) fn check(variant: &Variant, objective: Objective) -> Result<(), SolveError> {
    if objective.needs_target() && variant.target().is_none() {
        return Err(SolveError::Target(objective.name()));
    }
    if !objective.value_kind().on_gpu() {
        return Err(SolveError::OnProcessor(objective.name()));
    }
    Ok(())
}

/// Whether so many bytes are there, of the GPU's memory or of what is allowed of it.
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

/// Bytes that the GPU needs at least, whatever the width: what can be told before the count.
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

/// How large the layers of a game are.
pub(super) struct Sizes {
    /// The first sum, in units of 2.
    pub first: usize,
    /// Words of every layer from the first to the last.
    pub words: Vec<usize>,
    /// The most states and the most afterstates of a layer.
    states: u64,
    afterstates: u64,
}

impl Sizes {
    pub fn new(steps: &GpuSteps, count: &Count) -> Sizes {
        let sums = || count.layers.iter().map(|layer| layer.sum as usize / 2);
        let (first, last) = (sums().min().unwrap_or(0), sums().max().unwrap_or(0));
        let most = |of: fn(&tilebase_index::LayerCount) -> u64| {
            count.layers.iter().map(of).max().unwrap_or(0)
        };
        Sizes {
            first,
            words: (first..=last).map(|units| steps.words(units)).collect(),
            states: most(|layer| layer.states.iter().sum()),
            afterstates: most(|layer| layer.afterstates),
        }
    }

    /// Words of a piece of memory for a set, which worths of afterstates must fit too.
    pub fn set_words(&self, width: Width) -> usize {
        let most = self.words.iter().copied().max().unwrap_or(0);
        line_words(most).max((self.afterstates * width.bytes()).div_ceil(8) as usize)
    }

    /// Words of a piece of memory for the worths of states.
    pub fn value_words(&self, width: Width) -> usize {
        (self.states * width.bytes()).div_ceil(8) as usize
    }

    /// As many bits as fit.
    pub fn width(&self, room: u64) -> Width {
        if self.bytes(Width::Bits64) <= room {
            Width::Bits64
        } else {
            Width::Bits32
        }
    }

    /// Bytes that the GPU needs, checkpoints aside.
    pub fn bytes(&self, width: Width) -> u64 {
        let (sets, worths) = (self.set_words(width) as u64, self.value_words(width) as u64);
        8 * (SETS * sets + WORTHS * worths) + ASIDE
    }
}
