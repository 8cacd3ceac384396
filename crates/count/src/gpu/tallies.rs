//! The numbers of classes, counted on the GPU.

use tilebase_gpu::{
    Gpu, GpuBlock, GpuBuffer, GpuError, GpuLayer, GpuSteps, KernelSource, Tables, warps,
};

use crate::census::{Census, Tally};

use super::symmetric::GpuUnchanged;

tilebase_gpu::kernels! {
    /// The kernels of tallies.cu.
    struct TallyKernels {
        /// Counts all boards of a layer, folded or not, and the lost ones.
        fn tally_rows(
            tables: &GpuBuffer<Tables>,
            words: &GpuBuffer<u64>,
            blocks: &GpuBuffer<GpuBlock>,
            number: u32,
            rows: u32,
            detail: u32,
            lost: u32,
            tally: &mut GpuBuffer<u64>,
        );

        /// Counts the boards that a symmetry leaves unchanged.
        fn tally_unchanged(
            tables: &GpuBuffer<Tables>,
            words: &GpuBuffer<u64>,
            blocks: &GpuBuffer<GpuBlock>,
            first: u32,
            number: u32,
            layer_units: u32,
            one: &GpuBuffer<u64>,
            one_units: &GpuBuffer<u32>,
            ones: u32,
            other: &GpuBuffer<u64>,
            first_other: &GpuBuffer<u32>,
            most: u32,
            weight: u64,
            detail: u32,
            tally: &mut GpuBuffer<u64>,
        );
    }
}

const SOURCE: &str = include_str!("tallies.cu");

/// Copies of a tally, so that threads stay out of each other's way.
const COPIES: usize = 64;
/// Entries of a tally: all boards and lost ones, by the largest tile.
const ENTRIES: usize = 32;

/// What a tally counts.
#[derive(Clone, Copy)]
pub(super) enum Counted {
    States,
    Afterstates,
}

/// Counts the classes of a layer's states and afterstates.
pub(super) struct GpuTallies<'a> {
    census: &'a Census,
    kernels: TallyKernels,
    by_largest: bool,
    unchanged: Vec<GpuUnchanged>,
    /// Of states and of afterstates.
    tallies: [GpuBuffer<u64>; 2],
}

impl<'a> GpuTallies<'a> {
    pub fn new(
        gpu: &Gpu,
        census: &'a Census,
        by_largest: bool,
    ) -> Result<GpuTallies<'a>, GpuError> {
        Ok(GpuTallies {
            census,
            kernels: TallyKernels::load(gpu, &KernelSource::with_common(SOURCE))?,
            by_largest,
            unchanged: GpuUnchanged::all(gpu, census)?,
            tallies: [gpu.zeros(COPIES * ENTRIES)?, gpu.zeros(COPIES * ENTRIES)?],
        })
    }

    /// Begins a layer.
    pub fn clear(&mut self, gpu: &Gpu) -> Result<(), GpuError> {
        for tally in &mut self.tallies {
            let cleared = gpu.stream().memset_zeros(tally);
            cleared.map_err(GpuError::driver("counting on the GPU"))?;
        }
        Ok(())
    }

    /// Counts the classes of a layer, or of some of its blocks.
    pub fn add(
        &mut self,
        steps: &GpuSteps,
        layer: &GpuLayer,
        what: Counted,
    ) -> Result<(), GpuError> {
        let (detail, lost) = match what {
            Counted::States => (u32::from(self.by_largest), 1),
            Counted::Afterstates => (0, 0),
        };
        let tally = &mut self.tallies[what as usize];
        let (gpu, blocks) = (steps.gpu(), &layer.blocks);
        if blocks.rows == 0 {
            return Ok(());
        }
        // SAFETY: the blocks are those of the words, and a tally has all entries that the
        // kernel adds to.
        #[allow(unsafe_code)]
        unsafe {
            self.kernels.tally_rows(
                gpu,
                warps(blocks.rows),
                steps.tables(),
                &layer.words,
                &blocks.list,
                blocks.number,
                blocks.rows,
                detail,
                lost,
                &mut *tally,
            )?;
        }
        for kind in &self.unchanged {
            // SAFETY: as above; the lists have as many entries as they say.
            #[allow(unsafe_code)]
            unsafe {
                self.kernels.tally_unchanged(
                    gpu,
                    warps(kind.ones),
                    steps.tables(),
                    &layer.words,
                    &blocks.list,
                    blocks.first(),
                    blocks.number,
                    blocks.units() as u32,
                    &kind.one,
                    &kind.one_units,
                    kind.ones,
                    &kind.other,
                    &kind.first_other,
                    kind.most,
                    kind.weight,
                    detail,
                    &mut *tally,
                )?;
            }
        }
        Ok(())
    }

    /// The numbers counted since the layer began. Waits for the GPU to finish all its work.
    pub fn counted(&self, gpu: &Gpu, what: Counted) -> Result<Tally, GpuError> {
        let error = GpuError::driver("counting on the GPU");
        let stream = gpu.stream();
        let copies = stream
            .clone_dtoh(&self.tallies[what as usize])
            .map_err(&error)?;
        stream.synchronize().map_err(&error)?;
        let mut tally = Tally::default();
        let add = |sums: &mut [u64], numbers: &[u64]| {
            sums.iter_mut().zip(numbers).for_each(|(sum, n)| *sum += n);
        };
        for copy in copies.chunks_exact(ENTRIES) {
            let (all, lost) = copy.split_at(ENTRIES / 2);
            add(&mut tally.all, all);
            add(&mut tally.lost, lost);
        }
        Ok(self.census.classes(tally))
    }
}

#[cfg(test)]
mod tests {
    use tilebase_gpu::{COMMON_KERNELS, check};

    use super::*;

    #[test]
    fn kernels_match_their_launches() {
        let kernels = TallyKernels::signatures();
        assert_eq!(check::signatures(SOURCE, &kernels), Ok(()));
        assert_eq!(check::structs::<Tables>(COMMON_KERNELS), Ok(()));
    }

    #[test]
    fn kernels_compile() {
        check::compiles(&KernelSource::with_common(SOURCE)).unwrap();
    }
}
