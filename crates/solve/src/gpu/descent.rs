//! The backward pass on the GPU: one action of the plan after the other.

use std::collections::BTreeMap;
use std::time::Instant;

use tilebase_game::Board;
use tilebase_gpu::{Gpu, GpuBuffer, GpuError, GpuLayer, GpuSteps};
use tilebase_index::space::Space;
use tilebase_table::LayerFacts;
use tilebase_util::progress::{Progress, Unit};

use crate::checkpoints::Backward;
use crate::error::SolveError;

use super::kernels::Kernels;
use super::queries::Queries;
use super::ranked::{Ranked, Valued};
use super::run::Run;
use super::slots::Slot;
use super::table::TableFeed;
use super::{GpuSolvedLayer, Width};

/// The states of a layer, lost ones included, and their values.
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

    /// Fails if its buffers have fewer words than that.
    fn check(&self, words: u64) -> Result<(), GpuError> {
        tilebase_gpu::check_size(words as usize, self.words)
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
    pub run: Run,
    pub sets: Pool,
    pub values: Pool,
    /// For values of afterstates, if buffers for sets are too small for them.
    pub after_values: Option<Pool>,
    /// Where solved layers go.
    pub table: Option<TableFeed>,
    /// What is known of the layers on the first way up.
    pub reached: Reached,
    /// Afterstates one and two units below the next layer.
    pub below: [Option<GpuLayer>; 2],
    /// States one and two units above it.
    pub above: [Option<Solved>; 2],
    pub queries: Queries,
    pub layers: Vec<GpuSolvedLayer>,
    /// States without a slide.
    pub lost: u64,
    pub progress: &'a dyn Progress,
}

/// How far the first way up has come.
#[derive(Default)]
pub(super) struct Reached {
    /// The sum after the last layer, in units of 2.
    pub next: usize,
    /// Whether that layer has no afterstates.
    empty: bool,
    /// The sum from which on all layers are empty, once it is known.
    pub end: Option<usize>,
    /// Bits of all layers of states.
    pub bits: u64,
    /// When the first layer was solved.
    pub turned: Option<Instant>,
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

    fn ranked(&mut self, layer: &GpuLayer) -> Result<Ranked, GpuError> {
        let buffer = self.sets.take(self.steps.gpu())?;
        Ranked::new(self.steps, &self.kernels, layer, buffer)
    }

    /// Whether the layer with a sum, in units of 2, is known to be empty.
    fn is_over(&self, units: usize) -> bool {
        self.reached.end.is_some_and(|end| units >= end)
    }

    /// Notes the boards of a layer that is made for the first time. Above two layers without
    /// afterstates there is nothing, if no game starts there.
    fn note(&mut self, units: usize, states: u64, after: &GpuLayer) -> Result<(), GpuError> {
        let empty = self.kernels.count_bits(self.steps.gpu(), after)? == 0;
        let starts_above = self.starts.range(units + 1..).next().is_some();
        if empty && self.reached.empty && !starts_above {
            self.reached.end = Some(units + 1);
        }
        self.reached.bits += states;
        self.reached.empty = empty;
        self.reached.next = units + 1;
        Ok(())
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

    /// Words for the values of some boards.
    fn value_words(&self, boards: u64) -> u64 {
        (boards * self.width.bytes()).div_ceil(8)
    }

    /// Where values of afterstates lie.
    fn after_pool(&mut self) -> &mut Pool {
        self.after_values.as_mut().unwrap_or(&mut self.sets)
    }

    /// Computes the values of a layer's afterstates from the states above.
    fn afterstate_values(
        &mut self,
        units: usize,
        after: &Ranked,
    ) -> Result<GpuBuffer<u64>, GpuError> {
        let (gpu, words) = (self.steps.gpu(), self.value_words(after.len));
        let pool = self.after_pool();
        pool.check(words)?;
        let mut values = pool.take(gpu)?;
        if after.len > 0 {
            let above = [self.at(units + 1), self.at(units + 2)];
            self.kernels
                .afterstate_values(self.steps, after, above, &mut values)?;
        }
        Ok(values)
    }

    /// Computes the values of a layer's states from its afterstates.
    /// Also returns how many of them are lost.
    fn state_values(
        &mut self,
        states: &Ranked,
        after: Valued,
    ) -> Result<(GpuBuffer<u64>, u64), GpuError> {
        self.values.check(self.value_words(states.len))?;
        let mut values = self.values.take(self.steps.gpu())?;
        let mut lost = 0;
        if states.len > 0 {
            let after = not_empty(after);
            lost = self
                .kernels
                .state_values(self.steps, states, after, &mut values)?;
        }
        Ok((values, lost))
    }

    /// Counts the sure wins and losses of a layer, and looks up the queries in it. Returns the
    /// number of live states.
    fn report(
        &mut self,
        units: usize,
        states: Valued,
        lost: u64,
        after: Valued,
    ) -> Result<u64, SolveError> {
        let gpu = self.steps.gpu();
        let sure = |(set, values): Valued| self.kernels.tally_sure(gpu, values, set.len);
        let [sure_wins, sure_losses] = sure(states)?;
        let [sure_afterstates, _] = sure(after)?;
        let sets = [states, after].map(not_empty);
        self.queries
            .lookup(units, gpu, &self.kernels, self.width, sets)?;
        let live = states.0.len - lost;
        self.lost += lost;
        if live == 0 {
            return Ok(0);
        }
        let facts = LayerFacts {
            sum: 2 * units as u32,
            states: live,
            afterstates: after.0.len,
            sure_wins,
            sure_losses: sure_losses - lost,
        };
        self.layers.push(GpuSolvedLayer {
            sum: facts.sum,
            states: live,
            afterstates: facts.afterstates,
            sure_wins,
            sure_losses: facts.sure_losses,
            sure_afterstates,
        });
        let (afterstates, values) = after;
        let written = match &mut self.table {
            Some(table) => table.take(gpu, &self.kernels, facts, afterstates, values)?,
            None => true,
        };
        // If the writer has failed, it returns the error itself.
        written.then_some(live).ok_or(SolveError::Interrupted)
    }

    /// A copy of a layer of the run, counted from the newest.
    fn in_run(&mut self, from_newest: usize) -> Result<Option<GpuLayer>, GpuError> {
        let (steps, sets) = (self.steps, &mut self.sets);
        self.run.copy(steps, from_newest, || sets.take(steps.gpu()))
    }

    /// Solves the layer above the afterstates below. In a run its own afterstates are known.
    fn solve(&mut self, units: usize, in_run: bool) -> Result<(), SolveError> {
        self.turn();
        self.progress.stage(&format!("layer {}", 2 * units));
        let made = self.spawn(units)?;
        self.clear_below();
        let states = self.ranked(&made)?;
        let known = if in_run { self.in_run(0)? } else { None };
        let after = match known {
            Some(after) => {
                self.sets.free.push(made.words);
                after
            }
            None => self.slide(made)?,
        };
        let afterstates = self.ranked(&after)?;
        self.sets.free.push(after.words);
        let after_values = self.afterstate_values(units, &afterstates)?;
        let oldest = self.above[1].take();
        self.release(oldest);
        let (values, lost) = self.state_values(&states, (&afterstates, &after_values))?;
        let (solved, after) = ((&states, &values), (&afterstates, &after_values));
        let live = self.report(units, solved, lost, after)?;
        self.progress.advance(live);
        self.sets.free.push(afterstates.lines);
        self.after_pool().free.push(after_values);
        self.push(Solved {
            units,
            states,
            values,
        });
        Ok(())
    }

    /// The way up has ended for the first time: what there is to do is known, about.
    fn turn(&mut self) {
        if self.reached.turned.is_none() {
            self.reached.turned = Some(Instant::now());
            let states = self.reached.bits / images_kept(self.steps.space());
            self.progress.begin(Unit::States, Some(states));
        }
    }
}

/// How many bits of a layer most classes of boards have.
fn images_kept(space: &Space) -> u64 {
    match (space.cut.folded, space.is_closed_across()) {
        (true, true) => 2,
        (true, false) => 1,
        (false, _) => space.rules.symmetries().count() as u64,
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
        let mut made = None;
        if !self.is_over(units) {
            let first_time = units >= self.reached.next;
            let again = if first_time { "" } else { " again" };
            self.progress.stage(&format!("layer {}{again}", 2 * units));
            let states = self.spawn(units)?;
            let gpu = self.steps.gpu();
            let bits = match first_time {
                true => self.kernels.count_bits(gpu, &states)?,
                false => 0,
            };
            let after = self.slide(states)?;
            if first_time {
                self.note(units, bits, &after)?;
            }
            made = Some(after);
        }
        let newer = std::mem::replace(&mut self.below[0], made);
        let older = std::mem::replace(&mut self.below[1], newer);
        self.sets.free.extend(older.map(|layer| layer.words));
        Ok(())
    }

    fn keep(&mut self, slot: usize) -> Result<(), SolveError> {
        Ok(self.slots[slot].keep(self.steps, &self.below)?)
    }

    fn back(&mut self, step: usize) -> Result<(), SolveError> {
        let units = self.first + step;
        match self.is_over(units) {
            true => self.clear_below(),
            false => self.solve(units, false)?,
        }
        Ok(())
    }

    fn run(&mut self) -> Result<(), SolveError> {
        self.run.clear();
        for layer in self.below.iter().rev() {
            self.run.push(self.steps, layer.as_ref())?;
        }
        Ok(())
    }

    fn hold(&mut self) -> Result<(), SolveError> {
        Ok(self.run.push(self.steps, self.below[0].as_ref())?)
    }

    fn back_in_run(&mut self, step: usize) -> Result<(), SolveError> {
        let units = self.first + step;
        self.clear_below();
        if !self.is_over(units) {
            self.below = [self.in_run(1)?, self.in_run(2)?];
            self.solve(units, true)?;
        }
        self.run.pop();
        Ok(())
    }
}
