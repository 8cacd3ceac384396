//! The kernels of the backward pass, and launching them.

use cudarc::driver::{CudaFunction, CudaSlice, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::CompileOptions;
use tilebase_count::{GROUND, GpuLayer, GpuSteps, for_rows};
use tilebase_game::{Objective, Reward, ValueKind};
use tilebase_gpu::{load, told};

use crate::error::SolveError;

use super::Width;
use super::ranked::{LINES_OF_STRETCH, Ranked};

const SOURCE: &str = include_str!("values.cu");

/// The kernels, compiled for an objective and a width of worths.
pub(super) struct Kernels {
    keep: CudaFunction,
    rank: CudaFunction,
    after_worths: CudaFunction,
    state_worths: CudaFunction,
    look_up: CudaFunction,
    tally_sure: CudaFunction,
    /// How worths come about: as `Rule` in values.cu.
    rule: CudaSlice<u64>,
}

impl Kernels {
    pub fn new(
        steps: &GpuSteps,
        objective: Objective,
        width: Width,
        [two, four]: [f64; 2],
    ) -> Result<Kernels, SolveError> {
        let chance = u32::from(objective.value_kind() == ValueKind::WinProbability);
        let defines = format!(
            "#define WIDTH {}\n#define CHANCE {chance}\n",
            8 * width.bytes()
        );
        let options = CompileOptions {
            // The processor rounds after every product, and so does the GPU.
            fmad: Some(false),
            ..CompileOptions::default()
        };
        let source = [&defines, GROUND, SOURCE].concat();
        let module = load(steps.stream().context(), &source, options).map_err(failed)?;
        let function = |name: &str| {
            let function = module.load_function(name);
            function.map_err(|error| failed(told("loading the kernels")(error)))
        };
        let won = objective.descriptor().win_reward;
        let step = f64::from(u8::from(objective.reward() == Reward::Move));
        let numbers = [two, four, objective.discount(), won, step].map(f64::to_bits);
        let score = u64::from(objective.reward() == Reward::Score);
        let rule: Vec<u64> = numbers.into_iter().chain([score]).collect();
        let rule = steps.stream().clone_htod(&rule);
        Ok(Kernels {
            keep: function("keep")?,
            rank: function("rank")?,
            after_worths: function("after_worths")?,
            state_worths: function("state_worths")?,
            look_up: function("look_up")?,
            tally_sure: function("tally_sure")?,
            rule: rule.map_err(|error| failed(told("writing to the GPU")(error)))?,
        })
    }

    /// Takes the canonical boards of a layer over into lines; of states those that are not
    /// lost.
    pub fn keep(
        &self,
        steps: &GpuSteps,
        layer: &GpuLayer,
        live: bool,
        lines: &mut CudaSlice<u64>,
    ) -> Result<(), SolveError> {
        let (live, blocks) = (u32::from(live), &layer.blocks);
        if blocks.rows == 0 {
            return Ok(());
        }
        let mut launch = steps.stream().launch_builder(&self.keep);
        launch.arg(steps.tables()).arg(&layer.words);
        launch.arg(&blocks.list).arg(&blocks.number);
        launch.arg(&live).arg(lines);
        // SAFETY: the arguments are those of `keep` in values.cu, in its order, and the lines
        // have room for the layer's words.
        #[allow(unsafe_code)]
        let launched = unsafe { launch.launch(for_rows(blocks.rows, blocks.longest, false)) };
        launched.map_err(|error| failed(told("ranking on the GPU")(error)))?;
        Ok(())
    }

    /// Ranks the boards of lines; tells how many boards each stretch has.
    pub fn rank(
        &self,
        steps: &GpuSteps,
        lines: &mut CudaSlice<u64>,
        number: u64,
    ) -> Result<Vec<u64>, SolveError> {
        let error = |error| failed(told("ranking on the GPU")(error));
        let stretches = number.div_ceil(LINES_OF_STRETCH) as u32;
        let stream = steps.stream();
        let mut counts = stream.alloc_zeros(stretches as usize).map_err(error)?;
        let mut launch = stream.launch_builder(&self.rank);
        launch.arg(lines).arg(&number).arg(&mut counts);
        let shape = LaunchConfig {
            grid_dim: (stretches, 1, 1),
            block_dim: (256, 1, 1),
            shared_mem_bytes: 0,
        };
        // SAFETY: the arguments are those of `rank` in values.cu, in its order.
        #[allow(unsafe_code)]
        unsafe { launch.launch(shape) }.map_err(error)?;
        stream.clone_dtoh(&counts).map_err(error)
    }

    /// What afterstates are worth, by the states one and two steps above.
    pub fn after_worths(
        &self,
        steps: &GpuSteps,
        after: &Ranked,
        above: [Option<(&Ranked, &CudaSlice<u64>)>; 2],
        worths: &mut CudaSlice<u64>,
    ) -> Result<(), SolveError> {
        let [twos, fours] = above;
        let sets = [Some((after, &*worths)), twos, fours];
        let sets = list(steps, &sets)?;
        self.worths(&self.after_worths, steps, after, &sets, worths)
    }

    /// What states are worth, by their afterstates.
    pub fn state_worths(
        &self,
        steps: &GpuSteps,
        states: &Ranked,
        after: Option<(&Ranked, &CudaSlice<u64>)>,
        worths: &mut CudaSlice<u64>,
    ) -> Result<(), SolveError> {
        let sets = list(steps, &[Some((states, &*worths)), after])?;
        self.worths(&self.state_worths, steps, states, &sets, worths)
    }

    fn worths(
        &self,
        kernel: &CudaFunction,
        steps: &GpuSteps,
        set: &Ranked,
        sets: &CudaSlice<u64>,
        worths: &mut CudaSlice<u64>,
    ) -> Result<(), SolveError> {
        let mut launch = steps.stream().launch_builder(kernel);
        launch.arg(steps.tables()).arg(&self.rule);
        launch.arg(sets).arg(worths);
        let blocks = &set.blocks;
        // SAFETY: the arguments are those of `after_worths` and `state_worths` in values.cu; the
        // worths have room for the set's boards.
        #[allow(unsafe_code)]
        let launched = unsafe { launch.launch(for_rows(blocks.rows, blocks.longest, false)) };
        launched.map_err(|error| failed(told("working backward on the GPU")(error)))?;
        Ok(())
    }

    /// The worths at positions, as far as there are boards.
    pub fn look_up(
        &self,
        steps: &GpuSteps,
        set: (&Ranked, &CudaSlice<u64>),
        positions: &[u64],
        width: Width,
    ) -> Result<Vec<Option<u64>>, SolveError> {
        let error = |error| failed(told("looking up on the GPU")(error));
        let stream = steps.stream();
        let sets = list(steps, &[Some(set)])?;
        let number = positions.len() as u32;
        let list = stream.clone_htod(positions).map_err(error)?;
        let mut found = stream.alloc_zeros::<u64>(positions.len()).map_err(error)?;
        let mut there = stream.alloc_zeros::<u32>(positions.len()).map_err(error)?;
        let mut launch = stream.launch_builder(&self.look_up);
        launch.arg(&sets).arg(&list).arg(&number);
        launch.arg(&mut found).arg(&mut there);
        // SAFETY: the arguments are those of `look_up` in values.cu, in its order.
        #[allow(unsafe_code)]
        unsafe { launch.launch(LaunchConfig::for_num_elems(number)) }.map_err(error)?;
        let found = stream.clone_dtoh(&found).map_err(error)?;
        let there = stream.clone_dtoh(&there).map_err(error)?;
        let worth = |i: usize| match width {
            Width::Bits64 => found[i],
            Width::Bits32 => bytemuck::cast_slice::<u64, u32>(&found)[i].into(),
        };
        let known = there.iter().enumerate();
        Ok(known
            .map(|(i, &there)| (there == 1).then(|| worth(i)))
            .collect())
    }

    /// How many worths are sure wins, and how many sure losses.
    pub fn tally_sure(
        &self,
        steps: &GpuSteps,
        worths: &CudaSlice<u64>,
        number: u64,
    ) -> Result<[u64; 2], SolveError> {
        let error = |error| failed(told("counting on the GPU")(error));
        let stream = steps.stream();
        let mut tally = stream.alloc_zeros::<u64>(2).map_err(error)?;
        let mut launch = stream.launch_builder(&self.tally_sure);
        launch.arg(worths).arg(&number).arg(&mut tally);
        let shape = LaunchConfig {
            grid_dim: (number.div_ceil(256).clamp(1, 4096) as u32, 1, 1),
            block_dim: (256, 1, 1),
            shared_mem_bytes: 0,
        };
        // SAFETY: the arguments are those of `tally_sure` in values.cu, in its order.
        #[allow(unsafe_code)]
        unsafe { launch.launch(shape) }.map_err(error)?;
        let tally = stream.clone_dtoh(&tally).map_err(error)?;
        Ok([tally[0], tally[1]])
    }
}

/// Sets as kernels know them: as `Set` in values.cu, one after the other.
fn list(
    steps: &GpuSteps,
    sets: &[Option<(&Ranked, &CudaSlice<u64>)>],
) -> Result<CudaSlice<u64>, SolveError> {
    let entry = |set: &Option<(&Ranked, &CudaSlice<u64>)>| match set {
        Some((set, worths)) => set.entry(steps, worths),
        None => [0; 6],
    };
    let list: Vec<u64> = sets.iter().flat_map(entry).collect();
    let list = steps.stream().clone_htod(&list);
    list.map_err(|error| failed(told("writing to the GPU")(error)))
}

/// The GPU failed.
pub(super) fn failed(error: tilebase_gpu::GpuError) -> SolveError {
    SolveError::Count(error.into())
}
