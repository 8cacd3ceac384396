//! The forward pass: from the start states up, one layer after the other.

use std::sync::Arc;

use tilebase_game::{Board, Representative, Variant};
use tilebase_util::progress::{Progress, Unit};

use crate::census::{Census, Tally};
use crate::engine::{Advance, Engine, Want};
use crate::error::CountError;
#[cfg(not(target_family = "wasm"))]
use crate::gpu::GpuPlan;
use crate::plan::Plan;
use tilebase_index::Places;
use tilebase_index::layer::Layout;
use tilebase_index::pack::{Form, Kept, Section};
use tilebase_index::space::Space;
use tilebase_index::{BoardSet, UnpackError};
use tilebase_index::{ByLargest, LayerCount};
use tilebase_index::{Keep, Store};
use tilebase_index::{largest_of, start_states};
use tilebase_util::{Device, keep_awake, on_threads};

/// The layers of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// All layers with a state, by tile sum.
    pub layers: Vec<LayerCount>,
    /// Whether layers were split into parts for want of memory.
    pub in_parts: bool,
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

/// How to count.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Where to count.
    pub device: Device,
    /// Number of threads; 0 for all cores.
    pub threads: usize,
    /// Bytes of memory that may be used.
    pub memory: u64,
    /// Bytes of the GPU's memory that may be used; `None` for all that are free.
    pub gpu_memory: Option<u64>,
    /// Tell states by their largest tile; otherwise all are put to the account of the
    /// largest that the game has.
    pub by_largest: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            device: Device::Cpu,
            threads: 0,
            memory: u64::MAX,
            gpu_memory: None,
            by_largest: true,
        }
    }
}

/// Counts all layers, keeping them in a store if there is one. A store that has layers
/// already is gone on with.
pub fn count(
    variant: &Variant,
    options: &Options,
    store: Option<&mut Store>,
    progress: &dyn Progress,
) -> Result<Count, CountError> {
    run(variant, options, store, progress, Visit::Nothing)
}

/// Does the same, and tells of every layer as soon as it is known. Those that a store has
/// already come first.
pub fn count_telling(
    variant: &Variant,
    options: &Options,
    store: Option<&mut Store>,
    progress: &dyn Progress,
    tell: &mut (dyn FnMut(&LayerCount) + Send),
) -> Result<Count, CountError> {
    run(variant, options, store, progress, Visit::Counts(tell))
}

/// Counts all layers and shows each with its states.
pub fn count_layers(
    variant: &Variant,
    options: &Options,
    progress: &dyn Progress,
    visit: &mut (dyn FnMut(&LayerCount, &BoardSet) + Send),
) -> Result<Count, CountError> {
    run(variant, options, None, progress, Visit::States(visit))
}

/// Who is told of layers.
enum Visit<'a> {
    Nothing,
    Counts(&'a mut (dyn FnMut(&LayerCount) + Send)),
    States(&'a mut (dyn FnMut(&LayerCount, &BoardSet) + Send)),
}

fn run(
    variant: &Variant,
    options: &Options,
    store: Option<&mut Store>,
    progress: &dyn Progress,
    visit: Visit,
) -> Result<Count, CountError> {
    let plan = match options.device {
        Device::Cpu => Plan::new(variant, options.memory)?,
        // What counts is the GPU's memory, and this machine's only if that is too little.
        Device::Cuda => Plan::sizes(variant, options.memory)?,
    };
    // The whole pass runs inside the pool: handing every small layer to it from outside
    // would cost more than the layer.
    on_threads(options.threads, || {
        let space = Space::new(variant.shape(), largest_of(variant)?, variant.spawn())
            .map_err(CountError::from)?;
        let pass = Pass {
            census: Census::new(&space),
            starts: start_states(&space, variant),
            space: Arc::new(space),
            by_largest: options.by_largest || store.is_some(),
            plan,
        };
        let handed_out = store.is_some() || matches!(visit, Visit::States(_));
        match options.device {
            Device::Cpu => keep_awake(|| pass.run(pass.engine(), store, progress, visit)),
            Device::Cuda => {
                let engine = pass.gpu_engine(options, handed_out)?;
                pass.run(engine, store, progress, visit)
            }
        }
    })?
}

struct Pass {
    space: Arc<Space>,
    census: Census,
    starts: Vec<(usize, Board)>,
    by_largest: bool,
    plan: Plan,
}

impl Pass {
    fn engine(&self) -> Box<dyn Advance + '_> {
        let (space, census) = (&*self.space, &self.census);
        Box::new(Engine::new(space, census, &self.plan, self.by_largest))
    }

    #[cfg(not(target_family = "wasm"))]
    fn gpu_engine(
        &self,
        options: &Options,
        handed_out: bool,
    ) -> Result<Box<dyn Advance + '_>, CountError> {
        let (space, census) = (self.space.clone(), &self.census);
        let plan = GpuPlan::new(&self.plan, options, handed_out)?;
        plan.engine(space, census, self.by_largest)
    }

    #[cfg(target_family = "wasm")]
    fn gpu_engine(&self, _: &Options, _: bool) -> Result<Box<dyn Advance + '_>, CountError> {
        Err(tilebase_gpu::GpuError::Unsupported.into())
    }

    fn run(
        &self,
        mut engine: Box<dyn Advance + '_>,
        mut store: Option<&mut Store>,
        progress: &dyn Progress,
        mut visit: Visit,
    ) -> Result<Count, CountError> {
        let space = &*self.space;
        let max_units = space.tops.halves.max_units() + space.bottoms.halves.max_units();
        let last_start = self
            .starts
            .iter()
            .map(|&(units, _)| units)
            .max()
            .unwrap_or(0);
        let mut count = Count {
            layers: Vec::new(),
            in_parts: engine.is_in_parts(),
        };
        let mut first = 0;
        if let Some(store) = store.as_deref() {
            count.layers = store
                .manifest()
                .layers
                .iter()
                .map(|entry| entry.count())
                .collect();
            if let Visit::Counts(tell) = &mut visit {
                count.layers.iter().for_each(tell);
            }
            if store.manifest().complete {
                return Ok(count);
            }
            first = self.resume(store, engine.as_mut())?;
        }
        let mut states_so_far = count.states();
        progress.begin(Unit::Boards, Some(8 * self.plan.total_bytes));
        progress.advance((0..first).map(|units| self.boards(units)).sum());
        let want = Want {
            states: store.is_some() || matches!(visit, Visit::States(_)),
            afterstates: store
                .as_deref()
                .is_some_and(|store| store.keep() == Keep::Afterstates),
            form: match store.as_deref() {
                Some(store) if store.is_in_memory() && !engine.is_in_parts() => Form::Bits,
                _ => Form::Packed,
            },
        };
        for units in first..=max_units {
            if units > last_start && engine.is_spent() {
                break;
            }
            if progress.interrupted() {
                if let Some(store) = store.as_deref_mut() {
                    store.commit()?;
                }
                return Err(CountError::Interrupted);
            }
            progress.stage(&format!("layer {}, {states_so_far} states", 2 * units));
            let starts = self.starts.iter().filter(|&&(start, _)| start == units);
            let starts: Vec<Board> = starts.map(|&(_, board)| board).collect();
            let found = engine.advance(units, &starts, want)?;
            progress.advance(self.boards(units));
            let Tally { all, lost } = found.states;
            if all.iter().all(|&boards| boards == 0) {
                continue;
            }
            let (states, afterstates) = (found.kept, found.kept_after);
            let found = LayerCount {
                sum: 2 * units as u32,
                states: std::array::from_fn(|e| all[e] - lost[e]),
                lost,
                afterstates: found.afterstates,
            };
            let live = found.states.iter().sum::<u64>();
            states_so_far += live;
            progress.layer(found.sum, live);
            match (&mut visit, &states) {
                (Visit::Counts(tell), _) => tell(&found),
                (Visit::States(visit), Kept::Packed(states)) => {
                    visit(&found, &self.state_set(units, states)?);
                }
                _ => {}
            }
            if let Some(store) = store.as_deref_mut() {
                store.write(&found, states, afterstates)?;
            }
            count.layers.push(found);
        }
        if let Some(store) = store {
            store.complete()?;
        }
        progress.finish();
        Ok(count)
    }

    /// Boards that a layer has room for.
    fn boards(&self, units: usize) -> u64 {
        64 * Layout::new(&self.space, units).words() as u64
    }

    /// Brings the engine to where the store ends; returns the next layer.
    fn resume(&self, store: &Store, engine: &mut dyn Advance) -> Result<usize, CountError> {
        let layers = &store.manifest().layers;
        let Some(last) = layers.last() else {
            return Ok(0);
        };
        let next = last.sum as usize / 2 + 1;
        for units in next.saturating_sub(2)..next {
            let entry = layers
                .iter()
                .rev()
                .take(2)
                .find(|entry| entry.sum as usize == 2 * units);
            if let Some(entry) = entry {
                let sections = store.read(entry, Keep::States)?;
                engine.restore(units, &sections, &|| store.damaged(entry).into())?;
            } else {
                engine.skip();
            }
        }
        Ok(next)
    }

    fn state_set(&self, units: usize, states: &[Section]) -> Result<BoardSet, CountError> {
        let places = Places::of(self.space.clone()).layer(2 * units as u32);
        BoardSet::unpack(places, states).map_err(|fault| match fault {
            UnpackError::System(error) => CountError::from(error),
            // What was packed a moment ago fits.
            UnpackError::Misfit => {
                CountError::from(std::io::Error::other("packed states do not fit"))
            }
        })
    }
}
