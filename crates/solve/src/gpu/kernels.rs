//! The kernels of the backward pass, and their launches.

use bytemuck::{Pod, Zeroable};
use tilebase_game::{Objective, Reward, ValueKind};
use tilebase_gpu::{
    Gpu, GpuBlock, GpuBuffer, GpuError, GpuLayer, GpuSteps, KernelSource, Tables, block_per_row,
    blocks, check_size, threads,
};

use super::Width;
use super::ranked::{GpuSet, LINES_OF_STRETCH, Ranked, Valued};

tilebase_gpu::kernels! {
    /// The kernels of values.cu.
    struct ValueKernels {
        /// Copies the canonical boards of a layer to lines.
        fn keep(
            tables: &GpuBuffer<Tables>,
            words: &GpuBuffer<u64>,
            blocks: &GpuBuffer<GpuBlock>,
            number: u32,
            lines: &mut GpuBuffer<u64> as "u32 *",
        );

        /// Ranks the boards of lines.
        fn rank(
            lines: &mut GpuBuffer<u64> as "u32 *",
            number: u64,
            stretches: &mut GpuBuffer<u64>,
        );

        /// Lists the positions of the boards of lines.
        fn positions(
            lines: &GpuBuffer<u64> as "const uint4 *",
            number: u64,
            before: &GpuBuffer<u64>,
            list: &mut GpuBuffer<u64>,
        );

        /// Values of afterstates, from the states above.
        fn afterstate_values(
            tables: &GpuBuffer<Tables>,
            rules: &GpuBuffer<Rule>,
            sets: &GpuBuffer<GpuSet>,
            values: &mut GpuBuffer<u64> as "Value *",
        );

        /// Values of states, from their afterstates, and the number of lost ones.
        fn state_values(
            tables: &GpuBuffer<Tables>,
            rules: &GpuBuffer<Rule>,
            sets: &GpuBuffer<GpuSet>,
            values: &mut GpuBuffer<u64> as "Value *",
            lost: &mut GpuBuffer<u64>,
        );

        /// Looks up values.
        fn lookup(
            set: &GpuBuffer<GpuSet>,
            positions: &GpuBuffer<u64>,
            number: u32,
            found: &mut GpuBuffer<u64> as "Value *",
            there: &mut GpuBuffer<u32>,
        );

        /// Counts the bits of a layer.
        fn count_bits(words: &GpuBuffer<u64>, number: u64, tally: &mut GpuBuffer<u64>);

        /// Counts sure wins and sure losses.
        fn tally_sure(
            values: &GpuBuffer<u64> as "const Value *",
            number: u64,
            tally: &mut GpuBuffer<u64>,
        );
    }
}

const SOURCE: &str = include_str!("values.cu");

/// `TALLIES` in values.cu.
const TALLIES: usize = 64;

/// How values follow from moves and means: `Rule` in values.cu.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct Rule {
    two: f64,
    four: f64,
    discount: f64,
    won: f64,
    step: f64,
    scores: u64,
}

tilebase_gpu::cuda_struct! { Rule = "Rule" { two, four, discount, won, step, scores } }

/// The source for values of a width; `chance` says that they are win probabilities.
fn source(width: Width, chance: bool) -> KernelSource {
    KernelSource::with_common(SOURCE)
        .define("WIDTH", 8 * width.bytes())
        .define("CHANCE", chance.into())
        .sharing::<Rule>()
        .sharing::<GpuSet>()
        // The processor rounds after every product, and both must give the same bits.
        .exact()
}

/// The kernels, compiled for an objective and a width of values.
pub(super) struct Kernels {
    kernels: ValueKernels,
    rule: GpuBuffer<Rule>,
}

impl Kernels {
    pub fn new(
        gpu: &Gpu,
        objective: Objective,
        width: Width,
        [two, four]: [f64; 2],
    ) -> Result<Kernels, GpuError> {
        let chance = objective.value_kind() == ValueKind::WinProbability;
        let rule = Rule {
            two,
            four,
            discount: objective.discount(),
            won: objective.descriptor().win_reward,
            step: f64::from(u8::from(objective.reward() == Reward::Move)),
            scores: u64::from(objective.reward() == Reward::Score),
        };
        Ok(Kernels {
            kernels: ValueKernels::load(gpu, &source(width, chance))?,
            rule: gpu.upload(&[rule])?,
        })
    }

    /// Copies the canonical boards of a layer to lines.
    pub fn keep(
        &self,
        steps: &GpuSteps,
        layer: &GpuLayer,
        lines: &mut GpuBuffer<u64>,
    ) -> Result<(), GpuError> {
        let blocks = &layer.blocks;
        if blocks.rows == 0 {
            return Ok(());
        }
        // SAFETY: the blocks are those of the words, and the lines hold as many bits.
        #[allow(unsafe_code)]
        unsafe {
            self.kernels.keep(
                steps.gpu(),
                block_per_row(blocks, blocks.rows, false),
                steps.tables(),
                &layer.words,
                &blocks.list,
                blocks.number,
                lines,
            )
        }
    }

    /// Ranks the boards of lines, and returns the number of boards of each stretch.
    pub fn rank(
        &self,
        gpu: &Gpu,
        lines: &mut GpuBuffer<u64>,
        number: u64,
    ) -> Result<Vec<u64>, GpuError> {
        let stretches = number.div_ceil(LINES_OF_STRETCH) as u32;
        let mut counts = gpu.zeros(stretches as usize)?;
        // SAFETY: there are `number` lines, and an entry for each stretch of them.
        #[allow(unsafe_code)]
        unsafe {
            let shape = blocks(stretches);
            self.kernels.rank(gpu, shape, lines, number, &mut counts)?;
        }
        gpu.download(&counts)
    }

    /// Lists the positions of a set's boards.
    pub fn positions(
        &self,
        gpu: &Gpu,
        set: &Ranked,
        list: &mut GpuBuffer<u64>,
    ) -> Result<(), GpuError> {
        check_size(set.len as usize, list.len())?;
        let number = set.number_of_lines();
        if number == 0 {
            return Ok(());
        }
        // SAFETY: there are `number` lines, and the list has an entry for each board.
        #[allow(unsafe_code)]
        unsafe {
            let shape = blocks(number.div_ceil(256) as u32);
            self.kernels
                .positions(gpu, shape, &set.lines, number, &set.before, list)
        }
    }

    /// Computes the values of afterstates from the states one and two steps above.
    pub fn afterstate_values(
        &self,
        steps: &GpuSteps,
        after: &Ranked,
        above: [Option<Valued>; 2],
        values: &mut GpuBuffer<u64>,
    ) -> Result<(), GpuError> {
        let [twos, fours] = above;
        let sets = upload_sets(steps.gpu(), &[Some((after, &*values)), twos, fours])?;
        let shape = block_per_row(&after.blocks, after.blocks.rows, false);
        // SAFETY: the values have an entry for each board of the set.
        #[allow(unsafe_code)]
        unsafe {
            let (gpu, tables) = (steps.gpu(), steps.tables());
            self.kernels
                .afterstate_values(gpu, shape, tables, &self.rule, &sets, values)
        }
    }

    /// Computes the values of states from their afterstates. Returns how many are lost.
    pub fn state_values(
        &self,
        steps: &GpuSteps,
        states: &Ranked,
        after: Option<Valued>,
        values: &mut GpuBuffer<u64>,
    ) -> Result<u64, GpuError> {
        let sets = upload_sets(steps.gpu(), &[Some((states, &*values)), after])?;
        let mut lost = steps.gpu().zeros(TALLIES)?;
        let shape = block_per_row(&states.blocks, states.blocks.rows, false);
        // SAFETY: the values have an entry for each board of the set.
        #[allow(unsafe_code)]
        unsafe {
            let (gpu, tables) = (steps.gpu(), steps.tables());
            self.kernels
                .state_values(gpu, shape, tables, &self.rule, &sets, values, &mut lost)?;
        }
        Ok(steps.gpu().download(&lost)?.iter().sum())
    }

    /// Counts the bits of a layer.
    pub fn count_bits(&self, gpu: &Gpu, layer: &GpuLayer) -> Result<u64, GpuError> {
        let (words, mut tally) = (layer.len() as u64, gpu.zeros(1)?);
        if words > 0 {
            let shape = blocks(words.div_ceil(1024).clamp(1, 4096) as u32);
            // SAFETY: the layer has at least `words` words.
            #[allow(unsafe_code)]
            unsafe {
                self.kernels
                    .count_bits(gpu, shape, &layer.words, words, &mut tally)?;
            }
        }
        Ok(gpu.download(&tally)?[0])
    }

    /// Looks up the values at positions; `None` where the set has no board.
    pub fn lookup(
        &self,
        gpu: &Gpu,
        set: Valued,
        positions: &[u64],
        width: Width,
    ) -> Result<Vec<Option<u64>>, GpuError> {
        let sets = upload_sets(gpu, &[Some(set)])?;
        let number = positions.len() as u32;
        let list = gpu.upload(positions)?;
        let mut found = gpu.zeros::<u64>(positions.len())?;
        let mut there = gpu.zeros::<u32>(positions.len())?;
        // SAFETY: all three lists have `number` entries, and positions are below the layer's
        // size or none at all.
        #[allow(unsafe_code)]
        unsafe {
            let shape = threads(number);
            self.kernels
                .lookup(gpu, shape, &sets, &list, number, &mut found, &mut there)?;
        }
        let found = gpu.download(&found)?;
        let there = gpu.download(&there)?;
        let value = |i: usize| match width {
            Width::Bits64 => found[i],
            Width::Bits32 => bytemuck::cast_slice::<u64, u32>(&found)[i].into(),
        };
        let known = there.iter().enumerate();
        Ok(known
            .map(|(i, &there)| (there == 1).then(|| value(i)))
            .collect())
    }

    /// Counts the values that are sure wins, and those that are sure losses.
    pub fn tally_sure(
        &self,
        gpu: &Gpu,
        values: &GpuBuffer<u64>,
        number: u64,
    ) -> Result<[u64; 2], GpuError> {
        let mut tally = gpu.zeros::<u64>(2)?;
        let shape = blocks(number.div_ceil(256).clamp(1, 4096) as u32);
        // SAFETY: there are at least `number` values.
        #[allow(unsafe_code)]
        unsafe {
            self.kernels
                .tally_sure(gpu, shape, values, number, &mut tally)?;
        }
        let tally = gpu.download(&tally)?;
        Ok([tally[0], tally[1]])
    }
}

/// Uploads sets for kernels; a missing one has no blocks.
fn upload_sets(gpu: &Gpu, sets: &[Option<Valued>]) -> Result<GpuBuffer<GpuSet>, GpuError> {
    let entry = |set: &Option<Valued>| match set {
        Some((set, values)) => set.on_gpu(gpu, values),
        None => GpuSet::zeroed(),
    };
    gpu.upload(&sets.iter().map(entry).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use tilebase_gpu::check;

    use super::*;

    #[test]
    fn kernels_match_their_launches() {
        let kernels = ValueKernels::signatures();
        assert_eq!(check::signatures(SOURCE, &kernels), Ok(()));
        assert_eq!(check::structs::<Rule>(SOURCE), Ok(()));
        assert_eq!(check::structs::<GpuSet>(SOURCE), Ok(()));
    }

    #[test]
    fn kernels_compile() {
        for width in [Width::Bits64, Width::Bits32] {
            for chance in [false, true] {
                check::compiles(&source(width, chance)).unwrap();
            }
        }
    }
}
