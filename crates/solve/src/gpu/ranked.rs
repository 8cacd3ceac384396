//! Sets of boards on the GPU, with the rank of each at hand.

use std::sync::Arc;

use cudarc::driver::{CudaSlice, DevicePtr};
use tilebase_count::{GpuBlocks, GpuLayer, GpuSteps};
use tilebase_gpu::told;

use crate::error::SolveError;

use super::kernels::{Kernels, failed};

/// Half words of bits in a line, which has one more for the rank: as LINE in values.cu.
const LINE: u64 = 7;
/// As STRETCH in values.cu.
pub(super) const LINES_OF_STRETCH: u64 = 4096;

/// Words that the lines of a layer of so many words take.
pub(super) fn line_words(words: usize) -> usize {
    4 * lines(words) as usize
}

fn lines(words: usize) -> u64 {
    (2 * words as u64).div_ceil(LINE)
}

/// The canonical boards of a layer, in lines: see values.cu.
pub(super) struct Ranked {
    pub lines: CudaSlice<u64>,
    /// Boards before each stretch of lines.
    before: CudaSlice<u64>,
    pub blocks: Arc<GpuBlocks>,
    /// How many boards there are.
    pub len: u64,
}

impl Ranked {
    /// Ranks the boards of a layer, of states those that are not lost; the lines lie in memory
    /// whose content is not known.
    pub fn new(
        steps: &GpuSteps,
        kernels: &Kernels,
        layer: &GpuLayer,
        live: bool,
        mut memory: CudaSlice<u64>,
    ) -> Result<Ranked, SolveError> {
        let error = |error| failed(told("ranking on the GPU")(error));
        let stream = steps.stream();
        let words = line_words(layer.len());
        if words > 0 {
            // The last line may have more room than the layer.
            let mut last = memory.slice_mut(words - 4..words);
            stream.memset_zeros(&mut last).map_err(error)?;
        }
        kernels.keep(steps, layer, live, &mut memory)?;
        let mut len = 0;
        let mut before = Vec::new();
        if words > 0 {
            for count in kernels.rank(steps, &mut memory, lines(layer.len()))? {
                before.push(len);
                len += count;
            }
        } else {
            before.push(0);
        }
        Ok(Ranked {
            lines: memory,
            before: stream.clone_htod(&before).map_err(error)?,
            blocks: layer.blocks.clone(),
            len,
        })
    }

    /// What kernels are given to find the set: as `Set` in values.cu.
    pub fn entry(&self, steps: &GpuSteps, worths: &CudaSlice<u64>) -> [u64; 6] {
        let stream = steps.stream();
        let pointer = |slice: &CudaSlice<u64>| slice.device_ptr(stream).0;
        [
            pointer(&self.lines),
            pointer(&self.before),
            pointer(&self.blocks.list),
            pointer(worths),
            self.blocks.first().into(),
            if self.len == 0 {
                0
            } else {
                self.blocks.number.into()
            },
        ]
    }
}
