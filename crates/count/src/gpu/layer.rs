//! A layer on the GPU.

use std::ops::Range;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use cudarc::driver::CudaSlice;

use crate::error::CountError;
use crate::spawn::close;
use tilebase_index::layer::{Block, Layout};
use tilebase_index::space::Space;

use super::device::Gpu;

/// A block as the kernels know it.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(super) struct GpuBlock {
    offset: u64,
    top_units: u32,
    bottom_units: u32,
    rows: u32,
    stride: u32,
    bits: u32,
    untied: u32,
    /// Rows of the blocks before.
    first_row: u32,
    /// The first top, the first bottom, the first word of sets of bottoms.
    top_start: u32,
    bottom_start: u32,
    bottom_word: u32,
    /// Bottoms that are lighter than the top by a new 2, 4 or less.
    close_from: [u32; 2],
    close_end: [u32; 2],
}

/// The blocks of a layer, one after the other.
pub struct GpuBlocks {
    pub(super) layout: Layout,
    /// The list, as kernels read it.
    pub list: CudaSlice<u64>,
    /// How many there are.
    pub number: u32,
    /// Rows of all of them.
    pub rows: u32,
    /// Words of the longest row.
    pub longest: u32,
    /// Rows among which are all that a new 2 or 4 turns over.
    pub(super) turning: [Range<u32>; 2],
}

impl GpuBlocks {
    pub(super) fn new(gpu: &Gpu, space: &Space, layout: Layout) -> Result<GpuBlocks, CountError> {
        let mut list = Vec::new();
        let (mut rows, mut longest) = (0, 0);
        let mut turning: [Range<u32>; 2] = [0..0, 0..0];
        for block in &layout.blocks {
            let block = GpuBlock {
                first_row: rows,
                ..GpuBlock::new(space, block)
            };
            rows += block.rows;
            if block.rows > 0 {
                longest = longest.max(block.stride);
            }
            for (number, turning) in turning.iter_mut().enumerate() {
                if block.turns_over(number) {
                    let empty = turning.start == turning.end;
                    let start = if empty {
                        block.first_row
                    } else {
                        turning.start
                    };
                    *turning = start..rows;
                }
            }
            list.push(block);
        }
        Ok(GpuBlocks {
            number: list.len() as u32,
            list: gpu.upload(bytemuck::cast_slice::<GpuBlock, u64>(&list))?,
            rows,
            longest,
            turning,
            layout,
        })
    }

    /// The sum of the layer, in units of 2.
    pub fn units(&self) -> usize {
        self.layout.units
    }

    /// The first sum of the top that has a block.
    pub fn first(&self) -> u32 {
        let first = self.layout.blocks.first();
        first.map_or(0, |block| block.top_units as u32)
    }
}

impl GpuBlock {
    fn new(space: &Space, block: &Block) -> GpuBlock {
        let close = [0, 1].map(|number| close(space, block, 1 << number));
        GpuBlock {
            offset: block.offset as u64,
            top_units: block.top_units as u32,
            bottom_units: block.bottom_units as u32,
            rows: block.rows as u32,
            stride: block.stride as u32,
            bits: block.bits as u32,
            untied: block.untied as u32,
            first_row: 0,
            top_start: space.tops.halves.group(block.top_units).start as u32,
            bottom_start: space.bottoms.halves.group(block.bottom_units).start as u32,
            bottom_word: space.bottoms.first_word[block.bottom_units] as u32,
            close_from: close.each_ref().map(|range| range.start as u32),
            close_end: close.each_ref().map(|range| range.end as u32),
        }
    }

    /// Whether boards are turned over by a tile of exponent `number + 1`.
    fn turns_over(&self, number: usize) -> bool {
        self.rows > 0 && self.close_from[number] < self.close_end[number]
    }
}

/// A layer of bits on the GPU.
pub struct GpuLayer {
    /// Its blocks.
    pub blocks: Arc<GpuBlocks>,
    /// Its bits, and room behind them.
    pub words: CudaSlice<u64>,
}

impl GpuLayer {
    /// The sum, in units of 2.
    pub fn units(&self) -> usize {
        self.blocks.units()
    }

    /// How many of the words are its own.
    pub fn len(&self) -> usize {
        self.blocks.layout.words()
    }

    /// Whether no board could be in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
