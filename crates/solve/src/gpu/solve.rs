//! Solving a game on the GPU, from the count to the answers.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use tilebase_count::{Count, CountError, CountOptions, CountPlan};
use tilebase_game::{Board, Representative, Rules, Variant};
use tilebase_gpu::{Gpu, GpuError, GpuMemory, GpuSteps};
use tilebase_index::BoardIndex;
use tilebase_table::{Manifest, Objective};
use tilebase_util::Device;
use tilebase_util::progress::{Progress, Unit};

use crate::checkpoints::carry_out;
use crate::error::SolveError;
use crate::pass::rounded_error;

use super::answers::Answers;
use super::descent::{Descent, Pool, Reached};
use super::kernels::Kernels;
use super::queries::{Queries, Query};
use super::run::Run;
use super::sizes::{self, Sizes, fit, sum};
use super::slots::{self, Chosen, Slot};
use super::table::{self, TableFeed};
use super::{GpuOptions, GpuSolution, Width};

/// Solves a game on the first GPU: the values of the start and of some positions, and the number
/// of sure wins and losses. Nothing is written.
pub fn solve_on_gpu(
    variant: &Variant,
    objective: Objective,
    options: &GpuOptions,
    progress: &dyn Progress,
) -> Result<GpuSolution, SolveError> {
    solve(variant, objective, options, progress, |solving, room| {
        solving.go(room, None)
    })
}

/// Solves a game on the first GPU, and writes a rounded table of it to a directory. One that is
/// complete already is left as it is.
pub fn solve_to_table_on_gpu(
    variant: &Variant,
    objective: Objective,
    options: &GpuOptions,
    dir: &Path,
    progress: &dyn Progress,
) -> Result<Manifest, SolveError> {
    let rounding = rounded_error(objective)?;
    // Without a GPU nothing is written.
    GpuMemory::query()?;
    let known = table::open(dir, variant, objective)?;
    if known.manifest().complete {
        return Ok(known.manifest().clone());
    }
    drop(known);
    let options = GpuOptions {
        lists: true,
        ..options.clone()
    };
    solve(variant, objective, &options, progress, |solving, room| {
        let mut writer = table::open(dir, variant, objective)?;
        let afterstates = room.sizes.afterstates();
        let (feed, queue) = TableFeed::new(room.steps.gpu(), room.fitting.width, afterstates)?;
        let solution = std::thread::scope(|scope| {
            let writing = scope.spawn(|| queue.write(objective, &mut writer));
            let solved = solving.go(room, Some(feed));
            match writing.join() {
                Ok(written) => written.and(solved),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })?;
        let error = solution.relative_error_bound + rounding;
        Ok(table::complete(&mut writer, error, solution.start)?)
    })
}

/// Calls `go` with room for a game on the GPU. The sizes of values are guessed at first, which saves
/// counting. If there is no room for so much, or it does not suffice, the game is counted.
fn solve<T>(
    variant: &Variant,
    objective: Objective,
    options: &GpuOptions,
    progress: &dyn Progress,
    go: impl Fn(&Solving, Room) -> Result<T, SolveError>,
) -> Result<T, SolveError> {
    sizes::check(variant, objective)?;
    // Fails before any work if the GPU is too small anyway.
    fit(sizes::least(variant)?, &GpuMemory::query()?, options)?;
    let plan = CountPlan::sizes(variant, u64::MAX)?;
    let solving = Solving {
        variant,
        objective,
        options,
        progress,
        table_bytes: plan.table_bytes,
        began: Instant::now(),
    };
    if !plan.is_sampled() {
        let index = BoardIndex::new(variant).map_err(CountError::from)?;
        let steps = GpuSteps::new(Gpu::open()?, index)?;
        let sizes = solving.guessed(&steps, plan.layer_words())?;
        if let Ok(fitting) = Fitting::new(&solving, &steps, &sizes) {
            let room = Room {
                steps: &steps,
                sizes: &sizes,
                fitting,
            };
            match go(&solving, room) {
                Err(SolveError::Gpu(GpuError::LayerSize { .. })) => (),
                done => return done,
            }
        }
    }
    let count = count(variant, progress)?;
    let steps = GpuSteps::new(Gpu::open()?, count.index.clone())?;
    let sizes = Sizes::new(&steps, &count, options);
    let room = Room {
        steps: &steps,
        sizes: &sizes,
        fitting: Fitting::new(&solving, &steps, &sizes)?,
    };
    go(&solving, room)
}

/// The tables of a game on the GPU, and what it has memory for.
struct Room<'a> {
    steps: &'a GpuSteps,
    sizes: &'a Sizes,
    fitting: Fitting,
}

/// A game being solved.
struct Solving<'a> {
    variant: &'a Variant,
    objective: Objective,
    options: &'a GpuOptions,
    progress: &'a dyn Progress,
    /// Bytes of the tables.
    table_bytes: u64,
    began: Instant,
}

impl Solving<'_> {
    /// Guessed sizes of layers, which have these words from the sum 0 on.
    fn guessed(&self, steps: &GpuSteps, words: Vec<usize>) -> Result<Sizes, GpuError> {
        let starts = steps.starts().into_iter().map(|(units, _)| units);
        let first = starts.min().unwrap_or(0);
        let free = steps.gpu().memory()?.free;
        let usable = self.options.gpu_bytes.map_or(free, |bytes| bytes.min(free));
        let words = words.get(first..).unwrap_or_default().to_vec();
        Ok(Sizes::guessed(first, words, usable, self.options))
    }

    /// Goes up through the layers and down again.
    fn go(&self, room: Room, table: Option<TableFeed>) -> Result<GpuSolution, SolveError> {
        let Room {
            steps,
            sizes,
            fitting,
        } = room;
        let (variant, objective) = (self.variant, self.objective);
        let (width, chosen) = (fitting.width, fitting.chosen);
        let rules = Rules::of(variant).map_err(CountError::from)?;
        let (spawn, tiles) = (variant.spawn(), variant.start_tiles());
        let starts = rules.start_states(spawn, tiles, Representative::Canonical);
        let boards = starts.iter().map(|&(board, _)| board);
        let boards = boards.chain(self.options.boards.iter().copied());
        let probabilities = [spawn.probability(1), spawn.probability(2)];
        let mut descent = Descent {
            steps,
            kernels: Kernels::new(steps.gpu(), objective, width, probabilities)?,
            starts: starts_by_units(steps),
            width,
            first: sizes.first,
            slots: chosen.slots,
            run: Run::new(chosen.run),
            sets: Pool::new(sizes.set_words()),
            values: Pool::new(sizes.value_words(width)),
            after_values: sizes.after_words(width).map(Pool::new),
            below: [None, None],
            above: [None, None],
            queries: Queries::new(queries(steps, &rules, boards), objective),
            layers: Vec::new(),
            lost: 0,
            table,
            reached: Reached::default(),
            progress: self.progress,
        };
        self.progress.begin(Unit::States, None);
        carry_out(&chosen.plan, &mut descent)?;
        self.progress.finish();
        let answers = Answers {
            variant,
            rules: &rules,
            objective,
            starts: &starts,
        };
        let (start, answers) = answers.all(&descent.queries.all);
        descent.layers.reverse();
        let turned = descent.reached.turned.unwrap_or_else(Instant::now);
        let [on_gpu, host] = sum(descent.slots.iter().map(Slot::bytes));
        let last = descent
            .layers
            .last()
            .map_or(0, |layer| layer.sum as usize / 2);
        Ok(GpuSolution {
            width,
            start,
            relative_error_bound: width.bound(variant, objective, last + 1),
            layers: descent.layers,
            lost: descent.lost,
            answers,
            count_seconds: (turned - self.began).as_secs_f64(),
            backward_seconds: turned.elapsed().as_secs_f64(),
            checkpoint_bytes: [on_gpu + descent.run.bytes(), host],
            checkpoints: descent.slots.len(),
            passes: chosen.passes,
            gpu_bytes: fitting.gpu_bytes,
        })
    }
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
    fn new(solving: &Solving, steps: &GpuSteps, sizes: &Sizes) -> Result<Fitting, SolveError> {
        let options = solving.options;
        let memory = steps.gpu().memory()?;
        let allowed = options.gpu_bytes.unwrap_or(u64::MAX).min(memory.free);
        let width = options.width.unwrap_or_else(|| sizes.width(allowed));
        let needed = sizes.bytes(width);
        fit(needed, &memory, options)?;
        let host = options.memory.saturating_sub(solving.table_bytes);
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
