//! Counting a game: the functions that most callers need.

use tilebase_game::Variant;
use tilebase_index::{BoardIndex, BoardSet, LayerCount, Store};
use tilebase_util::progress::Progress;
use tilebase_util::{Device, keep_awake, on_threads};

use crate::engine::CpuEngine;
use crate::error::CountError;
#[cfg(not(target_family = "wasm"))]
use crate::gpu::GpuPlan;
use crate::layer_engine::LayerEngine;
use crate::pass::{ForwardPass, LayerObserver};
use crate::plan::CountPlan;

/// The layers of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// All layers with a state, by tile sum.
    pub layers: Vec<LayerCount>,
    /// Whether layers were split into parts because memory was short.
    pub in_parts: bool,
    /// The index that the count was made with, for work on the same game that follows.
    pub index: BoardIndex,
}

impl Count {
    /// Number of live states.
    pub fn states(&self) -> u64 {
        self.layers.iter().flat_map(|layer| layer.states).sum()
    }

    /// Number of lost states.
    pub fn lost(&self) -> u64 {
        self.layers.iter().flat_map(|layer| layer.lost).sum()
    }

    /// Number of afterstates without a target tile.
    pub fn afterstates(&self) -> u64 {
        self.layers.iter().map(|layer| layer.afterstates).sum()
    }
}

/// Where and how to count.
#[derive(Clone, Copy, Debug)]
pub struct CountOptions {
    /// Where to count.
    pub device: Device,
    /// Number of threads; 0 for all cores.
    pub threads: usize,
    /// Bytes of memory that may be used.
    pub memory: u64,
    /// Bytes of GPU memory that may be used; `None` for all that is free.
    pub gpu_memory: Option<u64>,
    /// Whether to count states by their largest tile. If not, all states of a layer are counted
    /// under the largest exponent of the game, which is faster.
    pub by_largest: bool,
}

impl Default for CountOptions {
    fn default() -> CountOptions {
        CountOptions {
            device: Device::Cpu,
            threads: 0,
            memory: u64::MAX,
            gpu_memory: None,
            by_largest: true,
        }
    }
}

/// Counts all layers of a game, and keeps them in a store if there is one. A store that has
/// layers already is resumed.
pub fn count(
    variant: &Variant,
    options: &CountOptions,
    store: Option<&mut Store>,
    progress: &dyn Progress,
) -> Result<Count, CountError> {
    run(variant, options, store, progress, LayerObserver::None)
}

/// Counts like [`count`], and reports every layer as soon as it is known. Layers that the store
/// has already come first.
pub fn count_reporting(
    variant: &Variant,
    options: &CountOptions,
    store: Option<&mut Store>,
    progress: &dyn Progress,
    report: &mut (dyn FnMut(&LayerCount) + Send),
) -> Result<Count, CountError> {
    run(
        variant,
        options,
        store,
        progress,
        LayerObserver::Counts(report),
    )
}

/// Counts all layers and passes each with its live states to `visit`.
///
/// ```
/// use tilebase_count::{CountOptions, count_layers};
/// use tilebase_util::progress::Silent;
///
/// let variant = "2x2-to-32".parse().unwrap();
/// let mut total = 0;
/// count_layers(&variant, &CountOptions::default(), &Silent, &mut |layer, states| {
///     for (rank, board) in states.iter().enumerate() {
///         assert_eq!(states.rank(board), Some(rank as u64));
///         assert_eq!(board.sum(), layer.sum);
///     }
///     total += states.len();
/// }).unwrap();
/// assert_eq!(total, 57);
/// ```
pub fn count_layers(
    variant: &Variant,
    options: &CountOptions,
    progress: &dyn Progress,
    visit: &mut (dyn FnMut(&LayerCount, &BoardSet) + Send),
) -> Result<Count, CountError> {
    run(
        variant,
        options,
        None,
        progress,
        LayerObserver::States(visit),
    )
}

fn run(
    variant: &Variant,
    options: &CountOptions,
    store: Option<&mut Store>,
    progress: &dyn Progress,
    observer: LayerObserver,
) -> Result<Count, CountError> {
    let plan = match options.device {
        Device::Cpu => CountPlan::new(variant, options.memory)?,
        // The GPU's memory decides, and this machine's only if that is too little.
        Device::Cuda => CountPlan::sizes(variant, options.memory)?,
    };
    // The whole pass runs inside the pool: handing every small layer to it from outside
    // would cost more than the layer.
    on_threads(options.threads, || {
        let by_largest = options.by_largest || store.is_some();
        let returns_sets = store.is_some() || matches!(observer, LayerObserver::States(_));
        let pass = ForwardPass::new(BoardIndex::new(variant)?, plan);
        match options.device {
            Device::Cpu => {
                let (space, plan) = (&**pass.index().space(), pass.plan());
                let mut engine = CpuEngine::new(space, pass.census(), plan, by_largest);
                keep_awake(|| pass.run(&mut engine, store, progress, observer))
            }
            Device::Cuda => {
                let mut engine = gpu_engine(&pass, options, by_largest, returns_sets)?;
                pass.run(engine.as_mut(), store, progress, observer)
            }
        }
    })?
}

#[cfg(not(target_family = "wasm"))]
fn gpu_engine<'a>(
    pass: &'a ForwardPass,
    options: &CountOptions,
    by_largest: bool,
    returns_sets: bool,
) -> Result<Box<dyn LayerEngine + 'a>, CountError> {
    let plan = GpuPlan::new(pass.plan(), options, returns_sets)?;
    plan.engine(pass.index().clone(), pass.census(), by_largest)
}

#[cfg(target_family = "wasm")]
fn gpu_engine<'a>(
    _: &'a ForwardPass,
    _: &CountOptions,
    _: bool,
    _: bool,
) -> Result<Box<dyn LayerEngine + 'a>, CountError> {
    Err(tilebase_gpu::GpuError::Unsupported.into())
}
