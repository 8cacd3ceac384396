//! Layers of boards on the GPU.

use std::ops::Range;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use tilebase_index::layer::{Block, Layout};
use tilebase_index::space::Space;

use crate::GpuBuffer;
use crate::device::Gpu;
use crate::error::GpuError;

/// A block of a layer, as kernels read it: `Block` in common.cu.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct GpuBlock {
    offset: u64,
    top_units: u32,
    bottom_units: u32,
    rows: u32,
    stride: u32,
    bits: u32,
    untied: u32,
    /// Rows of the blocks before.
    first_row: u32,
    /// Index of the first top, of the first bottom, and of the first word of sets of bottoms.
    top_start: u32,
    bottom_start: u32,
    bottom_word: u32,
    /// Bottoms that are lighter than the top, but by no more than a new 2 or 4.
    close_from: [u32; 2],
    close_end: [u32; 2],
}

crate::cuda_struct! {
    GpuBlock = "Block" {
        offset, top_units, bottom_units, rows, stride, bits, untied, first_row, top_start,
        bottom_start, bottom_word, close_from, close_end,
    }
}

/// The blocks of a layer, or of a part of it.
pub struct GpuBlocks {
    /// The blocks in this machine's memory.
    pub layout: Layout,
    /// The same on the GPU.
    pub list: GpuBuffer<GpuBlock>,
    /// Number of blocks.
    pub number: u32,
    /// Number of rows of all blocks.
    pub rows: u32,
    /// Words of the longest row.
    pub longest: u32,
    /// A range with all rows that have boards which a new 2 or 4 turns over.
    pub(crate) turning: [Range<u32>; 2],
}

impl GpuBlocks {
    /// Uploads the blocks of a layout.
    pub fn new(gpu: &Gpu, space: &Space, layout: Layout) -> Result<GpuBlocks, GpuError> {
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
            list: gpu.upload(&list)?,
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

    /// The smallest sum of a top that has a block.
    pub fn first(&self) -> u32 {
        let first = self.layout.blocks.first();
        first.map_or(0, |block| block.top_units as u32)
    }
}

impl GpuBlock {
    fn new(space: &Space, block: &Block) -> GpuBlock {
        let close = [0, 1].map(|number| block.nearly_tied(space, 1 << number));
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

    /// Whether a tile of exponent `number + 1` turns boards over.
    fn turns_over(&self, number: usize) -> bool {
        self.rows > 0 && self.close_from[number] < self.close_end[number]
    }
}

/// A layer of bits on the GPU.
pub struct GpuLayer {
    /// Its blocks.
    pub blocks: Arc<GpuBlocks>,
    /// Its bits. The buffer may be longer than the layer.
    pub words: GpuBuffer<u64>,
}

impl GpuLayer {
    /// The sum, in units of 2.
    pub fn units(&self) -> usize {
        self.blocks.units()
    }

    /// Number of words of the layer.
    pub fn len(&self) -> usize {
        self.blocks.layout.words()
    }

    /// Whether the layer has room for no board at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
