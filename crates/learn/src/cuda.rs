//! The learner on a graphics card.

use std::sync::Arc;

use bytemuck::Zeroable;
use cudarc::driver::{
    CudaContext, CudaFunction, CudaSlice, CudaStream, LaunchConfig, PushKernelArg, sys,
};
use cudarc::nvrtc::{self, CompileOptions};
use tilebase_expectimax::patterns::{STAGE, STAGES};
use tilebase_game::{Board, Move, Rules};

use crate::course::{Course, Learn, Plan};
use crate::game::Game;
use crate::learner::known;

const SOURCE: &str = include_str!("learn.cu");
/// Threads that share a game, one for each image of the board.
const LANES: u32 = 8;
const BLOCK: u32 = 256;
/// Steps that may be under way before the host waits for them.
const AHEAD: u64 = 1000;

/// Words of eight bytes in a game and in a course.
const GAME_WORDS: usize = size_of::<Game>() / 8;
const COURSE_WORDS: usize = size_of::<Course>() / 8;

/// Learns on the first CUDA card, bit by bit as [`Learner`](crate::Learner) does.
pub struct CudaLearner {
    stream: Arc<CudaStream>,
    look: CudaFunction,
    correct: CudaFunction,
    number: u32,
    /// 1 once boards with a large tile have weights of their own.
    split: u32,
    plan: Plan,
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
fn told(doing: &str) -> impl Fn(&dyn std::fmt::Debug) -> String {
    move |error| format!("{doing}: {error:?}")
}

impl CudaLearner {
    /// A learner that knows nothing.
    pub fn new(rules: Rules, plan: Plan) -> Result<CudaLearner, String> {
        // SAFETY: only looks whether the libraries can be opened.
        #[allow(unsafe_code)]
        let (driver, compiler) =
            unsafe { (sys::is_culib_present(), nvrtc::sys::is_culib_present()) };
        if !driver {
            return Err("there is no CUDA driver here: use --device cpu".to_owned());
        }
        if !compiler {
            return Err("the CUDA compiler library NVRTC is not here: install the CUDA toolkit, or use --device cpu".to_owned());
        }
        let context = CudaContext::new(0).map_err(|e| told("opening the card")(&e))?;
        let options = CompileOptions {
            // The processor does not fuse, and both must give the same bits.
            fmad: Some(false),
            ..CompileOptions::default()
        };
        let ptx = nvrtc::compile_ptx_with_opts(SOURCE, options)
            .map_err(|e| told("compiling the kernels")(&e))?;
        let module = context
            .load_module(ptx)
            .map_err(|e| told("loading the kernels")(&e))?;
        let function = |name: &str| {
            let loaded = module.load_function(name);
            loaded.map_err(|e| told("loading the kernels")(&e))
        };
        let stream = context.default_stream();
        let first: Vec<Game> = (0..u64::from(plan.games))
            .map(|place| Game::new(&rules, plan.seed, place))
            .collect();
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
        let zeros = STAGES * STAGE;
        let memory = |e: cudarc::driver::DriverError| told("taking the card's memory")(&e);
        Ok(CudaLearner {
            look: function("look")?,
            correct: function("correct")?,
            number: plan.games,
            split: 0,
            plan,
            games: stream
                .clone_htod(bytemuck::cast_slice::<Game, u64>(&first))
                .map_err(memory)?,
            weights: stream
                .clone_htod(&vec![plan.first_weight(); zeros])
                .map_err(memory)?,
            errors: stream.alloc_zeros(2 * zeros).map_err(memory)?,
            step: stream.alloc_zeros(zeros).map_err(memory)?,
            course: stream.alloc_zeros(COURSE_WORDS).map_err(memory)?,
            left: stream.clone_htod(&row(Move::Left)).map_err(memory)?,
            right: stream.clone_htod(&row(Move::Right)).map_err(memory)?,
            gains: stream.clone_htod(&gains).map_err(memory)?,
            stream,
        })
    }

    fn launch(&mut self) -> Result<(), cudarc::driver::DriverError> {
        debug_assert_eq!(self.games.len(), self.number as usize * GAME_WORDS);
        let shape = LaunchConfig {
            grid_dim: ((self.number * LANES).div_ceil(BLOCK), 1, 1),
            block_dim: (BLOCK, 1, 1),
            shared_mem_bytes: 0,
        };
        // SAFETY: the arguments are those of `look` in learn.cu, in its order; places are
        // below STAGES * STAGE by construction, rows below 65,536, games checked
        // against their number.
        #[allow(unsafe_code)]
        unsafe {
            self.stream
                .launch_builder(&self.look)
                .arg(&mut self.games)
                .arg(&self.number)
                .arg(&self.weights)
                .arg(&mut self.step)
                .arg(&self.left)
                .arg(&self.right)
                .arg(&self.gains)
                .arg(&self.split)
                .launch(shape)?;
        }
        // SAFETY: as above, for `correct`; a weight is changed by the one thread that took
        // its errors.
        #[allow(unsafe_code)]
        unsafe {
            self.stream
                .launch_builder(&self.correct)
                .arg(&mut self.games)
                .arg(&self.number)
                .arg(&mut self.weights)
                .arg(&mut self.errors)
                .arg(&mut self.step)
                .arg(&mut self.course)
                .arg(&self.split)
                .launch(shape)?;
        }
        Ok(())
    }
}

impl Learn for CudaLearner {
    fn step(&mut self, steps: u64) -> Result<(), String> {
        for step in 1..=steps {
            self.launch()
                .map_err(|e| told("learning on the card")(&e))?;
            if step % AHEAD == 0 || step == steps {
                let done = self.stream.synchronize();
                done.map_err(|e| told("learning on the card")(&e))?;
            }
        }
        Ok(())
    }

    fn split(&mut self) -> Result<(), String> {
        let error = |e: cudarc::driver::DriverError| told("splitting the weights")(&e);
        let (own, mut others) = self.weights.split_at_mut(STAGE);
        self.stream.memcpy_dtod(&own, &mut others).map_err(error)?;
        self.split = 1;
        Ok(())
    }

    fn take(&mut self, weights: &[f32]) -> Result<(), String> {
        let error = |e: cudarc::driver::DriverError| told("writing to the card")(&e);
        let taken = weights.iter().map(|&weight| self.plan.taken(weight));
        let weights: Vec<f32> = taken.clone().map(|(weight, _)| weight).collect();
        let errors: Vec<f32> = taken.flat_map(|(_, errors)| errors).collect();
        self.stream
            .memcpy_htod(&weights, &mut self.weights)
            .map_err(error)?;
        self.stream
            .memcpy_htod(&errors, &mut self.errors)
            .map_err(error)?;
        self.split = 1;
        Ok(())
    }

    fn course(&mut self) -> Result<Course, String> {
        let error = |e: cudarc::driver::DriverError| told("reading from the card")(&e);
        let words = self.stream.clone_dtoh(&self.course).map_err(error)?;
        self.stream.memset_zeros(&mut self.course).map_err(error)?;
        let mut course = Course::zeroed();
        bytemuck::cast_slice_mut(std::slice::from_mut(&mut course)).copy_from_slice(&words);
        Ok(course)
    }

    fn weights(&mut self) -> Result<(Vec<f32>, Vec<f32>), String> {
        let error = |e: cudarc::driver::DriverError| told("reading from the card")(&e);
        let weights = self.stream.clone_dtoh(&self.weights).map_err(error)?;
        let errors = self.stream.clone_dtoh(&self.errors).map_err(error)?;
        let sizes: Vec<f32> = errors.chunks_exact(2).map(|errors| errors[1]).collect();
        let weights = weights.iter().zip(&sizes).map(|(&w, &size)| known(w, size));
        Ok((weights.collect(), sizes))
    }
}
