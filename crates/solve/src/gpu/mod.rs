//! Solving on a GPU.
//!
//! The steps from layer to layer are those of counting, the arithmetic is that of the
//! processor's backward pass. Layers that do not fit anywhere are made again from checkpoints
//! (see [`Checkpoints`](crate::Checkpoints)), so nothing is written to disk: what comes out is what the start and the
//! positions asked for are worth.

mod descent;
mod kernels;
mod queries;
mod ranked;
mod sizes;
mod slots;

use std::collections::BTreeMap;
use std::time::Instant;

use bytemuck::Pod;
use tilebase_count::{CountError, CountPlan};
use tilebase_game::{Board, Move, Representative, Rules, Variant};
use tilebase_gpu::{Gpu, GpuError, GpuMemory, GpuSteps};
use tilebase_table::{Objective, Start, StoredValue, Value, ValueKind, with_value_type};
use tilebase_util::Device;
use tilebase_util::progress::{Progress, Unit};

use crate::checkpoints::carry_out;
use crate::error::SolveError;
use crate::plan::precision;

use descent::{Descent, Pool};
use kernels::Kernels;
use queries::{Queries, Query};
pub use sizes::{GpuEstimate, estimate_on_gpu};
use sizes::{Sizes, fit, sum};

/// Bits of a worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// As the processor has them, bit by bit.
    Bits64,
    /// Half of the memory, and half of the digits.
    Bits32,
}

impl Width {
    /// Bytes of a worth.
    pub fn bytes(self) -> u64 {
        match self {
            Width::Bits64 => 8,
            Width::Bits32 => 4,
        }
    }

    /// The relative error of values after so many layers.
    fn bound(self, variant: &Variant, objective: Objective, layers: usize) -> f64 {
        let (bound, _) = precision(variant.shape(), layers);
        // Sums are made with 64 bits. Then a chance is rounded once, and a tagged number, which
        // gives up two bits, after every mean and after every move.
        let unit = f64::from(f32::EPSILON) / 2.0;
        let roundings = if objective.value_kind() == ValueKind::WinProbability {
            1.0
        } else {
            14.0
        };
        match self {
            Width::Bits64 => bound,
            Width::Bits32 => bound + 1.001 * roundings * unit * layers as f64,
        }
    }

    /// The bits of a worth as the processor has them.
    fn widened(self, objective: Objective, bits: u64) -> u64 {
        let half = bits as u32;
        let wide = |half: u32| f64::from(f32::from_bits(half)).to_bits();
        match self {
            Width::Bits64 => bits,
            Width::Bits32 if objective.value_kind() != ValueKind::WinProbability => {
                wide(half & !3) | u64::from(half & 3)
            }
            Width::Bits32 if half <= 0.5f32.to_bits() => wide(half),
            Width::Bits32 => !wide(!half),
        }
    }
}

/// How to solve on a GPU.
#[derive(Clone, Debug, Default)]
pub struct GpuOptions {
    /// Bits of a worth; as many as fit if not given.
    pub width: Option<Width>,
    /// Bytes of this machine's memory for checkpoints that do not fit the GPU.
    pub memory: u64,
    /// Bytes of the GPU's memory that may be used; all that are free if not given.
    pub gpu_bytes: Option<u64>,
    /// Positions whose values are wanted.
    pub boards: Vec<Board>,
}

/// What was found of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GpuSolvedLayer {
    /// Tile sum.
    pub sum: u32,
    /// Live states.
    pub states: u64,
    /// Afterstates without the target.
    pub afterstates: u64,
    /// States that are sure wins.
    pub sure_wins: u64,
    /// States that are sure losses.
    pub sure_losses: u64,
    /// Afterstates that are sure wins.
    pub sure_afterstates: u64,
}

/// What a position is worth.
#[derive(Clone, Debug)]
pub struct GpuAnswer {
    /// The position.
    pub board: Board,
    /// What it is worth; `None` if no game comes there, but for lost positions.
    pub value: Option<Value>,
    /// The legal moves, best first, with the boards after them.
    pub moves: Vec<(Move, Board, Value)>,
}

/// A game that was solved on a GPU.
#[derive(Clone, Debug)]
pub struct GpuSolution {
    /// Bits of a worth.
    pub width: Width,
    /// What the start is worth.
    pub start: Start,
    /// All layers with a live state, by tile sum.
    pub layers: Vec<GpuSolvedLayer>,
    /// Lost states.
    pub lost: u64,
    /// The values asked for, in the order of the boards.
    pub answers: Vec<GpuAnswer>,
    /// Values are precise to this fraction.
    pub relative_error_bound: f64,
    /// Seconds for counting the layers first.
    pub count_seconds: f64,
    /// Seconds for working backward.
    pub backward_seconds: f64,
    /// Bytes of checkpoints on the GPU and in this machine's memory.
    pub checkpoint_bytes: [u64; 2],
    /// How many checkpoints there were.
    pub checkpoints: usize,
    /// How often a layer was made on the way up to others, on average by its size; the count, and
    /// making it to work through it, come on top.
    pub passes: f64,
    /// Bytes that sets and worths take on the GPU.
    pub gpu_bytes: u64,
}

/// Solves a game on the first GPU: what the start and some positions are worth, and how many
/// wins are sure. Nothing is written.
pub fn solve_on_gpu(
    variant: &Variant,
    objective: Objective,
    options: &GpuOptions,
    progress: &dyn Progress,
) -> Result<GpuSolution, SolveError> {
    sizes::check(variant, objective)?;
    // What can be told of the GPU is told before the work.
    fit(sizes::least(variant)?, &GpuMemory::query()?, options)?;
    let began = Instant::now();
    let count_options = tilebase_count::CountOptions {
        device: Device::Cuda,
        by_largest: false,
        ..tilebase_count::CountOptions::default()
    };
    let count = tilebase_count::count(variant, &count_options, None, progress)?;
    let count_seconds = began.elapsed().as_secs_f64();
    let steps = GpuSteps::new(Gpu::open()?, count.index.clone())?;
    let sizes = Sizes::new(&steps, &count);
    let gpu = steps.gpu().memory()?;
    let allowed = options.gpu_bytes.unwrap_or(u64::MAX).min(gpu.free);
    let width = options.width.unwrap_or_else(|| sizes.width(allowed));
    let needed = sizes.bytes(width);
    fit(needed, &gpu, options)?;
    let table_bytes = CountPlan::sizes(variant, u64::MAX)?.table_bytes;
    let beside = options.memory.saturating_sub(table_bytes);
    let chosen = slots::choose(&sizes.words, allowed - needed, beside);
    let chosen = chosen.ok_or(GpuError::Allowance {
        needed: needed + 16 * sizes.words.iter().copied().max().unwrap_or(0) as u64,
        allowed,
    })?;
    let spawn = variant.spawn();
    let probabilities = [spawn.probability(1), spawn.probability(2)];
    let kernels = Kernels::new(steps.gpu(), objective, width, probabilities)?;
    let index = steps.index();
    let rules = Rules::new(variant.shape()).map_err(CountError::from)?;
    let starts = rules.start_states(spawn, variant.start_tiles(), Representative::Canonical);
    let boards = starts.iter().map(|&(board, _)| board);
    let mut by_sum = BTreeMap::new();
    let query = |board: Board| {
        let sum = board.sum();
        let layer = by_sum.entry(sum).or_insert_with(|| index.layer(sum));
        Query::new(variant, &rules, index, layer, board)
    };
    let queries = boards.chain(options.boards.iter().copied()).map(query);
    let queries = Queries::new(queries.collect(), objective);
    let mut starting: BTreeMap<usize, Vec<Board>> = BTreeMap::new();
    for (units, board) in steps.starts() {
        starting.entry(units).or_default().push(board);
    }
    let mut descent = Descent {
        steps: &steps,
        kernels,
        starts: starting,
        width,
        first: sizes.first,
        slots: chosen.slots,
        sets: Pool::new(sizes.set_words(width)),
        values: Pool::new(sizes.value_words(width)),
        below: [None, None],
        above: [None, None],
        queries,
        layers: Vec::new(),
        progress,
    };
    progress.begin(Unit::States, Some(count.states()));
    carry_out(&chosen.plan, &mut descent)?;
    progress.finish();
    let bytes = descent.slots.iter().map(slots::Slot::bytes);
    let checkpoint_bytes = sum(bytes);
    let (start, answers) = with_value_type!(objective, W => {
        answers::<W>(&rules, variant, objective, &starts, &descent.queries.all)
    });
    let mut layers = descent.layers;
    layers.reverse();
    Ok(GpuSolution {
        width,
        start,
        layers,
        lost: count.lost(),
        answers,
        relative_error_bound: width.bound(variant, objective, count.layers.len()),
        count_seconds,
        backward_seconds: began.elapsed().as_secs_f64() - count_seconds,
        checkpoint_bytes,
        checkpoints: descent.slots.len(),
        passes: chosen.passes,
        gpu_bytes: needed,
    })
}

/// What the start and the boards asked for are worth.
fn answers<W: StoredValue + Pod>(
    rules: &Rules,
    variant: &Variant,
    objective: Objective,
    starts: &[(Board, f64)],
    queries: &[Query],
) -> (Start, Vec<GpuAnswer>) {
    let worth = |bits: u64| {
        let mut worth = W::LOST;
        // Objectives with worths of more bytes are not solved here.
        let bytes = bytemuck::bytes_of_mut(&mut worth);
        let taken = bytes.len().min(8);
        bytes[..taken].copy_from_slice(&bits.to_ne_bytes()[..taken]);
        worth
    };
    let (starting, asked) = queries.split_at(starts.len());
    let worths: Vec<(f64, W)> = starts
        .iter()
        .zip(starting)
        .map(|(&(_, probability), query)| (probability, query.state.map_or(W::LOST, worth)))
        .collect();
    let start = Start::of(&worths);
    let answer = |query: &Query| {
        let mut moves: Vec<(Move, Board, W)> = Vec::new();
        for &(m, after, bits) in &query.moves {
            let won = variant.target().is_some_and(|target| after.reaches(target));
            let after_worth = match bits {
                _ if won => W::won(&objective),
                Some(bits) => worth(bits),
                None => continue,
            };
            let gain = rules.score(query.board, m);
            moves.push((m, after, W::of_move(&objective, after_worth, gain)));
        }
        moves.sort_by(|a, b| b.2.compare(a.2));
        GpuAnswer {
            board: query.board,
            value: match query.state {
                None if rules.is_lost(query.board) => Some(W::LOST.to_value()),
                state => state.map(|bits| worth(bits).to_value()),
            },
            moves: moves
                .into_iter()
                .map(|(m, after, worth)| (m, after, worth.to_value()))
                .filter(|_| query.state.is_some())
                .collect(),
        }
    };
    (start, asked.iter().map(answer).collect())
}
