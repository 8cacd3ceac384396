//! The steps from layer to layer on the GPU, each on whole sets.

use std::cell::RefCell;
use std::sync::Arc;

use tilebase_game::Board;
use tilebase_index::layer::{Layout, Part};
use tilebase_index::space::Space;
use tilebase_index::{BoardIndex, start_states};

use crate::GpuBuffer;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::launch::{block_per_row, threads};
use crate::layer::{GpuBlock, GpuBlocks, GpuLayer};
use crate::source::KernelSource;
use crate::tables::{GpuTables, Tables};

crate::kernels! {
    /// The kernels of steps.cu.
    struct StepKernels {
        /// Makes states from the afterstates below.
        fn spawn(
            tables: &GpuBuffer<Tables>,
            words: &mut GpuBuffer<u64>,
            blocks: &GpuBuffer<GpuBlock>,
            number: u32,
            twos: &GpuBuffer<u64>,
            twos_blocks: &GpuBuffer<GpuBlock>,
            twos_first: u32,
            twos_number: u32,
            fours: &GpuBuffer<u64>,
            fours_blocks: &GpuBuffer<GpuBlock>,
            fours_first: u32,
            fours_number: u32,
        );

        /// Adds the states that a new tile turns over.
        fn turn_over(
            tables: &GpuBuffer<Tables>,
            words: &mut GpuBuffer<u64>,
            blocks: &GpuBuffer<GpuBlock>,
            first: u32,
            number: u32,
            below: &GpuBuffer<u64>,
            below_blocks: &GpuBuffer<GpuBlock>,
            below_number: u32,
            from_row: u32,
            kind: u32,
        );

        /// Sets the bits at some positions.
        fn mark(words: &mut GpuBuffer<u64>, positions: &GpuBuffer<u64>, number: u32);

        /// Makes the afterstates of slides to the left and right.
        fn slide_rows(
            tables: &GpuBuffer<Tables>,
            states: &GpuBuffer<u64>,
            after: &mut GpuBuffer<u64>,
            twice: Option<&mut GpuBuffer<u64>>,
            blocks: &GpuBuffer<GpuBlock>,
            number: u32,
        );

        /// Adds the afterstates of slides up and down.
        fn slide_across(
            tables: &GpuBuffer<Tables>,
            from: &GpuBuffer<u64>,
            blocks: &GpuBuffer<GpuBlock>,
            number: u32,
            after: &mut GpuBuffer<u64>,
            after_blocks: &GpuBuffer<GpuBlock>,
            after_first: u32,
            after_number: u32,
            square: u32,
        );
    }
}

const SOURCE: &str = include_str!("steps.cu");

/// The tables and kernels of a game on the GPU, and the steps that they make.
pub struct GpuSteps {
    index: BoardIndex,
    space: Arc<Space>,
    gpu: Gpu,
    kernels: StepKernels,
    tables: GpuTables,
    /// Stands for a layer that is not there.
    no_words: GpuBuffer<u64>,
    no_blocks: GpuBuffer<GpuBlock>,
    /// The blocks of the layers used last.
    recent: RefCell<Vec<Arc<GpuBlocks>>>,
}

/// Layers whose blocks are kept at hand.
const RECENT: usize = 4;

impl GpuSteps {
    /// Uploads the tables of a game and compiles the kernels.
    pub fn new(gpu: Gpu, index: BoardIndex) -> Result<GpuSteps, GpuError> {
        let space = index.space().clone();
        Ok(GpuSteps {
            index,
            kernels: StepKernels::load(&gpu, &KernelSource::with_common(SOURCE))?,
            tables: GpuTables::new(&gpu, &space)?,
            no_words: gpu.zeros(1)?,
            no_blocks: gpu.upload(&[])?,
            space,
            gpu,
            recent: RefCell::default(),
        })
    }

    /// The GPU.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// The tables, for kernels that begin with [`COMMON_KERNELS`](crate::COMMON_KERNELS).
    pub fn tables(&self) -> &GpuBuffer<Tables> {
        &self.tables.tables
    }

    /// The space of the game's boards.
    pub fn space(&self) -> &Arc<Space> {
        &self.space
    }

    /// The index of the game.
    pub fn index(&self) -> &BoardIndex {
        &self.index
    }

    /// The start states with their sums, in units of 2.
    pub fn starts(&self) -> Vec<(usize, Board)> {
        start_states(&self.space, self.index.variant())
    }

    /// Number of words of a layer.
    pub fn words(&self, units: usize) -> usize {
        Layout::new(&self.space, units).words()
    }

    /// The blocks of the layer with a sum, in units of 2.
    pub fn blocks(&self, units: usize) -> Result<Arc<GpuBlocks>, GpuError> {
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

    /// The layer with a sum, in units of 2, in a buffer with any content.
    pub fn layer(&self, units: usize, words: GpuBuffer<u64>) -> Result<GpuLayer, GpuError> {
        let blocks = self.blocks(units)?;
        check_size(blocks.layout.words(), words.len())?;
        Ok(GpuLayer { blocks, words })
    }

    /// A part of a layer, in a buffer with any content.
    pub fn part(
        &self,
        layout: &Layout,
        part: Part,
        words: GpuBuffer<u64>,
    ) -> Result<GpuLayer, GpuError> {
        check_size(layout.range(part).len(), words.len())?;
        let blocks = GpuBlocks::new(&self.gpu, &self.space, layout.part(part))?;
        let blocks = Arc::new(blocks);
        Ok(GpuLayer { blocks, words })
    }

    /// Fills a layer with the start states and with the states that spawns make of the
    /// afterstates below.
    pub fn spawn(
        &self,
        states: &mut GpuLayer,
        below: [Option<&GpuLayer>; 2],
        starts: &[Board],
    ) -> Result<(), GpuError> {
        let spawns = |exponent: u8| self.space.spawn.weight(exponent) > 0;
        let [twos, fours] = below;
        let below = [twos.filter(|_| spawns(1)), fours.filter(|_| spawns(2))];
        self.spawn_rows(states, below)?;
        for (kind, layer) in below.into_iter().enumerate() {
            if let Some(layer) = layer {
                self.turn_over(states, layer, kind)?;
            }
        }
        self.mark(states, starts)
    }

    fn spawn_rows(
        &self,
        states: &mut GpuLayer,
        below: [Option<&GpuLayer>; 2],
    ) -> Result<(), GpuError> {
        let blocks = &states.blocks;
        if blocks.rows == 0 {
            return Ok(());
        }
        let given = below.map(|layer| match layer {
            Some(layer) => (
                &layer.words,
                &layer.blocks.list,
                layer.blocks.first(),
                layer.blocks.number,
            ),
            None => (&self.no_words, &self.no_blocks, 0, 0),
        });
        let [
            (twos, twos_blocks, twos_first, twos_number),
            (fours, fours_blocks, fours_first, fours_number),
        ] = given;
        // SAFETY: the blocks are those of the words, whose size was checked, and every place is
        // below it by construction of the tables.
        #[allow(unsafe_code)]
        unsafe {
            self.kernels.spawn(
                &self.gpu,
                block_per_row(blocks, blocks.rows, true),
                self.tables(),
                &mut states.words,
                &blocks.list,
                blocks.number,
                twos,
                twos_blocks,
                twos_first,
                twos_number,
                fours,
                fours_blocks,
                fours_first,
                fours_number,
            )
        }
    }

    /// Adds the states of a layer below that a tile of exponent `kind + 1` turns over.
    fn turn_over(
        &self,
        states: &mut GpuLayer,
        below: &GpuLayer,
        kind: usize,
    ) -> Result<(), GpuError> {
        let rows = below.blocks.turning[kind].clone();
        if rows.is_empty() {
            return Ok(());
        }
        // SAFETY: as for `spawn`; the rows are rows of the layer below.
        #[allow(unsafe_code)]
        unsafe {
            self.kernels.turn_over(
                &self.gpu,
                block_per_row(&below.blocks, rows.end - rows.start, false),
                self.tables(),
                &mut states.words,
                &states.blocks.list,
                states.blocks.first(),
                states.blocks.number,
                &below.words,
                &below.blocks.list,
                below.blocks.number,
                rows.start,
                kind as u32,
            )
        }
    }

    /// Adds boards to a layer.
    fn mark(&self, states: &mut GpuLayer, boards: &[Board]) -> Result<(), GpuError> {
        let mut positions: Vec<u64> = Vec::new();
        for &board in boards {
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
        // SAFETY: the positions are those of the layout.
        #[allow(unsafe_code)]
        unsafe {
            self.kernels
                .mark(&self.gpu, threads(number), &mut states.words, &list, number)
        }
    }

    /// Makes the afterstates of a layer. The words of `states` are overwritten.
    pub fn slide(&self, states: &mut GpuLayer, after: &mut GpuLayer) -> Result<(), GpuError> {
        self.slide_rows(states, after, None)?;
        if self.space.is_closed_across() && !states.is_empty() {
            // The boards to mirror are read from a copy: their images must not be mirrored again.
            let words = states.len();
            let (from, mut to) = (
                after.words.slice(0..words),
                states.words.slice_mut(0..words),
            );
            let copied = self.gpu.stream().memcpy_dtod(&from, &mut to);
            copied.map_err(GpuError::driver("sliding on the GPU"))?;
        }
        self.slide_across(states, after)
    }

    /// Makes the afterstates of a layer of a square. Faster than [`slide`](GpuSteps::slide), but
    /// needs a third layer, `rows`.
    pub fn slide_beside(
        &self,
        states: &GpuLayer,
        after: &mut GpuLayer,
        rows: &mut GpuLayer,
    ) -> Result<(), GpuError> {
        self.slide_rows(states, after, Some(rows))?;
        self.slide_across(rows, after)
    }

    /// Makes the afterstates of slides to the left and right, in the same blocks, and writes
    /// them a second time if there is a layer for it.
    pub fn slide_rows(
        &self,
        states: &GpuLayer,
        after: &mut GpuLayer,
        twice: Option<&mut GpuLayer>,
    ) -> Result<(), GpuError> {
        let blocks = &states.blocks;
        if blocks.rows == 0 {
            return Ok(());
        }
        // SAFETY: all layers have the same blocks.
        #[allow(unsafe_code)]
        unsafe {
            self.kernels.slide_rows(
                &self.gpu,
                block_per_row(blocks, blocks.rows, true),
                self.tables(),
                &states.words,
                &mut after.words,
                twice.map(|layer| &mut layer.words),
                &blocks.list,
                blocks.number,
            )
        }
    }

    /// Adds the afterstates of slides up and down that belong to the blocks of `after`: on
    /// squares from those to the left and right, on other shapes from the states.
    pub fn slide_across(&self, from: &GpuLayer, after: &mut GpuLayer) -> Result<(), GpuError> {
        let blocks = &from.blocks;
        if blocks.rows == 0 {
            return Ok(());
        }
        // SAFETY: the blocks are those of the words; boards of other blocks are skipped.
        #[allow(unsafe_code)]
        unsafe {
            self.kernels.slide_across(
                &self.gpu,
                block_per_row(blocks, blocks.rows, false),
                self.tables(),
                &from.words,
                &blocks.list,
                blocks.number,
                &mut after.words,
                &after.blocks.list,
                after.blocks.first(),
                after.blocks.number,
                u32::from(self.space.is_closed_across()),
            )
        }
    }
}

/// Fails if a buffer is too small for a layer. Sizes are planned by samples where layers are
/// many, and kernels do not check bounds.
pub fn check_size(needed: usize, words: usize) -> Result<(), GpuError> {
    if needed <= words {
        return Ok(());
    }
    Err(GpuError::LayerSize {
        needed: 8 * needed as u64,
        planned: 8 * words as u64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;

    #[test]
    fn kernels_match_their_launches() {
        let source = KernelSource::with_common(SOURCE);
        let text = source.text();
        assert_eq!(check::structs::<Tables>(text), Ok(()));
        assert_eq!(check::structs::<GpuBlock>(text), Ok(()));
        assert_eq!(check::signatures(text, &StepKernels::signatures()), Ok(()));
    }

    #[test]
    fn kernels_compile() {
        check::compiles(&KernelSource::with_common(SOURCE)).unwrap();
    }
}
