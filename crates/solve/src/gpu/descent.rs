//! The backward pass on the GPU, one step of the plan after the other.

use std::collections::BTreeMap;

use cudarc::driver::CudaSlice;
use tilebase_count::{GpuLayer, GpuSteps};
use tilebase_game::Board;
use tilebase_gpu::told;
use tilebase_util::progress::Progress;

use crate::checkpoints::Backward;
use crate::error::SolveError;

use super::kernels::{Kernels, failed};
use super::places::Place;
use super::question::Questions;
use super::ranked::Ranked;
use super::{GpuSolvedLayer, Width};

/// States of a layer, and what they are worth.
pub(super) struct Solved {
    units: usize,
    states: Ranked,
    worths: CudaSlice<u64>,
}

/// The memory that sets and worths lie in: pieces of one size each, used again and again.
pub(super) struct Pool {
    words: usize,
    free: Vec<CudaSlice<u64>>,
}

impl Pool {
    /// Pieces of so many words.
    pub fn new(words: usize) -> Pool {
        Pool {
            words,
            free: Vec::new(),
        }
    }

    fn take(&mut self, steps: &GpuSteps) -> Result<CudaSlice<u64>, SolveError> {
        match self.free.pop() {
            Some(memory) => Ok(memory),
            None => {
                let memory = steps.stream().alloc_zeros(self.words.max(1));
                memory.map_err(|error| failed(told("taking the GPU's memory")(error)))
            }
        }
    }
}

/// Where the backward pass is.
pub(super) struct Descent<'a> {
    pub steps: &'a GpuSteps,
    pub kernels: Kernels,
    /// Start states by their sums, in units of 2.
    pub starts: BTreeMap<usize, Vec<Board>>,
    pub width: Width,
    /// The sum of the first step, in units of 2.
    pub first: usize,
    pub places: Vec<Place>,
    pub sets: Pool,
    pub worths: Pool,
    /// Afterstates one and two units below the next layer.
    pub below: [Option<GpuLayer>; 2],
    /// States one and two units above it.
    pub above: [Option<Solved>; 2],
    pub questions: Questions,
    pub layers: Vec<GpuSolvedLayer>,
    pub progress: &'a dyn Progress,
}

impl Descent<'_> {
    fn leave(&mut self) {
        for layer in &mut self.below {
            self.sets.free.extend(layer.take().map(|layer| layer.words));
        }
    }

    /// The states of a layer, made from the afterstates below.
    fn spawn(&mut self, units: usize) -> Result<GpuLayer, SolveError> {
        if self.progress.interrupted() {
            return Err(SolveError::Interrupted);
        }
        let memory = self.sets.take(self.steps)?;
        let mut states = self.steps.layer(units, memory)?;
        let below = self.below.each_ref().map(Option::as_ref);
        let starts = self.starts.get(&units).map_or(&[][..], Vec::as_slice);
        self.steps.spawn(&mut states, below, starts)?;
        // The older afterstates have served.
        let older = self.below[1].take();
        self.sets.free.extend(older.map(|layer| layer.words));
        Ok(states)
    }

    /// The afterstates of a layer.
    fn slide(&mut self, mut states: GpuLayer) -> Result<GpuLayer, SolveError> {
        let memory = self.sets.take(self.steps)?;
        let mut after = self.steps.layer(states.units(), memory)?;
        self.steps.slide(&mut states, &mut after)?;
        self.sets.free.push(states.words);
        Ok(after)
    }

    fn ranked(&mut self, layer: &GpuLayer, live: bool) -> Result<Ranked, SolveError> {
        let memory = self.sets.take(self.steps)?;
        Ranked::new(self.steps, &self.kernels, layer, live, memory)
    }

    /// The states with a sum, if they are the next or the ones after.
    fn at(&self, units: usize) -> Option<(&Ranked, &CudaSlice<u64>)> {
        let solved = self.above.iter().flatten().find(|s| s.units == units)?;
        (solved.states.len > 0).then_some((&solved.states, &solved.worths))
    }

    /// The newest layer of states takes the place of the oldest.
    fn push(&mut self, solved: Solved) {
        let [newer, _] = &mut self.above;
        let older = newer.replace(solved);
        self.above[1] = older;
    }

    fn release(&mut self, solved: Option<Solved>) {
        if let Some(solved) = solved {
            self.sets.free.push(solved.states.lines);
            self.worths.free.push(solved.worths);
        }
    }
}

impl Backward for Descent<'_> {
    type Error = SolveError;

    fn begin(&mut self) -> Result<(), SolveError> {
        self.leave();
        Ok(())
    }

    fn restore(&mut self, place: usize) -> Result<(), SolveError> {
        self.leave();
        let (steps, sets) = (self.steps, &mut self.sets);
        self.below = self.places[place].restore(steps, || sets.take(steps))?;
        Ok(())
    }

    fn advance(&mut self, step: usize) -> Result<(), SolveError> {
        let units = self.first + step;
        self.progress
            .stage(&format!("layer {} once more", 2 * units));
        let states = self.spawn(units)?;
        let after = self.slide(states)?;
        self.below[1] = self.below[0].replace(after);
        Ok(())
    }

    fn keep(&mut self, place: usize) -> Result<(), SolveError> {
        self.places[place].keep(self.steps, &self.below)
    }

    fn back(&mut self, step: usize) -> Result<(), SolveError> {
        let units = self.first + step;
        self.progress.stage(&format!("layer {}", 2 * units));
        let live = self.spawn(units)?;
        self.leave();
        let states = self.ranked(&live, true)?;
        let after = self.slide(live)?;
        let afterstates = self.ranked(&after, false)?;
        self.sets.free.push(after.words);
        let mut after_worths = self.sets.take(self.steps)?;
        if afterstates.len > 0 {
            let above = [self.at(units + 1), self.at(units + 2)];
            self.kernels
                .after_worths(self.steps, &afterstates, above, &mut after_worths)?;
        }
        let oldest = self.above[1].take();
        self.release(oldest);
        let mut worths = self.worths.take(self.steps)?;
        let after = (afterstates.len > 0).then_some((&afterstates, &after_worths));
        if states.len > 0 {
            self.kernels
                .state_worths(self.steps, &states, after, &mut worths)?;
        }
        let sure =
            |worths: &CudaSlice<u64>, number| self.kernels.tally_sure(self.steps, worths, number);
        let [sure_wins, sure_losses] = sure(&worths, states.len)?;
        let [sure_after, _] = sure(&after_worths, afterstates.len)?;
        let known = (states.len > 0).then_some((&states, &worths));
        self.questions
            .ask(units, self.steps, &self.kernels, self.width, [known, after])?;
        if states.len > 0 {
            self.layers.push(GpuSolvedLayer {
                sum: 2 * units as u32,
                states: states.len,
                afterstates: afterstates.len,
                sure_wins,
                sure_losses,
                sure_afterstates: sure_after,
            });
        }
        self.progress.advance(states.len);
        self.sets.free.push(afterstates.lines);
        self.sets.free.push(after_worths);
        self.push(Solved {
            units,
            states,
            worths,
        });
        Ok(())
    }
}
