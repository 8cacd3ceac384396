//! Slider against Dropper by complete retrograde analysis.
//!
//! A slide keeps the sum of the tiles and a drop adds to it, so the states that can arise are
//! counted layer by layer from the first drop up, and who wins them is found from the last
//! layer down: one bit for each place of a layer, of which only those of the two layers above
//! are needed.

mod batch;
#[cfg(not(target_family = "wasm"))]
mod cluster;
mod descent;
mod error;
mod report;
mod step;

use std::path::PathBuf;
use std::time::Instant;

use tilebase_count::CountPlan;
use tilebase_game::Variant;
use tilebase_index::{Keep, Store};
use tilebase_util::keep_awake;
use tilebase_util::progress::Progress;

use crate::contest::{Contest, Winner};
use descent::descend;

#[cfg(not(target_family = "wasm"))]
pub use cluster::solve_layers_together;
pub use error::LayersError;
pub use report::{LayerResult, LayersReport, SolvedLayer};

/// How to solve by layers.
#[derive(Clone, Debug)]
pub struct LayersOptions {
    /// Number of threads; 0 for all cores.
    pub threads: usize,
    /// Bytes of memory that may be used.
    pub memory: u64,
    /// Where the layers of large games are kept, and stay: counting goes on with what is there.
    /// Small games, which are counted in seconds, are kept in memory, unless the directory is
    /// there already.
    pub dir: Option<PathBuf>,
}

impl Default for LayersOptions {
    fn default() -> LayersOptions {
        LayersOptions {
            threads: 0,
            memory: u64::MAX,
            dir: None,
        }
    }
}

/// Games whose layers have at most this many bytes of bits are counted in memory, which
/// takes twice as much, for states and afterstates.
const IN_MEMORY: u64 = 1 << 28;
/// What the program needs beside tables and layers.
const BASE_BYTES: u64 = 16 << 20;

/// Finds who wins a contest, and how many states are won.
///
/// A target that the cells can never hold is not counted: Dropper wins, and the report has no
/// layers.
///
/// ```
/// use tilebase_util::progress::Silent;
/// use tilebase_prove::{Contest, DropTiles, LayersOptions, Winner, solve_layers};
///
/// let contest = Contest::new("3x3".parse()?, 6, DropTiles::Twos)?;
/// let report = solve_layers(&contest, &LayersOptions::default(), &Silent)?;
/// assert_eq!(report.winner, Winner::Slider);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve_layers(
    contest: &Contest,
    options: &LayersOptions,
    progress: &dyn Progress,
) -> Result<LayersReport, LayersError> {
    solve_layers_with(contest, options, progress, &mut |_| ())
}

/// Like [`solve_layers`], and shows every layer with a live state, from the last down, with who
/// wins each of its states.
///
/// ```
/// use tilebase_util::progress::Silent;
/// use tilebase_prove::{Contest, DropTiles, LayersOptions, solve_layers_with};
///
/// let contest = Contest::new("2x2".parse()?, 4, DropTiles::Both)?;
/// let mut won = 0;
/// let report = solve_layers_with(&contest, &LayersOptions::default(), &Silent, &mut |layer| {
///     layer.for_each(|board, wins| {
///         assert_eq!(board.sum(), layer.sum());
///         won += u64::from(wins);
///     });
/// })?;
/// assert_eq!(won, report.winning());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve_layers_with(
    contest: &Contest,
    options: &LayersOptions,
    progress: &dyn Progress,
    visit: &mut (dyn FnMut(&SolvedLayer) + Send),
) -> Result<LayersReport, LayersError> {
    if let Some(report) = never_held(contest) {
        return Ok(report);
    }
    let began = Instant::now();
    let variant = contest.variant();
    let variant = variant.map_err(|_| LayersError::Target(contest.target()))?;
    // Report a wrong request before anything is written.
    let plan = CountPlan::new(&variant, options.memory)?;
    let mut store = open(&variant, &plan, options)?;
    let count_options = tilebase_count::CountOptions {
        threads: options.threads,
        memory: options.memory,
        by_largest: false,
        ..tilebase_count::CountOptions::default()
    };
    let count = tilebase_count::count(&variant, &count_options, Some(&mut store), progress)?;
    let count_seconds = began.elapsed().as_secs_f64();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build()
        .map_err(|error| LayersError::system(std::io::Error::other(error)))?;
    let (winner, mut layers) =
        pool.install(|| keep_awake(|| descend(contest, &count.index, &store, progress, visit)))?;
    layers.reverse();
    Ok(LayersReport {
        winner,
        lost: count.lost(),
        layers,
        count_seconds,
        backward_seconds: began.elapsed().as_secs_f64() - count_seconds,
    })
}

/// The report of a target that the cells can never hold.
fn never_held(contest: &Contest) -> Option<LayersReport> {
    (contest.target() > contest.largest_exponent()).then(|| LayersReport {
        winner: Winner::Dropper,
        lost: 0,
        layers: Vec::new(),
        count_seconds: 0.0,
        backward_seconds: 0.0,
    })
}

/// The place where the layers are kept. Fails if they are too large for the memory allowed.
fn open(
    variant: &Variant,
    plan: &CountPlan,
    options: &LayersOptions,
) -> Result<Store, LayersError> {
    let small = plan.total_bytes <= IN_MEMORY.min(options.memory / 8);
    let dir = options.dir.as_ref().filter(|dir| !small || dir.exists());
    let kept = match dir {
        None if small => 2 * plan.total_bytes,
        _ => 0,
    };
    // The states or afterstates of a layer with a rank for every word and the packed file that
    // they come from, the marks that they get, and two layers of marks above.
    let sets = plan.layer_bytes().saturating_mul(5);
    let needed = [sets, kept, plan.table_bytes, BASE_BYTES];
    let needed = needed.into_iter().fold(0, u64::saturating_add);
    if needed > options.memory {
        return Err(LayersError::Memory {
            needed,
            allowed: options.memory,
        });
    }
    match dir {
        Some(dir) => Ok(Store::open(dir, variant, Keep::Afterstates)?),
        None if small => Ok(Store::in_memory(variant, Keep::Afterstates)),
        None => Err(LayersError::Directory {
            disk: plan.estimate(variant, 1).disk_bytes,
        }),
    }
}
