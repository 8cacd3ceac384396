//! The forward pass: from the start states up, one layer after the other.

use tilebase_game::Board;
use tilebase_index::layer::Layout;
use tilebase_index::pack::{Section, SetData, SetForm};
use tilebase_index::{BoardIndex, BoardSet, Keep, LayerCount, Store, UnpackError, start_states};
use tilebase_util::progress::{Progress, Unit};

use crate::census::{Census, Tally};
use crate::count::Count;
use crate::error::CountError;
use crate::layer_engine::{LayerEngine, LayerRequest, LayerResult};
use crate::plan::CountPlan;

/// Who is called with every layer that has states.
pub enum LayerObserver<'a> {
    /// Nobody.
    None,
    /// A function of the layer's numbers, also for layers that a store has already.
    Counts(&'a mut (dyn FnMut(&LayerCount) + Send)),
    /// A function of the layer's numbers and its live states.
    States(&'a mut (dyn FnMut(&LayerCount, &BoardSet) + Send)),
}

/// A pass over all layers of a game, with a [`LayerEngine`] that computes them.
///
/// [`count`](crate::count()) and its relatives run it with the engines of this crate.
pub struct ForwardPass {
    index: BoardIndex,
    census: Census,
    /// The start states with their sums, in units of 2.
    starts: Vec<(usize, Board)>,
    plan: CountPlan,
}

impl ForwardPass {
    /// A pass over the game of an index, planned by `plan`.
    pub fn new(index: BoardIndex, plan: CountPlan) -> ForwardPass {
        ForwardPass {
            census: Census::new(index.space()),
            starts: start_states(index.space(), index.variant()),
            index,
            plan,
        }
    }

    /// The index of the game.
    pub fn index(&self) -> &BoardIndex {
        &self.index
    }

    pub(crate) fn plan(&self) -> &CountPlan {
        &self.plan
    }

    pub(crate) fn census(&self) -> &Census {
        &self.census
    }

    /// Lets an engine compute all layers. A store that has layers already is resumed; an
    /// interrupted pass leaves all finished layers in it.
    pub fn run(
        &self,
        engine: &mut dyn LayerEngine,
        mut store: Option<&mut Store>,
        progress: &dyn Progress,
        mut observer: LayerObserver,
    ) -> Result<Count, CountError> {
        let mut count = self.stored(engine, store.as_deref(), &mut observer);
        let mut first = 0;
        if let Some(store) = store.as_deref() {
            if store.manifest().complete {
                return Ok(count);
            }
            first = self.resume(store, engine)?;
        }
        let mut states_so_far = count.states();
        progress.begin(Unit::Boards, Some(8 * self.plan.total_bytes));
        progress.advance((0..first).map(|units| self.boards(units)).sum());
        let request = request(engine, store.as_deref(), &observer);
        let last_start = self.starts.iter().map(|&(units, _)| units).max();
        for units in first..=self.max_units() {
            if Some(units) > last_start && engine.is_finished() {
                break;
            }
            if progress.interrupted() {
                if let Some(store) = store.as_deref_mut() {
                    store.commit()?;
                }
                return Err(CountError::Interrupted);
            }
            progress.stage(&format!("layer {}, {states_so_far} states", 2 * units));
            let result = engine.advance(units, &self.starts_of(units), request)?;
            progress.advance(self.boards(units));
            let Some(layer) = layer_count(units, &result) else {
                continue;
            };
            let live = layer.states.iter().sum::<u64>();
            states_so_far += live;
            progress.layer(layer.sum, live);
            self.observe(&mut observer, &layer, &result.state_set)?;
            if let Some(store) = store.as_deref_mut() {
                store.write(&layer, result.state_set, result.afterstate_set)?;
            }
            count.layers.push(layer);
        }
        if let Some(store) = store {
            store.complete()?;
        }
        progress.finish();
        Ok(count)
    }

    /// The layers that a store has already, reported as progress.
    fn stored(
        &self,
        engine: &dyn LayerEngine,
        store: Option<&Store>,
        observer: &mut LayerObserver,
    ) -> Count {
        let entries = store.map_or(&[][..], |store| &store.manifest().layers);
        let layers: Vec<LayerCount> = entries.iter().map(|entry| entry.count()).collect();
        if let LayerObserver::Counts(report) = observer {
            layers.iter().for_each(report);
        }
        Count {
            layers,
            in_parts: engine.is_in_parts(),
            index: self.index.clone(),
        }
    }

    /// Brings the engine to where the store ends; returns the next layer.
    fn resume(&self, store: &Store, engine: &mut dyn LayerEngine) -> Result<usize, CountError> {
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

    /// Calls the observer of a new layer.
    fn observe(
        &self,
        observer: &mut LayerObserver,
        layer: &LayerCount,
        states: &SetData,
    ) -> Result<(), CountError> {
        match (observer, states) {
            (LayerObserver::Counts(report), _) => report(layer),
            (LayerObserver::States(visit), SetData::Packed(states)) => {
                visit(layer, &self.state_set(layer.sum, states)?);
            }
            _ => {}
        }
        Ok(())
    }

    fn state_set(&self, sum: u32, states: &[Section]) -> Result<BoardSet, CountError> {
        BoardSet::unpack(self.index.layer(sum), states).map_err(|error| match error {
            UnpackError::Memory(error) => CountError::from(error),
            // What was packed a moment ago fits.
            UnpackError::Invalid => {
                CountError::from(std::io::Error::other("packed states do not fit"))
            }
        })
    }

    fn starts_of(&self, units: usize) -> Vec<Board> {
        let starts = self.starts.iter().filter(|&&(start, _)| start == units);
        starts.map(|&(_, board)| board).collect()
    }

    /// Half the largest tile sum of a board.
    fn max_units(&self) -> usize {
        let space = self.index.space();
        let weight = space.tops.halves.max_units() + space.bottoms.halves.max_units();
        let units = weight.saturating_sub(space.cut.all_walls_units());
        units.min(space.cut.most_units)
    }

    /// Boards that a layer has room for.
    fn boards(&self, units: usize) -> u64 {
        64 * Layout::new(self.index.space(), units).words() as u64
    }
}

/// The sets that the store and the observer need.
fn request(
    engine: &dyn LayerEngine,
    store: Option<&Store>,
    observer: &LayerObserver,
) -> LayerRequest {
    LayerRequest {
        states: store.is_some() || matches!(observer, LayerObserver::States(_)),
        afterstates: store.is_some_and(|store| store.keep() == Keep::Afterstates),
        form: match store {
            Some(store) if store.is_in_memory() && !engine.is_in_parts() => SetForm::Bits,
            _ => SetForm::Packed,
        },
    }
}

/// The numbers of a layer, if it has a state.
fn layer_count(units: usize, result: &LayerResult) -> Option<LayerCount> {
    let Tally { all, lost } = result.states;
    all.iter().any(|&boards| boards > 0).then(|| LayerCount {
        sum: 2 * units as u32,
        states: std::array::from_fn(|e| all[e] - lost[e]),
        lost,
        afterstates: result.afterstates,
    })
}
