//! The backward pass on the GPU: one action of the plan after the other.

use std::collections::BTreeMap;

use tilebase_game::Board;
use tilebase_gpu::{Gpu, GpuBuffer, GpuError, GpuLayer, GpuSteps};
use tilebase_util::progress::Progress;

use crate::checkpoints::Backward;
use crate::error::SolveError;

use super::kernels::Kernels;
use super::queries::Queries;
use super::ranked::{Ranked, Valued};
use super::slots::Slot;
use super::{GpuSolvedLayer, Width};

/// The states of a layer and their values.
pub(super) struct Solved {
    units: usize,
    states: Ranked,
    values: GpuBuffer<u64>,
}

/// Buffers of one size for sets or values, used again and again.
pub(super) struct Pool {
    words: usize,
    free: Vec<GpuBuffer<u64>>,
}

impl Pool {
    /// A pool of buffers with `words` words each.
    pub fn new(words: usize) -> Pool {
        Pool {
            words,
            free: Vec::new(),
        }
    }

    fn take(&mut self, gpu: &Gpu) -> Result<GpuBuffer<u64>, GpuError> {
        match self.free.pop() {
            Some(buffer) => Ok(buffer),
            None => gpu.zeros(self.words),
        }
    }
}

/// The state of the backward pass.
pub(super) struct Descent<'a> {
    pub steps: &'a GpuSteps,
    pub kernels: Kernels,
    /// Start states by their sums, in units of 2.
    pub starts: BTreeMap<usize, Vec<Board>>,
    pub width: Width,
    /// The sum of the first step, in units of 2.
    pub first: usize,
    pub slots: Vec<Slot>,
    pub sets: Pool,
    pub values: Pool,
    /// Afterstates one and two units below the next layer.
    pub below: [Option<GpuLayer>; 2],
    /// States one and two units above it.
    pub above: [Option<Solved>; 2],
    pub queries: Queries,
    pub layers: Vec<GpuSolvedLayer>,
    pub progress: &'a dyn Progress,
}

impl Descent<'_> {
    /// Frees the afterstates below.
    fn clear_below(&mut self) {
        for layer in &mut self.below {
            self.sets.free.extend(layer.take().map(|layer| layer.words));
        }
    }

    /// Makes the states of a layer from the afterstates below.
    fn spawn(&mut self, units: usize) -> Result<GpuLayer, SolveError> {
        if self.progress.interrupted() {
            return Err(SolveError::Interrupted);
        }
        let buffer = self.sets.take(self.steps.gpu())?;
        let mut states = self.steps.layer(units, buffer)?;
        let below = self.below.each_ref().map(Option::as_ref);
        let starts = self.starts.get(&units).map_or(&[][..], Vec::as_slice);
        self.steps.spawn(&mut states, below, starts)?;
        // The older afterstates are not needed any more.
        let older = self.below[1].take();
        self.sets.free.extend(older.map(|layer| layer.words));
        Ok(states)
    }

    /// Makes the afterstates of a layer.
    fn slide(&mut self, mut states: GpuLayer) -> Result<GpuLayer, SolveError> {
        let buffer = self.sets.take(self.steps.gpu())?;
        let mut after = self.steps.layer(states.units(), buffer)?;
        self.steps.slide(&mut states, &mut after)?;
        self.sets.free.push(states.words);
        Ok(after)
    }

    fn ranked(&mut self, layer: &GpuLayer, live: bool) -> Result<Ranked, GpuError> {
        let buffer = self.sets.take(self.steps.gpu())?;
        Ranked::new(self.steps, &self.kernels, layer, live, buffer)
    }

    /// The states with a sum, if they are one of the two layers above and not empty.
    fn at(&self, units: usize) -> Option<Valued<'_>> {
        let solved = self.above.iter().flatten().find(|s| s.units == units)?;
        (solved.states.len > 0).then_some((&solved.states, &solved.values))
    }

    /// Adds the newest layer of states, and drops the oldest.
    fn push(&mut self, solved: Solved) {
        let [newer, _] = &mut self.above;
        let older = newer.replace(solved);
        self.above[1] = older;
    }

    fn release(&mut self, solved: Option<Solved>) {
        if let Some(solved) = solved {
            self.sets.free.push(solved.states.lines);
            self.values.free.push(solved.values);
        }
    }

    /// Computes the values of a layer's afterstates from the states above. They lie in a buffer
    /// for sets.
    fn afterstate_values(
        &mut self,
        units: usize,
        after: &Ranked,
    ) -> Result<GpuBuffer<u64>, GpuError> {
        let mut values = self.sets.take(self.steps.gpu())?;
        if after.len > 0 {
            let above = [self.at(units + 1), self.at(units + 2)];
            self.kernels
                .afterstate_values(self.steps, after, above, &mut values)?;
        }
        Ok(values)
    }

    /// Computes the values of a layer's states from its afterstates.
    fn state_values(&mut self, states: &Ranked, after: Valued) -> Result<GpuBuffer<u64>, GpuError> {
        let mut values = self.values.take(self.steps.gpu())?;
        if states.len > 0 {
            self.kernels
                .state_values(self.steps, states, not_empty(after), &mut values)?;
        }
        Ok(values)
    }

    /// Counts the sure wins and losses of a layer, and looks up the queries in it.
    fn report(&mut self, units: usize, states: Valued, after: Valued) -> Result<(), GpuError> {
        let gpu = self.steps.gpu();
        let sure = |(set, values): Valued| self.kernels.tally_sure(gpu, values, set.len);
        let [sure_wins, sure_losses] = sure(states)?;
        let [sure_afterstates, _] = sure(after)?;
        let sets = [states, after].map(not_empty);
        self.queries
            .lookup(units, gpu, &self.kernels, self.width, sets)?;
        let (states, afterstates) = (states.0.len, after.0.len);
        if states > 0 {
            self.layers.push(GpuSolvedLayer {
                sum: 2 * units as u32,
                states,
                afterstates,
                sure_wins,
                sure_losses,
                sure_afterstates,
            });
        }
        Ok(())
    }
}

/// A set, if it has boards.
fn not_empty(set: Valued) -> Option<Valued> {
    (set.0.len > 0).then_some(set)
}

impl Backward for Descent<'_> {
    type Error = SolveError;

    fn begin(&mut self) -> Result<(), SolveError> {
        self.clear_below();
        Ok(())
    }

    fn restore(&mut self, slot: usize) -> Result<(), SolveError> {
        self.clear_below();
        let (steps, sets) = (self.steps, &mut self.sets);
        self.below = self.slots[slot].restore(steps, || sets.take(steps.gpu()))?;
        Ok(())
    }

    fn advance(&mut self, step: usize) -> Result<(), SolveError> {
        let units = self.first + step;
        self.progress.stage(&format!("layer {} again", 2 * units));
        let states = self.spawn(units)?;
        let after = self.slide(states)?;
        self.below[1] = self.below[0].replace(after);
        Ok(())
    }

    fn keep(&mut self, slot: usize) -> Result<(), SolveError> {
        Ok(self.slots[slot].keep(self.steps, &self.below)?)
    }

    fn back(&mut self, step: usize) -> Result<(), SolveError> {
        let units = self.first + step;
        self.progress.stage(&format!("layer {}", 2 * units));
        let live = self.spawn(units)?;
        self.clear_below();
        let states = self.ranked(&live, true)?;
        let after = self.slide(live)?;
        let afterstates = self.ranked(&after, false)?;
        self.sets.free.push(after.words);
        let after_values = self.afterstate_values(units, &afterstates)?;
        let oldest = self.above[1].take();
        self.release(oldest);
        let values = self.state_values(&states, (&afterstates, &after_values))?;
        self.report(units, (&states, &values), (&afterstates, &after_values))?;
        self.progress.advance(states.len);
        self.sets.free.push(afterstates.lines);
        self.sets.free.push(after_values);
        self.push(Solved {
            units,
            states,
            values,
        });
        Ok(())
    }
}
