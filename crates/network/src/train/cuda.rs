//! Training on a GPU.

use std::sync::Arc;

use crate::STAGES;
use crate::patterns::WEIGHTS;
use bytemuck::Zeroable;
use cudarc::driver::{
    CudaFunction, CudaSlice, CudaStream, DriverError, LaunchConfig, PushKernelArg,
};
use cudarc::nvrtc::CompileOptions;
use tilebase_game::{Board, Move, Rules};

use crate::train::Trainer;
use crate::train::error::TrainError;
use crate::train::game::Game;
use crate::train::state::{Coherence, TrainingState};
use crate::train::stats::EpisodeStats;

const SOURCE: &str = include_str!("train.cu");
/// Threads that share a game, one for each image of the board.
const LANES: u32 = 8;
const BLOCK: u32 = 256;
/// Steps queued on the GPU before the host waits for them.
const AHEAD: u64 = 1000;

/// Words of eight bytes in a game and in the statistics.
const GAME_WORDS: usize = size_of::<Game>() / 8;
const STATS_WORDS: usize = size_of::<EpisodeStats>() / 8;

/// Trains on the first CUDA GPU, bit by bit as [`CpuTrainer`](crate::train::CpuTrainer) does.
pub struct GpuTrainer {
    stream: Arc<CudaStream>,
    choose: CudaFunction,
    update: CudaFunction,
    /// Copied at the last visit, except for the steps; the current state is on the GPU.
    state: TrainingState,
    games: CudaSlice<u64>,
    weights: CudaSlice<f32>,
    coherence: CudaSlice<f32>,
    errors: CudaSlice<u64>,
    stats: CudaSlice<u64>,
    left: CudaSlice<u16>,
    right: CudaSlice<u16>,
    scores: CudaSlice<u32>,
}

/// The error of a driver call that was doing something.
fn failed(doing: &'static str) -> impl Fn(DriverError) -> TrainError {
    move |error| TrainError::Gpu(tilebase_gpu::told(doing)(error))
}

impl GpuTrainer {
    /// A trainer that continues from this state.
    pub fn new(rules: Rules, state: TrainingState) -> Result<GpuTrainer, TrainError> {
        let context = tilebase_gpu::open()?;
        let options = CompileOptions {
            // The CPU does not fuse multiply-add, and both must give the same bits.
            fmad: Some(false),
            ..CompileOptions::default()
        };
        let module = tilebase_gpu::load(&context, SOURCE, options)?;
        let function = |name: &str| {
            let loaded = module.load_function(name);
            loaded.map_err(failed("loading the kernels"))
        };
        let stream = context.default_stream();
        let row = |m: Move| -> Vec<u16> {
            let slide = |row: u16| {
                rules
                    .slide(Board::from_bits(u64::from(row) << 48), m)
                    .row(0)
            };
            (0..=u16::MAX).map(slide).collect()
        };
        let score = |row: u16| rules.gain(Board::from_bits(u64::from(row) << 48), Move::Left);
        let scores: Vec<u32> = (0..=u16::MAX).map(score).collect();
        let memory = failed("allocating GPU memory");
        Ok(GpuTrainer {
            choose: function("choose")?,
            update: function("update")?,
            games: stream
                .clone_htod(bytemuck::cast_slice::<Game, u64>(&state.games))
                .map_err(&memory)?,
            weights: stream.clone_htod(state.weights.all()).map_err(&memory)?,
            coherence: stream
                .clone_htod(bytemuck::cast_slice::<Coherence, f32>(
                    state.coherence.all(),
                ))
                .map_err(&memory)?,
            errors: stream.alloc_zeros(STAGES * WEIGHTS).map_err(&memory)?,
            stats: stream.alloc_zeros(STATS_WORDS).map_err(&memory)?,
            left: stream.clone_htod(&row(Move::Left)).map_err(&memory)?,
            right: stream.clone_htod(&row(Move::Right)).map_err(&memory)?,
            scores: stream.clone_htod(&scores).map_err(&memory)?,
            stream,
            state,
        })
    }

    fn launch(&mut self) -> Result<(), DriverError> {
        let number = self.state.config.games;
        let (staged, fixed) = (u32::from(self.state.staged), self.state.learning_rate());
        debug_assert_eq!(self.games.len(), number as usize * GAME_WORDS);
        let shape = LaunchConfig {
            grid_dim: ((number * LANES).div_ceil(BLOCK), 1, 1),
            block_dim: (BLOCK, 1, 1),
            shared_mem_bytes: 0,
        };
        // SAFETY: the arguments are those of `choose` in train.cu, in its order; indices are
        // below STAGES * WEIGHTS by construction, rows below 65,536, games checked
        // against their number.
        #[allow(unsafe_code)]
        unsafe {
            self.stream
                .launch_builder(&self.choose)
                .arg(&mut self.games)
                .arg(&number)
                .arg(&self.weights)
                .arg(&mut self.errors)
                .arg(&self.left)
                .arg(&self.right)
                .arg(&self.scores)
                .arg(&staged)
                .launch(shape)?;
        }
        // SAFETY: as above, for `update`; a weight is changed only by the thread that took
        // its errors.
        #[allow(unsafe_code)]
        unsafe {
            self.stream
                .launch_builder(&self.update)
                .arg(&mut self.games)
                .arg(&number)
                .arg(&mut self.weights)
                .arg(&mut self.coherence)
                .arg(&mut self.errors)
                .arg(&mut self.stats)
                .arg(&staged)
                .arg(&fixed)
                .launch(shape)?;
        }
        Ok(())
    }
}

impl Trainer for GpuTrainer {
    fn step(&mut self, steps: u64) -> Result<(), TrainError> {
        for step in 1..=steps {
            self.launch().map_err(failed("training on the GPU"))?;
            if step % AHEAD == 0 || step == steps {
                let done = self.stream.synchronize();
                done.map_err(failed("training on the GPU"))?;
            }
        }
        self.state.steps += steps;
        Ok(())
    }

    fn visit_state(
        &mut self,
        visitor: &mut dyn FnMut(&mut TrainingState),
    ) -> Result<(), TrainError> {
        let from = failed("reading from the GPU");
        let to = failed("writing to the GPU");
        let (stream, state) = (&self.stream, &mut self.state);
        let games = bytemuck::cast_slice_mut::<Game, u64>(&mut state.games);
        stream.memcpy_dtoh(&self.games, games).map_err(&from)?;
        let weights = state.weights.all_mut();
        stream.memcpy_dtoh(&self.weights, weights).map_err(&from)?;
        let coherence = bytemuck::cast_slice_mut::<Coherence, f32>(state.coherence.all_mut());
        stream
            .memcpy_dtoh(&self.coherence, coherence)
            .map_err(&from)?;
        stream.synchronize().map_err(&from)?;
        visitor(state);
        let games = bytemuck::cast_slice::<Game, u64>(&state.games);
        stream.memcpy_htod(games, &mut self.games).map_err(&to)?;
        let weights = state.weights.all();
        stream
            .memcpy_htod(weights, &mut self.weights)
            .map_err(&to)?;
        let coherence = bytemuck::cast_slice::<Coherence, f32>(state.coherence.all());
        stream
            .memcpy_htod(coherence, &mut self.coherence)
            .map_err(&to)?;
        stream.synchronize().map_err(&to)
    }

    fn take_stats(&mut self) -> Result<EpisodeStats, TrainError> {
        let error = failed("reading from the GPU");
        let words = self.stream.clone_dtoh(&self.stats).map_err(&error)?;
        self.stream.memset_zeros(&mut self.stats).map_err(&error)?;
        let mut stats = EpisodeStats::zeroed();
        bytemuck::cast_slice_mut(std::slice::from_mut(&mut stats)).copy_from_slice(&words);
        Ok(stats)
    }
}
