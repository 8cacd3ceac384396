//! The steps from layer to layer on the GPU, each on whole sets.

use std::cell::RefCell;
use std::sync::Arc;

use cudarc::driver::{CudaSlice, CudaStream, LaunchConfig, PushKernelArg};
use tilebase_game::{Board, Variant};
use tilebase_gpu::{GpuMemory, memory, told};

use crate::error::CountError;
use tilebase_index::Places;
use tilebase_index::largest_of;
use tilebase_index::layer::{Layout, Part};
use tilebase_index::space::Space;
use tilebase_index::start_states;
use tilebase_util::bytes_text;

use super::device::{Gpu, for_rows};
use super::layer::{GpuBlocks, GpuLayer};
use super::tables::GpuTables;

/// The tables and kernels of a game on an open GPU, and the steps that they make.
pub struct GpuSteps {
    pub(super) space: Arc<Space>,
    pub(super) gpu: Gpu,
    tables: GpuTables,
    /// Stands for a layer that is not there.
    nothing: CudaSlice<u64>,
    /// The blocks of the layers that were asked for last.
    recent: RefCell<Vec<Arc<GpuBlocks>>>,
}

/// Layers whose blocks are at hand.
const RECENT: usize = 4;

impl GpuSteps {
    /// Opens the first GPU for a game.
    pub fn open(variant: &Variant) -> Result<GpuSteps, CountError> {
        let space = Space::new(variant.shape(), largest_of(variant)?, variant.spawn());
        GpuSteps::new(Gpu::open()?, Arc::new(space.map_err(CountError::from)?))
    }

    pub(super) fn new(gpu: Gpu, space: Arc<Space>) -> Result<GpuSteps, CountError> {
        let nothing = gpu.stream.alloc_zeros(1);
        Ok(GpuSteps {
            tables: GpuTables::new(&gpu, &space)?,
            nothing: nothing.map_err(told("taking the GPU's memory"))?,
            space,
            gpu,
            recent: RefCell::default(),
        })
    }

    /// What the GPU has, and how much of it is still free.
    pub fn memory(&self) -> Result<GpuMemory, CountError> {
        Ok(memory(self.gpu.stream.context())?)
    }

    /// Where the work is queued.
    pub fn stream(&self) -> &Arc<CudaStream> {
        &self.gpu.stream
    }

    /// The tables, for kernels that begin with [`GROUND`](super::GROUND).
    pub fn tables(&self) -> &CudaSlice<u64> {
        &self.tables.list
    }

    /// The places of the game's boards.
    pub fn places(&self) -> Places {
        Places::of(self.space.clone())
    }

    /// The start states with their sums, in units of 2.
    pub fn starts(&self, variant: &Variant) -> Vec<(usize, Board)> {
        start_states(&self.space, variant)
    }

    /// Words that a layer has.
    pub fn words(&self, units: usize) -> usize {
        Layout::new(&self.space, units).words()
    }

    /// The blocks of a layer of a sum, in units of 2. Those asked for last are at hand.
    pub fn blocks(&self, units: usize) -> Result<Arc<GpuBlocks>, CountError> {
        let mut recent = self.recent.borrow_mut();
        if let Some(blocks) = recent.iter().find(|blocks| blocks.units() == units) {
            return Ok(blocks.clone());
        }
        let layout = Layout::new(&self.space, units);
        let blocks = Arc::new(GpuBlocks::new(&self.gpu, &self.space, layout)?);
        recent.truncate(RECENT - 1);
        recent.insert(0, blocks.clone());
        Ok(blocks)
    }

    /// A layer of a sum, in units of 2, in memory whose content is not known yet.
    pub fn layer(&self, units: usize, words: CudaSlice<u64>) -> Result<GpuLayer, CountError> {
        let blocks = self.blocks(units)?;
        enough(blocks.layout.words(), words.len())?;
        Ok(GpuLayer { blocks, words })
    }

    /// A part of a layer, in memory whose content is not known yet.
    pub(super) fn part(
        &self,
        layout: &Layout,
        part: Part,
        words: CudaSlice<u64>,
    ) -> Result<GpuLayer, CountError> {
        enough(layout.range(part).len(), words.len())?;
        let blocks = GpuBlocks::new(&self.gpu, &self.space, layout.part(part))?;
        let blocks = Arc::new(blocks);
        Ok(GpuLayer { blocks, words })
    }

    /// Fills a layer with the states that spawns make of the afterstates below.
    pub fn spawn(
        &self,
        states: &mut GpuLayer,
        below: [Option<&GpuLayer>; 2],
        starts: &[Board],
    ) -> Result<(), CountError> {
        let falls = |exponent: u8| self.space.spawn.weight(exponent) > 0;
        let error = told("letting tiles fall on the GPU");
        let [twos, fours] = below;
        let below = [twos.filter(|_| falls(1)), fours.filter(|_| falls(2))];
        let given = below.map(|layer| match layer {
            Some(layer) => (
                &layer.words,
                &layer.blocks.list,
                layer.blocks.first(),
                layer.blocks.number,
            ),
            None => (&self.nothing, &self.nothing, 0, 0),
        });
        let stream = self.gpu.stream.clone();
        if states.blocks.rows > 0 {
            let shape = for_rows(states.blocks.rows, states.blocks.longest, true);
            let mut launch = stream.launch_builder(&self.gpu.spawn);
            launch.arg(&self.tables.list).arg(&mut states.words);
            launch.arg(&states.blocks.list).arg(&states.blocks.number);
            for (words, blocks, first, number) in &given {
                launch.arg(*words).arg(*blocks).arg(first).arg(number);
            }
            // SAFETY: the arguments are those of `spawn` in count.cu, in its order; every
            // place is below the layer's size by construction of the shared tables.
            #[allow(unsafe_code)]
            unsafe { launch.launch(shape) }.map_err(&error)?;
        }
        for (number, layer) in below.iter().enumerate() {
            let Some(layer) = layer else { continue };
            let rows = layer.blocks.turning[number].clone();
            if rows.is_empty() {
                continue;
            }
            let (first, kind) = (states.blocks.first(), number as u32);
            let shape = for_rows(rows.end - rows.start, layer.blocks.longest, false);
            let mut launch = stream.launch_builder(&self.gpu.turn_over);
            launch.arg(&self.tables.list).arg(&mut states.words);
            launch.arg(&states.blocks.list).arg(&first);
            launch.arg(&states.blocks.number).arg(&layer.words);
            launch.arg(&layer.blocks.list).arg(&layer.blocks.number);
            launch.arg(&rows.start).arg(&kind);
            // SAFETY: as above, for `turn_over`.
            #[allow(unsafe_code)]
            unsafe { launch.launch(shape) }.map_err(&error)?;
        }
        self.begin(states, starts)
    }

    /// Puts start states into a layer.
    fn begin(&self, states: &mut GpuLayer, starts: &[Board]) -> Result<(), CountError> {
        let mut positions: Vec<u64> = Vec::new();
        for &board in starts {
            self.space.closed_places(board, |place| {
                if let Some(block) = states.blocks.layout.block(place.top_units) {
                    let word = block.offset + place.row * block.stride;
                    positions.push((64 * word + place.bit) as u64);
                }
            });
        }
        if positions.is_empty() {
            return Ok(());
        }
        let number = positions.len() as u32;
        let list = self.gpu.upload(&positions)?;
        let mut launch = self.gpu.stream.launch_builder(&self.gpu.mark);
        launch.arg(&mut states.words).arg(&list).arg(&number);
        // SAFETY: the arguments are those of `mark` in count.cu; the positions are the
        // layout's own.
        #[allow(unsafe_code)]
        unsafe { launch.launch(LaunchConfig::for_num_elems(number)) }
            .map_err(told("letting tiles fall on the GPU"))?;
        Ok(())
    }

    /// Makes the afterstates of a layer. What is left in `states` is of no use any more.
    pub fn slide(&self, states: &mut GpuLayer, after: &mut GpuLayer) -> Result<(), CountError> {
        self.slide_rows(states, after, None)?;
        if self.space.is_square() && !states.is_empty() {
            // The boards to mirror are read from a copy, lest the images be mirrored again.
            let words = states.len();
            let (from, mut to) = (
                after.words.slice(0..words),
                states.words.slice_mut(0..words),
            );
            let copied = self.gpu.stream.memcpy_dtod(&from, &mut to);
            copied.map_err(told("sliding on the GPU"))?;
        }
        self.slide_across(states, after)
    }

    /// Does the same on a square, faster, where there is room for another layer.
    pub(super) fn slide_beside(
        &self,
        states: &GpuLayer,
        after: &mut GpuLayer,
        rows: &mut GpuLayer,
    ) -> Result<(), CountError> {
        self.slide_rows(states, after, Some(rows))?;
        self.slide_across(rows, after)
    }

    /// Makes the afterstates of slides to the left and right, in the same blocks, and a second
    /// time if there is a layer for it.
    pub(super) fn slide_rows(
        &self,
        states: &GpuLayer,
        after: &mut GpuLayer,
        twice: Option<&mut GpuLayer>,
    ) -> Result<(), CountError> {
        let blocks = &states.blocks;
        if blocks.rows == 0 {
            return Ok(());
        }
        let mut launch = self.gpu.stream.launch_builder(&self.gpu.slide_rows);
        launch.arg(&self.tables.list).arg(&states.words);
        launch.arg(&mut after.words);
        let nowhere = 0u64;
        match twice {
            Some(twice) => launch.arg(&mut twice.words),
            None => launch.arg(&nowhere),
        };
        launch.arg(&blocks.list).arg(&blocks.number);
        // SAFETY: the arguments are those of `slide_rows` in count.cu, in its order.
        #[allow(unsafe_code)]
        unsafe { launch.launch(for_rows(blocks.rows, blocks.longest, true)) }
            .map_err(told("sliding on the GPU"))?;
        Ok(())
    }

    /// Adds the afterstates of slides up and down that belong to the blocks of `after`: on
    /// squares from those to the left and right, elsewhere from the states.
    pub(super) fn slide_across(
        &self,
        from: &GpuLayer,
        after: &mut GpuLayer,
    ) -> Result<(), CountError> {
        let blocks = &from.blocks;
        if blocks.rows == 0 {
            return Ok(());
        }
        let square = u32::from(self.space.is_square());
        let first = after.blocks.first();
        let mut launch = self.gpu.stream.launch_builder(&self.gpu.slide_across);
        launch.arg(&self.tables.list).arg(&from.words);
        launch.arg(&blocks.list).arg(&blocks.number);
        launch.arg(&mut after.words).arg(&after.blocks.list);
        launch.arg(&first).arg(&after.blocks.number).arg(&square);
        // SAFETY: the arguments are those of `slide_across` in count.cu, in its order.
        #[allow(unsafe_code)]
        unsafe { launch.launch(for_rows(blocks.rows, blocks.longest, false)) }
            .map_err(told("sliding on the GPU"))?;
        Ok(())
    }
}

/// Fails if there is room for fewer words than needed: sizes are planned by samples where layers
/// are many, and kernels do not look.
pub(super) fn enough(needed: usize, words: usize) -> Result<(), CountError> {
    if needed <= words {
        return Ok(());
    }
    Err(CountError::Gpu(format!(
        "a layer needs {} where {} were planned: please tell us, and use --device cpu",
        bytes_text(8 * needed as u64),
        bytes_text(8 * words as u64)
    )))
}
