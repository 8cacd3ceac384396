//! The plan of the way down, and the memory for its checkpoints: on the GPU as long as they fit, the
//! rest in this machine's memory.

use tilebase_gpu::{Gpu, GpuBuffer, GpuError, GpuLayer, GpuSteps, PinnedBuffer};

use crate::checkpoints::{Action, Checkpoints};

/// More slots than this save little.
const MOST: usize = 256;

/// With more layers than this, at least one checkpoint is required.
const MOST_FROM_THE_START: usize = 4096;

/// A plan of the way down, and the memory that it needs.
pub(super) struct Chosen {
    pub plan: Vec<Action>,
    /// How often a layer is made on the way up to others, on average by size.
    pub passes: f64,
    /// Seconds for making layers and for the checkpoints, roughly.
    pub seconds: f64,
    pub slots: Vec<Slot>,
    /// Words of runs.
    pub run: usize,
}

/// Memory for one checkpoint: two layers of afterstates, the newer one first.
pub(super) struct Slot {
    words: [usize; 2],
    on_gpu: bool,
    /// Allocated when first used.
    memory: Option<[Memory; 2]>,
    /// Sums of the layers, in units of 2. Layers without boards are not kept.
    kept: [Option<usize>; 2],
}

/// Memory of one layer.
enum Memory {
    Gpu(GpuBuffer<u64>),
    Host(PinnedBuffer<u64>),
}

/// What fails when memory for checkpoints runs out.
const KEEPING: &str = "keeping a checkpoint";

impl Memory {
    fn new(gpu: &Gpu, on_gpu: bool, words: usize) -> Result<Memory, GpuError> {
        Ok(if on_gpu {
            Memory::Gpu(gpu.zeros(words)?)
        } else {
            Memory::Host(gpu.pinned(words, KEEPING)?)
        })
    }
}

/// Seconds for making one word of a layer, on an H200.
const SECONDS_A_WORD: f64 = 64.0 * 5e-12;
/// Seconds for one word of a checkpoint in this machine's memory: the driver pins the memory page
/// by page, and copies go over the bus.
const SECONDS_A_HOST_WORD: f64 = 8.0 * 0.6e-9;

/// What part of the work of a layer is making its afterstates, which are at hand in a run.
const SLIDES: f64 = 0.5;

/// Chooses the checkpoints and the length of runs that make the pass fastest, within some bytes of
/// the GPU's and of this machine's memory. `words` has the words of each layer. `None` if there are
/// so many layers that at least one checkpoint is required, and none fits.
pub(super) fn choose(words: &[usize], gpu: u64, host: u64) -> Option<Chosen> {
    let costs: Vec<u64> = words.iter().map(|&words| 1 + words as u64).collect();
    let checkpoints = Checkpoints::new(&costs);
    let once = checkpoints.once();
    let fewest = usize::from(words.len() > MOST_FROM_THE_START);
    let mut best: Option<Chosen> = None;
    // Runs take some eighths of the GPU's memory.
    for eighths in 0..=8 {
        let run = (gpu / 8 / 8 * eighths).min(once);
        let mut number = MOST.min(words.len());
        loop {
            let plan = checkpoints.plan(number, run);
            let cost = checkpoints.cost(&plan) as f64;
            let at_hand = checkpoints.at_hand(&plan) as f64;
            let making = (cost + once as f64 - SLIDES * at_hand) * SECONDS_A_WORD;
            let least = best.as_ref().map_or(f64::INFINITY, |best| best.seconds);
            // Fewer checkpoints never make fewer passes.
            if making >= least {
                break;
            }
            let left = gpu.saturating_sub(8 * run);
            let mut sizes = sizes(words, &plan, number);
            sizes.truncate(used(&plan));
            if let Some(slots) = assign(&sizes, left, host) {
                let pinned: u64 = slots.iter().map(|slot| slot.bytes()[1] / 8).sum();
                let seconds = making + pinned as f64 * SECONDS_A_HOST_WORD;
                if seconds < least {
                    best = Some(Chosen {
                        passes: cost / once.max(1) as f64,
                        seconds,
                        plan,
                        slots,
                        run: run as usize,
                    });
                }
            }
            if number <= fewest {
                break;
            }
            // Many checkpoints differ little.
            number -= 1 + number / 16;
        }
    }
    best
}

/// The number of slots that a plan uses.
fn used(plan: &[Action]) -> usize {
    let kept = plan.iter().filter_map(|&action| match action {
        Action::Keep(slot) => Some(slot + 1),
        _ => None,
    });
    kept.max().unwrap_or(0)
}

/// Words of every slot. A step is made from the two layers below it.
fn sizes(words: &[usize], plan: &[Action], number: usize) -> Vec<[usize; 2]> {
    let mut slots = vec![[0; 2]; number];
    let mut at = 0;
    for &action in plan {
        match action {
            Action::Advance(step) => at = step + 1,
            Action::Keep(slot) => {
                for (below, most) in slots[slot].iter_mut().enumerate() {
                    let layer = at.checked_sub(below + 1);
                    *most = layer.map_or(0, |layer| words[layer]).max(*most);
                }
            }
            _ => (),
        }
    }
    slots
}

/// Assigns slots to memory: the largest to the GPU, where copies are fastest, as long as they fit.
fn assign(sizes: &[[usize; 2]], mut gpu: u64, mut host: u64) -> Option<Vec<Slot>> {
    let bytes = |size: &[usize; 2]| 8 * (size[0] + size[1]) as u64;
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(bytes(&sizes[i])));
    let mut on_gpu = vec![false; sizes.len()];
    for i in order {
        let free = if bytes(&sizes[i]) <= gpu {
            on_gpu[i] = true;
            &mut gpu
        } else {
            &mut host
        };
        *free = free.checked_sub(bytes(&sizes[i]))?;
    }
    let slot = |(&words, on_gpu)| Slot {
        words,
        on_gpu,
        memory: None,
        kept: [None; 2],
    };
    Some(sizes.iter().zip(on_gpu).map(slot).collect())
}

impl Slot {
    /// Bytes on the GPU, and in this machine's memory.
    pub fn bytes(&self) -> [u64; 2] {
        let bytes = 8 * (self.words[0] + self.words[1]) as u64;
        if self.on_gpu { [bytes, 0] } else { [0, bytes] }
    }

    /// Keeps two layers.
    pub fn keep(
        &mut self,
        steps: &GpuSteps,
        below: &[Option<GpuLayer>; 2],
    ) -> Result<(), GpuError> {
        let error = GpuError::driver(KEEPING);
        let stream = steps.gpu().stream();
        if self.memory.is_none() {
            let [newer, older] = self.words;
            let allocate = |words| Memory::new(steps.gpu(), self.on_gpu, words);
            self.memory = Some([allocate(newer)?, allocate(older)?]);
        }
        let memories = self.memory.iter_mut().flatten();
        for ((layer, kept), memory) in below.iter().zip(&mut self.kept).zip(memories) {
            *kept = layer
                .as_ref()
                .filter(|layer| !layer.is_empty())
                .map(GpuLayer::units);
            let Some(layer) = layer.as_ref().filter(|_| kept.is_some()) else {
                continue;
            };
            let (len, from) = (layer.len(), layer.words.slice(0..layer.len()));
            match memory {
                Memory::Gpu(to) => stream.memcpy_dtod(&from, &mut to.slice_mut(0..len)),
                Memory::Host(to) => to
                    .as_mut_slice()
                    .and_then(|to| stream.memcpy_dtoh(&from, &mut to[..len]))
                    .and_then(|()| stream.synchronize()),
            }
            .map_err(&error)?;
        }
        Ok(())
    }

    /// The layers that were kept, in buffers that `take` hands out.
    pub fn restore(
        &self,
        steps: &GpuSteps,
        mut take: impl FnMut() -> Result<GpuBuffer<u64>, GpuError>,
    ) -> Result<[Option<GpuLayer>; 2], GpuError> {
        let error = GpuError::driver("restoring a checkpoint");
        let stream = steps.gpu().stream();
        let mut below = [None, None];
        let memories = self.memory.iter().flatten();
        for ((layer, kept), memory) in below.iter_mut().zip(self.kept).zip(memories) {
            let Some(units) = kept else { continue };
            let mut restored = steps.layer(units, take()?)?;
            let len = restored.len();
            let mut to = restored.words.slice_mut(0..len);
            match memory {
                Memory::Gpu(from) => stream.memcpy_dtod(&from.slice(0..len), &mut to),
                Memory::Host(from) => from
                    .as_slice()
                    .and_then(|from| stream.memcpy_htod(&from[..len], &mut to))
                    .and_then(|()| stream.synchronize()),
            }
            .map_err(&error)?;
            *layer = Some(restored);
        }
        Ok(below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_memory_makes_fewer_passes() {
        let words: Vec<usize> = (0..100).map(|i| 1000 + i * (100 - i)).collect();
        let mut last = f64::INFINITY;
        for (gpu, host) in [(0, 0), (0, 100_000), (60_000, 100_000), (400_000, 0)] {
            let chosen = choose(&words, gpu, host).unwrap();
            assert!(chosen.seconds < last, "{gpu} {host}");
            last = chosen.seconds;
            let used = chosen.slots.iter().map(Slot::bytes);
            let used = used.fold([0, 0], |sum, bytes| [sum[0] + bytes[0], sum[1] + bytes[1]]);
            let run = 8 * chosen.run as u64;
            assert!(used[0] + run <= gpu && used[1] <= host, "{used:?} {run}");
        }
        // Where everything fits, no layer is made twice, and all are at hand on the way down.
        let chosen = choose(&words, 8 * 200 * 4000, 0).unwrap();
        assert!(chosen.passes < 1.0 && chosen.run > 0 && chosen.slots.is_empty());
        // Without memory every layer is made from the start: half of all of them on average.
        assert!(choose(&words, 0, 0).unwrap().passes > 30.0);
        // Very many layers are not made from the start.
        assert!(choose(&[1; 5000], 0, 0).is_none());
    }
}
