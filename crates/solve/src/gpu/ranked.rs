//! Sets of boards on the GPU, with the rank of each board at hand.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use tilebase_gpu::{Gpu, GpuBlocks, GpuBuffer, GpuError, GpuLayer, GpuPointer, GpuSteps, address};

use super::kernels::Kernels;

/// 32-bit words of bits in a line, which has one more for the rank: `LINE` in values.cu.
const LINE: u64 = 7;
/// `STRETCH` in values.cu.
pub(super) const LINES_OF_STRETCH: u64 = 4096;

/// Words that the lines of a layer of `words` words take.
pub(super) fn line_words(words: usize) -> usize {
    4 * lines(words) as usize
}

fn lines(words: usize) -> u64 {
    (2 * words as u64).div_ceil(LINE)
}

/// A set and the values of its boards.
pub(super) type Valued<'a> = (&'a Ranked, &'a GpuBuffer<u64>);

/// Where kernels find a set and its values: `Set` in values.cu.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct GpuSet {
    lines: GpuPointer,
    before: GpuPointer,
    blocks: GpuPointer,
    values: GpuPointer,
    first: u64,
    number: u64,
}

tilebase_gpu::cuda_struct! { GpuSet = "Set" { lines, before, blocks, values, first, number } }

/// The canonical boards of a layer, in lines: see values.cu.
pub(super) struct Ranked {
    pub lines: GpuBuffer<u64>,
    /// Boards before each stretch of lines.
    pub before: GpuBuffer<u64>,
    pub blocks: Arc<GpuBlocks>,
    /// Number of boards.
    pub len: u64,
}

impl Ranked {
    /// Ranks the boards of a layer. The buffer for the lines may have any content.
    pub fn new(
        steps: &GpuSteps,
        kernels: &Kernels,
        layer: &GpuLayer,
        mut buffer: GpuBuffer<u64>,
    ) -> Result<Ranked, GpuError> {
        let gpu = steps.gpu();
        let words = line_words(layer.len());
        if words > 0 {
            // The last line may be longer than the layer.
            let mut last = buffer.slice_mut(words - 4..words);
            let cleared = gpu.stream().memset_zeros(&mut last);
            cleared.map_err(GpuError::driver("ranking on the GPU"))?;
        }
        kernels.keep(steps, layer, &mut buffer)?;
        let mut len = 0;
        let mut before = Vec::new();
        if words > 0 {
            for count in kernels.rank(gpu, &mut buffer, lines(layer.len()))? {
                before.push(len);
                len += count;
            }
        } else {
            before.push(0);
        }
        Ok(Ranked {
            lines: buffer,
            before: gpu.upload(&before)?,
            blocks: layer.blocks.clone(),
            len,
        })
    }

    /// Number of lines.
    pub fn number_of_lines(&self) -> u64 {
        lines(self.blocks.layout.words())
    }

    /// Where kernels find the set and its values.
    pub fn on_gpu(&self, gpu: &Gpu, values: &GpuBuffer<u64>) -> GpuSet {
        GpuSet {
            lines: address(gpu, &self.lines),
            before: address(gpu, &self.before),
            blocks: address(gpu, &self.blocks.list),
            values: address(gpu, values),
            first: self.blocks.first().into(),
            number: match self.len {
                0 => 0,
                _ => self.blocks.number.into(),
            },
        }
    }
}
