//! Training on a GPU.

use bytemuck::Zeroable;
use tilebase_game::{Board, Move, Rules};
use tilebase_gpu::{Gpu, GpuBuffer, GpuError, KernelSource, blocks};

use crate::STAGES;
use crate::patterns::WEIGHTS;
use crate::train::Trainer;
use crate::train::error::TrainError;
use crate::train::game::Game;
use crate::train::state::{Coherence, TrainingState};
use crate::train::stats::EpisodeStats;

tilebase_gpu::cuda_struct! {
    Game = "Game" { board, before, chosen, rng, moves, score, reward, unused }
}
tilebase_gpu::cuda_struct! { EpisodeStats = "EpisodeStats" { games, score, moves, largest } }

tilebase_gpu::kernels! {
    /// The kernels of train.cu.
    struct TrainKernels {
        /// Chooses a move in every game, and adds up the TD errors of the weights.
        fn choose(
            games: &mut GpuBuffer<Game>,
            number: u32,
            weights: &GpuBuffer<f32>,
            errors: &mut GpuBuffer<u64>,
            left: &GpuBuffer<u16>,
            right: &GpuBuffer<u16>,
            scores: &GpuBuffer<u32>,
            staged: u32,
        );

        /// Updates the weights by their errors, and plays the chosen moves.
        fn update(
            games: &mut GpuBuffer<Game>,
            number: u32,
            weights: &mut GpuBuffer<f32>,
            coherence: &mut GpuBuffer<f32> as "float2 *",
            errors: &mut GpuBuffer<u64>,
            stats: &mut GpuBuffer<EpisodeStats>,
            staged: u32,
            fixed: f32,
        );
    }
}

const SOURCE: &str = include_str!("train.cu");
/// Threads that share a game, one for each image of the board.
const LANES: u32 = 8;
/// Threads of a block.
const BLOCK: u32 = 256;
/// Steps queued on the GPU before the host waits for them.
const AHEAD: u64 = 1000;

fn source() -> KernelSource {
    KernelSource::new(SOURCE)
        .sharing::<Game>()
        .sharing::<EpisodeStats>()
        // The CPU does not fuse multiply-add, and both must give the same bits.
        .exact()
}

/// Trains on the first CUDA GPU, bit by bit as [`CpuTrainer`](crate::train::CpuTrainer) does.
pub struct GpuTrainer {
    gpu: Gpu,
    kernels: TrainKernels,
    /// Copied at the last visit, except for the steps; the current state is on the GPU.
    state: TrainingState,
    games: GpuBuffer<Game>,
    weights: GpuBuffer<f32>,
    coherence: GpuBuffer<f32>,
    errors: GpuBuffer<u64>,
    stats: GpuBuffer<EpisodeStats>,
    left: GpuBuffer<u16>,
    right: GpuBuffer<u16>,
    scores: GpuBuffer<u32>,
}

impl GpuTrainer {
    /// A trainer that continues from this state.
    pub fn new(rules: Rules, state: TrainingState) -> Result<GpuTrainer, TrainError> {
        let gpu = Gpu::open()?;
        let kernels = TrainKernels::load(&gpu, &source())?;
        let board = |row: u16| Board::from_bits(u64::from(row) << 48);
        let rows = |m: Move| -> Vec<u16> {
            let slide = |row: u16| rules.slide(board(row), m).row(0);
            (0..=u16::MAX).map(slide).collect()
        };
        let score = |row: u16| rules.score(board(row), Move::Left);
        let scores: Vec<u32> = (0..=u16::MAX).map(score).collect();
        let coherence = bytemuck::cast_slice::<Coherence, f32>(state.coherence.all());
        Ok(GpuTrainer {
            games: gpu.upload(&state.games)?,
            weights: gpu.upload(state.weights.all())?,
            coherence: gpu.upload(coherence)?,
            errors: gpu.zeros(STAGES * WEIGHTS)?,
            stats: gpu.upload(&[EpisodeStats::zeroed()])?,
            left: gpu.upload(&rows(Move::Left))?,
            right: gpu.upload(&rows(Move::Right))?,
            scores: gpu.upload(&scores)?,
            kernels,
            gpu,
            state,
        })
    }

    /// Queues one step.
    fn launch(&mut self) -> Result<(), GpuError> {
        let number = self.state.config.games;
        let (staged, fixed) = (u32::from(self.state.staged), self.state.learning_rate());
        debug_assert_eq!(self.games.len(), number as usize);
        let shape = blocks((number * LANES).div_ceil(BLOCK));
        // SAFETY: there are `number` games; indices of weights are below STAGES * WEIGHTS by
        // construction, and rows below 65,536.
        #[allow(unsafe_code)]
        unsafe {
            self.kernels.choose(
                &self.gpu,
                shape,
                &mut self.games,
                number,
                &self.weights,
                &mut self.errors,
                &self.left,
                &self.right,
                &self.scores,
                staged,
            )?;
        }
        // SAFETY: as above; a weight is changed only by the thread that took its errors.
        #[allow(unsafe_code)]
        unsafe {
            self.kernels.update(
                &self.gpu,
                shape,
                &mut self.games,
                number,
                &mut self.weights,
                &mut self.coherence,
                &mut self.errors,
                &mut self.stats,
                staged,
                fixed,
            )
        }
    }

    /// Waits until all queued work is done.
    fn wait(&self, doing: &'static str) -> Result<(), GpuError> {
        let done = self.gpu.stream().synchronize();
        done.map_err(GpuError::driver(doing))
    }

    /// Copies the state from the GPU.
    fn read(&mut self) -> Result<(), GpuError> {
        const READING: &str = "reading from the GPU";
        let error = GpuError::driver(READING);
        let (stream, state) = (self.gpu.stream(), &mut self.state);
        let coherence = bytemuck::cast_slice_mut::<Coherence, f32>(state.coherence.all_mut());
        stream
            .memcpy_dtoh(&self.games, &mut state.games[..])
            .and_then(|()| stream.memcpy_dtoh(&self.weights, state.weights.all_mut()))
            .and_then(|()| stream.memcpy_dtoh(&self.coherence, coherence))
            .map_err(&error)?;
        self.wait(READING)
    }

    /// Copies the state to the GPU.
    fn write(&mut self) -> Result<(), GpuError> {
        const WRITING: &str = "writing to the GPU";
        let error = GpuError::driver(WRITING);
        let (stream, state) = (self.gpu.stream(), &self.state);
        let coherence = bytemuck::cast_slice::<Coherence, f32>(state.coherence.all());
        stream
            .memcpy_htod(&state.games[..], &mut self.games)
            .and_then(|()| stream.memcpy_htod(state.weights.all(), &mut self.weights))
            .and_then(|()| stream.memcpy_htod(coherence, &mut self.coherence))
            .map_err(&error)?;
        self.wait(WRITING)
    }
}

impl Trainer for GpuTrainer {
    fn step(&mut self, steps: u64) -> Result<(), TrainError> {
        for step in 1..=steps {
            self.launch()?;
            if step % AHEAD == 0 || step == steps {
                self.wait("training on the GPU")?;
            }
        }
        self.state.steps += steps;
        Ok(())
    }

    fn visit_state(
        &mut self,
        visitor: &mut dyn FnMut(&mut TrainingState),
    ) -> Result<(), TrainError> {
        self.read()?;
        visitor(&mut self.state);
        Ok(self.write()?)
    }

    fn take_stats(&mut self) -> Result<EpisodeStats, TrainError> {
        let stats = self.gpu.download(&self.stats)?;
        self.stats = self.gpu.upload(&[EpisodeStats::zeroed()])?;
        Ok(stats[0])
    }
}

#[cfg(test)]
mod tests {
    use tilebase_gpu::check;

    use super::*;

    #[test]
    fn kernels_match_their_launches() {
        let kernels = TrainKernels::signatures();
        assert_eq!(check::signatures(SOURCE, &kernels), Ok(()));
        assert_eq!(check::structs::<Game>(SOURCE), Ok(()));
        assert_eq!(check::structs::<EpisodeStats>(SOURCE), Ok(()));
    }

    #[test]
    fn kernels_compile() {
        check::compiles(&source()).unwrap();
    }
}
