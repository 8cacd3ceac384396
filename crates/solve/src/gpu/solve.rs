//! Solving a game on the GPU, from the count to the answers.

use std::collections::BTreeMap;
use std::time::Instant;

use tilebase_count::{Count, CountError, CountOptions, CountPlan};
use tilebase_game::{Board, Representative, Rules, Variant};
use tilebase_gpu::{Gpu, GpuError, GpuMemory, GpuSteps};
use tilebase_table::Objective;
use tilebase_util::Device;
use tilebase_util::progress::{Progress, Unit};

use crate::checkpoints::carry_out;
use crate::error::SolveError;

use super::answers::Answers;
use super::descent::{Descent, Pool};
use super::kernels::Kernels;
use super::queries::{Queries, Query};
use super::sizes::{self, Sizes, fit, sum};
use super::slots::{self, Chosen, Slot};
use super::{GpuOptions, GpuSolution, Width};

/// Solves a game on the first GPU: the values of the start and of some positions, and the number
/// of sure wins and losses. Nothing is written.
pub fn solve_on_gpu(
    variant: &Variant,
    objective: Objective,
    options: &GpuOptions,
    progress: &dyn Progress,
) -> Result<GpuSolution, SolveError> {
    sizes::check(variant, objective)?;
    // Fails before the count if the GPU is too small anyway.
    fit(sizes::least(variant)?, &GpuMemory::query()?, options)?;
    let began = Instant::now();
    let count = count(variant, progress)?;
    let count_seconds = began.elapsed().as_secs_f64();
    let steps = GpuSteps::new(Gpu::open()?, count.index.clone())?;
    let sizes = Sizes::new(&steps, &count);
    let fitting = Fitting::new(variant, &steps, &sizes, options)?;
    let (width, gpu_bytes, chosen) = (fitting.width, fitting.gpu_bytes, fitting.chosen);
    let rules = Rules::of(variant).map_err(CountError::from)?;
    let (spawn, tiles) = (variant.spawn(), variant.start_tiles());
    let starts = rules.start_states(spawn, tiles, Representative::Canonical);
    let boards = starts.iter().map(|&(board, _)| board);
    let boards = boards.chain(options.boards.iter().copied());
    let probabilities = [spawn.probability(1), spawn.probability(2)];
    let mut descent = Descent {
        steps: &steps,
        kernels: Kernels::new(steps.gpu(), objective, width, probabilities)?,
        starts: starts_by_units(&steps),
        width,
        first: sizes.first,
        slots: chosen.slots,
        sets: Pool::new(sizes.set_words(width)),
        values: Pool::new(sizes.value_words(width)),
        below: [None, None],
        above: [None, None],
        queries: Queries::new(queries(&steps, &rules, boards), objective),
        layers: Vec::new(),
        progress,
    };
    progress.begin(Unit::States, Some(count.states()));
    carry_out(&chosen.plan, &mut descent)?;
    progress.finish();
    let answers = Answers {
        variant,
        rules: &rules,
        objective,
        starts: &starts,
    };
    let (start, answers) = answers.all(&descent.queries.all);
    descent.layers.reverse();
    Ok(GpuSolution {
        width,
        start,
        layers: descent.layers,
        lost: count.lost(),
        answers,
        relative_error_bound: width.bound(variant, objective, count.layers.len()),
        count_seconds,
        backward_seconds: began.elapsed().as_secs_f64() - count_seconds,
        checkpoint_bytes: sum(descent.slots.iter().map(Slot::bytes)),
        checkpoints: descent.slots.len(),
        passes: chosen.passes,
        gpu_bytes,
    })
}

/// Counts the layers, on the GPU too.
fn count(variant: &Variant, progress: &dyn Progress) -> Result<Count, CountError> {
    let options = CountOptions {
        device: Device::Cuda,
        by_largest: false,
        ..CountOptions::default()
    };
    tilebase_count::count(variant, &options, None, progress)
}

/// The width of values and the checkpoints that fit the memory.
struct Fitting {
    width: Width,
    /// Bytes of sets and values.
    gpu_bytes: u64,
    chosen: Chosen,
}

impl Fitting {
    fn new(
        variant: &Variant,
        steps: &GpuSteps,
        sizes: &Sizes,
        options: &GpuOptions,
    ) -> Result<Fitting, SolveError> {
        let memory = steps.gpu().memory()?;
        let allowed = options.gpu_bytes.unwrap_or(u64::MAX).min(memory.free);
        let width = options.width.unwrap_or_else(|| sizes.width(allowed));
        let needed = sizes.bytes(width);
        fit(needed, &memory, options)?;
        let table_bytes = CountPlan::sizes(variant, u64::MAX)?.table_bytes;
        let host = options.memory.saturating_sub(table_bytes);
        let chosen = slots::choose(&sizes.words, allowed - needed, host);
        let chosen = chosen.ok_or_else(|| {
            let largest = sizes.words.iter().copied().max().unwrap_or(0);
            let needed = needed + 16 * largest as u64;
            GpuError::Allowance { needed, allowed }
        })?;
        Ok(Fitting {
            width,
            gpu_bytes: needed,
            chosen,
        })
    }
}

/// The start states by their sums, in units of 2.
fn starts_by_units(steps: &GpuSteps) -> BTreeMap<usize, Vec<Board>> {
    let mut starts: BTreeMap<usize, Vec<Board>> = BTreeMap::new();
    for (units, board) in steps.starts() {
        starts.entry(units).or_default().push(board);
    }
    starts
}

/// Queries for boards.
fn queries(steps: &GpuSteps, rules: &Rules, boards: impl Iterator<Item = Board>) -> Vec<Query> {
    let index = steps.index();
    let mut by_sum = BTreeMap::new();
    let query = |board: Board| {
        let sum = rules.sum(board);
        let layer = by_sum.entry(sum).or_insert_with(|| index.layer(sum));
        Query::new(rules, index, layer, board)
    };
    boards.map(query).collect()
}
