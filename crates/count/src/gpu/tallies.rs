//! What is counted on the GPU.

use cudarc::driver::{CudaSlice, LaunchConfig, PushKernelArg};
use tilebase_gpu::told;

use crate::census::{Census, Tally};
use crate::error::CountError;

use super::device::Gpu;
use super::layer::GpuLayer;
use super::steps::GpuSteps;
use super::symmetric::GpuUnchanged;

/// Copies of a tally, so that threads are not in each other's way.
const COPIES: usize = 64;
/// Numbers in a tally: all boards and lost ones, by the largest tile.
const ACCOUNTS: usize = 32;

/// What a tally counts.
#[derive(Clone, Copy)]
pub(super) enum Counted {
    States,
    Afterstates,
}

/// The classes of a layer's states and afterstates.
pub(super) struct GpuTallies<'a> {
    census: &'a Census,
    by_largest: bool,
    unchanged: Vec<GpuUnchanged>,
    /// Of states and of afterstates.
    tallies: [CudaSlice<u64>; 2],
}

impl<'a> GpuTallies<'a> {
    pub fn new(
        gpu: &Gpu,
        census: &'a Census,
        by_largest: bool,
    ) -> Result<GpuTallies<'a>, CountError> {
        let memory = told("taking the GPU's memory");
        let zeros = || gpu.stream.alloc_zeros(COPIES * ACCOUNTS).map_err(&memory);
        Ok(GpuTallies {
            census,
            by_largest,
            unchanged: GpuUnchanged::all(gpu, census)?,
            tallies: [zeros()?, zeros()?],
        })
    }

    /// Begins a layer.
    pub fn clear(&mut self, steps: &GpuSteps) -> Result<(), CountError> {
        for tally in &mut self.tallies {
            let cleared = steps.stream().memset_zeros(tally);
            cleared.map_err(told("counting on the GPU"))?;
        }
        Ok(())
    }

    /// Counts the classes of a layer, or of some of its blocks.
    pub fn add(
        &mut self,
        steps: &GpuSteps,
        layer: &GpuLayer,
        what: Counted,
    ) -> Result<(), CountError> {
        let error = told("counting on the GPU");
        let (detail, lost) = match what {
            Counted::States => (self.by_largest, true),
            Counted::Afterstates => (false, false),
        };
        let tally = &mut self.tallies[what as usize];
        let (detail, lost) = (u32::from(detail), u32::from(lost));
        let blocks = &layer.blocks;
        let (first, units) = (blocks.first(), blocks.units() as u32);
        if blocks.rows == 0 {
            return Ok(());
        }
        let mut launch = steps.stream().launch_builder(&steps.gpu.tally_rows);
        launch.arg(steps.tables()).arg(&layer.words);
        launch
            .arg(&blocks.list)
            .arg(&blocks.number)
            .arg(&blocks.rows);
        launch.arg(&detail).arg(&lost).arg(&mut *tally);
        // SAFETY: the arguments are those of `tally_rows` in count.cu, in its order.
        #[allow(unsafe_code)]
        unsafe { launch.launch(warps(blocks.rows)) }.map_err(&error)?;
        for kind in &self.unchanged {
            let mut launch = steps.stream().launch_builder(&steps.gpu.tally_unchanged);
            launch.arg(steps.tables()).arg(&layer.words);
            launch.arg(&blocks.list).arg(&first);
            launch.arg(&blocks.number).arg(&units);
            launch.arg(&kind.one).arg(&kind.one_units).arg(&kind.ones);
            launch.arg(&kind.other).arg(&kind.first_other);
            launch.arg(&kind.most).arg(&kind.weight).arg(&detail);
            launch.arg(&mut *tally);
            // SAFETY: as above, for `tally_unchanged`.
            #[allow(unsafe_code)]
            unsafe { launch.launch(warps(kind.ones)) }.map_err(&error)?;
        }
        Ok(())
    }

    /// What was counted since the layer was begun. The GPU has finished all its work then.
    pub fn counted(&self, steps: &GpuSteps, what: Counted) -> Result<Tally, CountError> {
        let error = told("counting on the GPU");
        let stream = steps.stream();
        let copies = stream
            .clone_dtoh(&self.tallies[what as usize])
            .map_err(&error)?;
        stream.synchronize().map_err(&error)?;
        let mut tally = Tally::default();
        for copy in copies.chunks_exact(ACCOUNTS) {
            let (all, lost) = copy.split_at(ACCOUNTS / 2);
            tally.all.iter_mut().zip(all).for_each(|(sum, n)| *sum += n);
            tally
                .lost
                .iter_mut()
                .zip(lost)
                .for_each(|(sum, n)| *sum += n);
        }
        Ok(self.census.classes(tally))
    }
}

/// So many warps of threads.
fn warps(number: u32) -> LaunchConfig {
    LaunchConfig {
        grid_dim: (number.div_ceil(8), 1, 1),
        block_dim: (8 * 32, 1, 1),
        shared_mem_bytes: 0,
    }
}
