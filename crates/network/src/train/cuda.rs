//! The learner on a GPU.

use std::sync::Arc;

use crate::STAGES;
use crate::patterns::WEIGHTS;
use bytemuck::Zeroable;
use cudarc::driver::{
    CudaFunction, CudaSlice, CudaStream, DriverError, LaunchConfig, PushKernelArg,
};
use cudarc::nvrtc::CompileOptions;
use tilebase_game::{Board, Move, Rules};

use crate::train::course::{Course, Learn};
use crate::train::game::Game;
use crate::train::state::{Errors, State};

const SOURCE: &str = include_str!("train.cu");
/// Threads that share a game, one for each image of the board.
const LANES: u32 = 8;
const BLOCK: u32 = 256;
/// Steps that may be under way before the host waits for them.
const AHEAD: u64 = 1000;

/// Words of eight bytes in a game and in a course.
const GAME_WORDS: usize = size_of::<Game>() / 8;
const COURSE_WORDS: usize = size_of::<Course>() / 8;

/// Learns on the first CUDA GPU, bit by bit as [`Learner`](crate::train::Learner) does.
pub struct CudaLearner {
    stream: Arc<CudaStream>,
    look: CudaFunction,
    correct: CudaFunction,
    /// As of the last visit, but for the steps; the rest is on the GPU.
    state: State,
    games: CudaSlice<u64>,
    weights: CudaSlice<f32>,
    errors: CudaSlice<f32>,
    step: CudaSlice<u64>,
    course: CudaSlice<u64>,
    left: CudaSlice<u16>,
    right: CudaSlice<u16>,
    gains: CudaSlice<u32>,
}

/// What went wrong, in one line.
fn told(doing: &'static str) -> impl Fn(DriverError) -> String {
    move |error| tilebase_gpu::told(doing)(error).to_string()
}

impl CudaLearner {
    /// A learner that goes on from here.
    pub fn new(rules: Rules, state: State) -> Result<CudaLearner, String> {
        let context = tilebase_gpu::open().map_err(|e| e.to_string())?;
        let options = CompileOptions {
            // The processor does not fuse, and both must give the same bits.
            fmad: Some(false),
            ..CompileOptions::default()
        };
        let module = tilebase_gpu::load(&context, SOURCE, options).map_err(|e| e.to_string())?;
        let function = |name: &str| {
            let loaded = module.load_function(name);
            loaded.map_err(told("loading the kernels"))
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
        let gain = |row: u16| rules.gain(Board::from_bits(u64::from(row) << 48), Move::Left);
        let gains: Vec<u32> = (0..=u16::MAX).map(gain).collect();
        let memory = told("taking the GPU's memory");
        Ok(CudaLearner {
            look: function("look")?,
            correct: function("correct")?,
            games: stream
                .clone_htod(bytemuck::cast_slice::<Game, u64>(&state.games))
                .map_err(&memory)?,
            weights: stream.clone_htod(state.weights.all()).map_err(&memory)?,
            errors: stream
                .clone_htod(bytemuck::cast_slice::<Errors, f32>(state.errors.all()))
                .map_err(&memory)?,
            step: stream.alloc_zeros(STAGES * WEIGHTS).map_err(&memory)?,
            course: stream.alloc_zeros(COURSE_WORDS).map_err(&memory)?,
            left: stream.clone_htod(&row(Move::Left)).map_err(&memory)?,
            right: stream.clone_htod(&row(Move::Right)).map_err(&memory)?,
            gains: stream.clone_htod(&gains).map_err(&memory)?,
            stream,
            state,
        })
    }

    fn launch(&mut self) -> Result<(), DriverError> {
        let number = self.state.plan.games;
        let (split, fixed) = (u32::from(self.state.split), self.state.rate());
        debug_assert_eq!(self.games.len(), number as usize * GAME_WORDS);
        let shape = LaunchConfig {
            grid_dim: ((number * LANES).div_ceil(BLOCK), 1, 1),
            block_dim: (BLOCK, 1, 1),
            shared_mem_bytes: 0,
        };
        // SAFETY: the arguments are those of `look` in train.cu, in its order; places are
        // below STAGES * WEIGHTS by construction, rows below 65,536, games checked
        // against their number.
        #[allow(unsafe_code)]
        unsafe {
            self.stream
                .launch_builder(&self.look)
                .arg(&mut self.games)
                .arg(&number)
                .arg(&self.weights)
                .arg(&mut self.step)
                .arg(&self.left)
                .arg(&self.right)
                .arg(&self.gains)
                .arg(&split)
                .launch(shape)?;
        }
        // SAFETY: as above, for `correct`; a weight is changed by the one thread that took
        // its errors.
        #[allow(unsafe_code)]
        unsafe {
            self.stream
                .launch_builder(&self.correct)
                .arg(&mut self.games)
                .arg(&number)
                .arg(&mut self.weights)
                .arg(&mut self.errors)
                .arg(&mut self.step)
                .arg(&mut self.course)
                .arg(&split)
                .arg(&fixed)
                .launch(shape)?;
        }
        Ok(())
    }
}

impl Learn for CudaLearner {
    fn step(&mut self, steps: u64) -> Result<(), String> {
        for step in 1..=steps {
            self.launch().map_err(told("learning on the GPU"))?;
            if step % AHEAD == 0 || step == steps {
                let done = self.stream.synchronize();
                done.map_err(told("learning on the GPU"))?;
            }
        }
        self.state.steps += steps;
        Ok(())
    }

    fn visit(&mut self, visitor: &mut dyn FnMut(&mut State)) -> Result<(), String> {
        let from = told("reading from the GPU");
        let to = told("writing to the GPU");
        let (stream, state) = (&self.stream, &mut self.state);
        let games = bytemuck::cast_slice_mut::<Game, u64>(&mut state.games);
        stream.memcpy_dtoh(&self.games, games).map_err(&from)?;
        let weights = state.weights.all_mut();
        stream.memcpy_dtoh(&self.weights, weights).map_err(&from)?;
        let errors = bytemuck::cast_slice_mut::<Errors, f32>(state.errors.all_mut());
        stream.memcpy_dtoh(&self.errors, errors).map_err(&from)?;
        stream.synchronize().map_err(&from)?;
        visitor(state);
        let games = bytemuck::cast_slice::<Game, u64>(&state.games);
        stream.memcpy_htod(games, &mut self.games).map_err(&to)?;
        let weights = state.weights.all();
        stream
            .memcpy_htod(weights, &mut self.weights)
            .map_err(&to)?;
        let errors = bytemuck::cast_slice::<Errors, f32>(state.errors.all());
        stream.memcpy_htod(errors, &mut self.errors).map_err(&to)?;
        stream.synchronize().map_err(&to)
    }

    fn course(&mut self) -> Result<Course, String> {
        let error = told("reading from the GPU");
        let words = self.stream.clone_dtoh(&self.course).map_err(&error)?;
        self.stream.memset_zeros(&mut self.course).map_err(&error)?;
        let mut course = Course::zeroed();
        bytemuck::cast_slice_mut(std::slice::from_mut(&mut course)).copy_from_slice(&words);
        Ok(course)
    }
}
