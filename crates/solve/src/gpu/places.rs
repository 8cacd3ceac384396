//! Memory for checkpoints: on the GPU as far as there is room, the rest in this machine's
//! memory.

use cudarc::driver::{CudaSlice, PinnedHostSlice};
use tilebase_count::{CountError, GpuLayer, GpuSteps};
use tilebase_gpu::told;
use tilebase_util::bytes_text;

use crate::checkpoints::{Action, Checkpoints};
use crate::error::SolveError;

use super::kernels::failed;

/// More places than this save little.
const MOST: usize = 256;

/// More layers than this are not made from the start again and again.
const MOST_FROM_THE_START: usize = 4096;

/// A plan, and the words that its places need for the newer and the older layer of afterstates.
pub(super) struct Chosen {
    pub plan: Vec<Action>,
    /// How often a layer is made on the way up to others, on average by its size.
    pub passes: f64,
    /// Seconds that this and the checkpoints take, roughly.
    pub seconds: f64,
    pub places: Vec<Place>,
}

/// What is kept in a place.
pub(super) struct Place {
    words: [usize; 2],
    on_gpu: bool,
    memory: Option<[Memory; 2]>,
    /// Sums of the layers, in units of 2; a layer without a board is not kept.
    kept: [Option<usize>; 2],
}

enum Memory {
    Gpu(CudaSlice<u64>),
    Host(PinnedHostSlice<u64>),
}

/// Seconds of making a layer for each of its words, on an H200.
const SECONDS_A_WORD: f64 = 64.0 * 4.1e-12;
/// Seconds for each word of this machine's memory that is taken for checkpoints: the driver
/// pins it page by page, and copies go over the bus.
const SECONDS_A_HOST_WORD: f64 = 8.0 * 0.6e-9;

/// Chooses the checkpoints that make the pass quickest, within so many bytes on the GPU and in
/// this machine's memory, for layers of so many words. There are none if so many layers need a
/// checkpoint at least, and none fits.
pub(super) fn choose(words: &[usize], gpu: u64, host: u64) -> Option<Chosen> {
    let costs: Vec<u64> = words.iter().map(|&words| 1 + words as u64).collect();
    let checkpoints = Checkpoints::new(&costs);
    let mut best = None;
    let mut least = f64::INFINITY;
    let fewest = usize::from(words.len() > MOST_FROM_THE_START);
    // Fewer checkpoints never make fewer passes.
    for number in (fewest..=MOST.min(words.len())).rev() {
        let plan = checkpoints.plan(number);
        let cost = checkpoints.cost(&plan) as f64;
        let passes = cost * SECONDS_A_WORD;
        if passes >= least {
            break;
        }
        let Some(places) = placed(&sizes(words, &plan, number), gpu, host) else {
            continue;
        };
        let pinned: u64 = places.iter().map(|place| place.bytes()[1] / 8).sum();
        let seconds = passes + pinned as f64 * SECONDS_A_HOST_WORD;
        if seconds < least {
            least = seconds;
            best = Some(Chosen {
                passes: cost / checkpoints.once().max(1) as f64,
                seconds,
                plan,
                places,
            });
        }
    }
    best
}

/// Words of every place: a step is made from the two layers below it.
fn sizes(words: &[usize], plan: &[Action], number: usize) -> Vec<[usize; 2]> {
    let mut places = vec![[0; 2]; number];
    let mut at = 0;
    for &action in plan {
        match action {
            Action::Advance(step) => at = step + 1,
            Action::Keep(place) => {
                for (below, most) in places[place].iter_mut().enumerate() {
                    let layer = at.checked_sub(below + 1);
                    *most = layer.map_or(0, |layer| words[layer]).max(*most);
                }
            }
            _ => (),
        }
    }
    places
}

/// Largest places first on the GPU, where copies are quickest, as long as there is room.
fn placed(sizes: &[[usize; 2]], mut gpu: u64, mut host: u64) -> Option<Vec<Place>> {
    let bytes = |size: &[usize; 2]| 8 * (size[0] + size[1]) as u64;
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(bytes(&sizes[i])));
    let mut on_gpu = vec![false; sizes.len()];
    for i in order {
        let room = if bytes(&sizes[i]) <= gpu {
            on_gpu[i] = true;
            &mut gpu
        } else {
            &mut host
        };
        *room = room.checked_sub(bytes(&sizes[i]))?;
    }
    let place = |(&words, on_gpu)| Place {
        words,
        on_gpu,
        memory: None,
        kept: [None; 2],
    };
    Some(sizes.iter().zip(on_gpu).map(place).collect())
}

/// This machine's memory could not be pinned.
fn unpinned(bytes: u64) -> SolveError {
    SolveError::Count(CountError::Gpu(format!(
        "keeping a checkpoint: {} of this machine's memory could not be pinned: allow less with --memory",
        bytes_text(bytes)
    )))
}

impl Place {
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
    ) -> Result<(), SolveError> {
        let error = |error| failed(told("keeping a checkpoint")(error));
        let stream = steps.stream();
        if self.memory.is_none() {
            let take = |words: usize| -> Result<Memory, SolveError> {
                let words = words.max(1);
                Ok(if self.on_gpu {
                    Memory::Gpu(stream.alloc_zeros(words).map_err(error)?)
                } else {
                    // SAFETY: what is read from it was written before.
                    #[allow(unsafe_code)]
                    let memory = unsafe { stream.context().alloc_pinned(words) };
                    Memory::Host(memory.map_err(|_| unpinned(8 * words as u64))?)
                })
            };
            self.memory = Some([take(self.words[0])?, take(self.words[1])?]);
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
            .map_err(error)?;
        }
        Ok(())
    }

    /// What is kept, in memory that `take` hands out.
    pub fn restore(
        &self,
        steps: &GpuSteps,
        mut take: impl FnMut() -> Result<CudaSlice<u64>, SolveError>,
    ) -> Result<[Option<GpuLayer>; 2], SolveError> {
        let error = |error| failed(told("going back to a checkpoint")(error));
        let stream = steps.stream();
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
            .map_err(error)?;
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
            assert!(chosen.passes < last, "{gpu} {host}");
            last = chosen.passes;
            let used = chosen.places.iter().map(Place::bytes);
            let used = used.fold([0, 0], |sum, bytes| [sum[0] + bytes[0], sum[1] + bytes[1]]);
            assert!(used[0] <= gpu && used[1] <= host, "{used:?}");
        }
        // Without memory every layer is made from the start: half of all of them on average.
        assert!(choose(&words, 0, 0).unwrap().passes > 30.0);
        // Very many layers are not made from the start.
        assert!(choose(&[1; 5000], 0, 0).is_none());
    }
}
