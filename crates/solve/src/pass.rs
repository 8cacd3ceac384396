//! The backward pass: from the last layer down to the start states.

use std::path::Path;
use std::sync::mpsc::sync_channel;

use tilebase_count::CountPlan;
use tilebase_game::Variant;
use tilebase_index::{Keep, Store};
use tilebase_table::{
    Content, EncodedLayer, Manifest, Objective, Start, StoredValue, Table, TableError, TableWriter,
    with_value_type,
};
use tilebase_util::files::FileError;
use tilebase_util::progress::{Progress, Unit};
use tilebase_util::{keep_awake, on_threads};

use crate::backward::{LayerSolver, Solved};
use crate::descent::{Descent, live_states, start_states};
use crate::error::SolveError;
use crate::plan::{estimate, memory_needed, precision};

/// How to solve.
#[derive(Clone, Copy, Debug)]
pub struct SolveOptions {
    /// Number of threads; 0 for all cores.
    pub threads: usize,
    /// Bytes of memory that may be used.
    pub memory: u64,
    /// Whether values are stored in 16 bits, in a much smaller table for probing and play.
    pub rounded: bool,
}

impl Default for SolveOptions {
    fn default() -> SolveOptions {
        SolveOptions {
            threads: 0,
            memory: u64::MAX,
            rounded: false,
        }
    }
}

/// Games whose bitmaps have at most this many bytes in all are counted in memory. That takes
/// twice as much, for states and afterstates.
const IN_MEMORY: u64 = 4 << 30;

/// Solves a game and writes its table to a directory. A table that was begun there is resumed.
///
/// ```
/// use tilebase_util::progress::Silent;
/// use tilebase_solve::{SolveOptions, solve};
/// use tilebase_table::Objective;
///
/// let dir = tempfile::tempdir().unwrap();
/// let variant = "2x2-to-16".parse().unwrap();
/// let manifest =
///     solve(&variant, Objective::Win, dir.path(), &SolveOptions::default(), &Silent).unwrap();
/// let value = manifest.start.unwrap().value.unwrap();
/// assert!((value - 0.96251125375).abs() < 1e-15);
/// ```
pub fn solve(
    variant: &Variant,
    objective: Objective,
    dir: &Path,
    options: &SolveOptions,
    progress: &dyn Progress,
) -> Result<Manifest, SolveError> {
    // Report a wrong request before anything is written.
    let plan = plan(variant, objective, options)?;
    let content = content(objective, options)?;
    let mut writer = TableWriter::open(dir, Manifest::new(variant, objective, content))?;
    let work = writer.work();
    if writer.manifest().complete {
        remove(&work)?;
        return Ok(writer.manifest().clone());
    }
    // A count in memory is faster; if the run is killed, it is repeated.
    let mut store = if plan.total_bytes <= IN_MEMORY.min(options.memory / 8) && !work.exists() {
        Store::in_memory(variant, Keep::Afterstates)
    } else {
        Store::open(&work, variant, Keep::Afterstates)?
    };
    fill(
        variant,
        objective,
        &mut store,
        &mut writer,
        options,
        progress,
    )?;
    // The states are in the table now.
    drop(store);
    remove(&work)?;
    Ok(writer.manifest().clone())
}

/// Removes the states of a table that is complete; they may be gone already.
pub(crate) fn remove(work: &Path) -> Result<(), TableError> {
    match std::fs::remove_dir_all(work) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            let path = work.to_owned();
            Err(FileError::System { path, error }.into())
        }
        _ => Ok(()),
    }
}

/// Solves a game and keeps its table in memory: for small games, and where there is no file system.
///
/// ```
/// use tilebase_util::progress::Silent;
/// use tilebase_solve::{SolveOptions, solve_in_memory};
/// use tilebase_table::Objective;
///
/// let variant: tilebase_game::Variant = "2x2-to-16".parse().unwrap();
/// let table = solve_in_memory(&variant, Objective::Win, &SolveOptions::default(), &Silent).unwrap();
/// let board = tilebase_game::Board::parse("2,2/.,4", variant.shape()).unwrap();
/// let probe = table.probe(board).unwrap();
/// assert!((probe.value.unwrap().value.unwrap() - 0.972775).abs() < 1e-15);
/// ```
pub fn solve_in_memory(
    variant: &Variant,
    objective: Objective,
    options: &SolveOptions,
    progress: &dyn Progress,
) -> Result<Table, SolveError> {
    plan(variant, objective, options)?;
    let content = content(objective, options)?;
    let mut writer = TableWriter::in_memory(Manifest::new(variant, objective, content));
    let mut store = Store::in_memory(variant, Keep::Afterstates);
    fill(
        variant,
        objective,
        &mut store,
        &mut writer,
        options,
        progress,
    )?;
    Ok(writer.table()?)
}

/// What the table stores.
pub(crate) fn content(objective: Objective, options: &SolveOptions) -> Result<Content, SolveError> {
    if !options.rounded {
        return Ok(Content::Values);
    }
    rounded_error(objective).map(|_| Content::Rounded)
}

/// Bound on the relative error of rounding, if values of an objective can be rounded.
pub(crate) fn rounded_error(objective: Objective) -> Result<f64, SolveError> {
    if matches!(objective, Objective::Discounted(_)) {
        // A win far away counts next to nothing.
        return Err(TableError::NotRounded("win with a discount").into());
    }
    let error = with_value_type!(objective, V => V::ROUNDED_ERROR);
    error.ok_or_else(|| TableError::NotRounded(objective.name()).into())
}

/// Fails if a game cannot be solved, as far as that is known before.
pub(crate) fn check(
    variant: &Variant,
    objective: Objective,
    options: &SolveOptions,
) -> Result<(), SolveError> {
    plan(variant, objective, options)?;
    content(objective, options).map(|_| ())
}

/// The plan of the count, if the game can be solved at all.
fn plan(
    variant: &Variant,
    objective: Objective,
    options: &SolveOptions,
) -> Result<CountPlan, SolveError> {
    if objective.needs_target() && variant.target().is_none() {
        return Err(SolveError::Target(objective.name()));
    }
    let plan = CountPlan::new(variant, options.memory)?;
    // Four sets of boards, with the rank directories of their words.
    let sets = plan.layer_bytes().saturating_mul(6);
    if sets > options.memory {
        return Err(SolveError::Memory {
            needed: estimate(variant, objective, 1, false)?.memory.max(sets),
            allowed: options.memory,
        });
    }
    Ok(plan)
}

/// Counts a game, solves it backward, and fills the table.
fn fill(
    variant: &Variant,
    objective: Objective,
    store: &mut Store,
    writer: &mut TableWriter,
    options: &SolveOptions,
    progress: &dyn Progress,
) -> Result<(), SolveError> {
    let count_options = tilebase_count::CountOptions {
        threads: options.threads,
        memory: options.memory,
        by_largest: false,
        ..tilebase_count::CountOptions::default()
    };
    let count = tilebase_count::count(variant, &count_options, Some(store), progress)?;
    let (bound, tolerance) = precision(variant.shape(), count.layers.len());
    match options.rounded {
        false => writer.set_bounds(bound, tolerance),
        true => {
            let error = bound + rounded_error(objective)?;
            writer.set_bounds(error, 2.0 * error);
        }
    }
    let index = count.index.clone();
    let game = LayerSolver::with_index(variant, objective, tolerance, index);
    let needed = memory_needed(&count.layers, objective, |sum| {
        game.index.layer(sum).positions()
    });
    if needed > options.memory {
        return Err(SolveError::Memory {
            needed,
            allowed: options.memory,
        });
    }
    on_threads(options.threads, || {
        keep_awake(|| with_value_type!(objective, V => run::<V>(&game, store, writer, progress)))
    })?
}

fn run<V: StoredValue>(
    game: &LayerSolver,
    store: &Store,
    writer: &mut TableWriter,
    progress: &dyn Progress,
) -> Result<(), SolveError> {
    let layers = &store.manifest().layers;
    progress.begin(Unit::States, Some(layers.iter().map(live_states).sum()));
    progress.advance(writer.manifest().states());
    let above = resume::<V>(game, writer)?;
    let lowest = writer.lowest().unwrap_or(u32::MAX);
    let todo = layers.iter().rev();
    let todo: Vec<_> = todo
        .filter(|entry| live_states(entry) > 0 && entry.sum < lowest)
        .collect();
    let mut descent = Descent::new(game, store, writer.manifest().content);
    if writer.is_in_memory() {
        let mut written = Ok(());
        let take = |layer| {
            written = writer.write(layer);
            written.is_ok()
        };
        descent.run(above, &todo, progress, take)?;
        written?;
        writer.commit()?;
    } else {
        // A thread writes files while the next layer is computed.
        std::thread::scope(|scope| {
            let (sender, receiver) = sync_channel::<EncodedLayer>(1);
            let writing = scope.spawn(|| {
                for layer in receiver {
                    writer.write(layer)?;
                }
                writer.commit()
            });
            let take = |layer| sender.send(layer).is_ok();
            let done = descent.run(above, &todo, progress, take);
            drop(sender);
            match writing.join() {
                Ok(written) => written.map_err(SolveError::from).and(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })?;
    }
    let start = match descent.starts() {
        // In full precision.
        Some(starts) => Start::of(&starts),
        None => start::<V>(game, writer)?,
    };
    writer.complete(start)?;
    progress.finish();
    Ok(())
}

/// The last two layers in the table, with the values of their states.
fn resume<V: StoredValue>(
    game: &LayerSolver,
    writer: &TableWriter,
) -> Result<Vec<Solved<V>>, SolveError> {
    let last = writer.manifest().layers.iter().rev().take(2).rev();
    let mut above = Vec::new();
    for entry in last {
        let (sets, after) = writer.read::<V>(game.index.layer(entry.sum), entry)?;
        above.push(Solved {
            values: game.states(&sets.states, &sets.afterstates, &after),
            states: sets.states,
        });
    }
    Ok(above)
}

/// The value of the random start.
fn start<V: StoredValue>(game: &LayerSolver, writer: &TableWriter) -> Result<Start, SolveError> {
    let table = writer.table_with(game.index.clone())?;
    let mut values = Vec::new();
    for (board, probability) in start_states(&game.variant) {
        values.push((probability, table.state_value::<V>(board)?));
    }
    Ok(Start::of(&values))
}
