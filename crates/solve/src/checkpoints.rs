//! Binomial checkpointing: going backward through layers that can only be computed forward, with
//! memory for a few of them.
//!
//! Every layer is computed from the two before it, and the backward pass needs them in the
//! opposite order. Where they do not all fit in memory, some are kept as checkpoints and the
//! others are recomputed from the last checkpoint below. With c checkpoints and at most r passes
//! over any layer this reaches back over (c + r choose c) layers (Griewank 1992). There the next
//! checkpoint has (c + r - 1 choose c) of the layers below it, a fraction r / (c + r) of all.
//! Layers here differ in cost, so the checkpoint goes where that fraction of the cost is below.
//!
//! A *run* is a stretch of layers that are all kept: going back through it makes none of them
//! again. With runs, the layers above are runs.

/// One action of a plan. Steps are numbered from 0; to be *at* a step is to have its inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Go to step 0, which needs no input.
    Begin,
    /// Go to the step that was kept in a slot.
    Restore(usize),
    /// Compute a step, and be at the next.
    Advance(usize),
    /// Keep the current step in a slot; its old content is no longer needed.
    Keep(usize),
    /// Compute a step and go backward through it.
    Back(usize),
    /// Begin a run with the inputs of the current step.
    Run,
    /// Add the result of the step that was computed last to the run.
    Hold,
    /// Go backward through the last step of the run, whose inputs and result are there.
    BackInRun(usize),
}

/// Plans a backward pass over steps of given costs.
///
/// ```
/// use tilebase_solve::{Action, Checkpoints};
///
/// let checkpoints = Checkpoints::new(&[1; 10]);
/// // Ten steps, two slots and the beginning, which needs none: (3 + 2 choose 3) is ten, so no
/// // step is computed more than twice on the way.
/// let plan = checkpoints.plan(2, 0);
/// let made = |step| plan.iter().filter(|&&action| action == Action::Advance(step)).count();
/// assert!((0..10).all(|step| made(step) <= 2));
/// ```
pub struct Checkpoints {
    /// Costs of all steps before each; one more entry for the end.
    before: Vec<u64>,
}

impl Checkpoints {
    /// For steps of these costs.
    pub fn new(costs: &[u64]) -> Checkpoints {
        let mut before = vec![0];
        for cost in costs {
            before.push(before.last().copied().unwrap_or(0) + cost);
        }
        Checkpoints { before }
    }

    /// The actions in order, with this many slots for checkpoints, and room for runs of steps that
    /// cost no more than `run`.
    pub fn plan(&self, places: usize, run: u64) -> Vec<Action> {
        let mut way = Way {
            checkpoints: self,
            places,
            run,
            at: None,
            actions: Vec::new(),
        };
        let steps = self.before.len() - 1;
        if steps > 0 {
            way.back((0, steps), 0, None);
        }
        way.actions
    }

    /// The cost of computing all steps once.
    pub fn once(&self) -> u64 {
        self.before.last().copied().unwrap_or(0)
    }

    /// The cost of the steps that a plan computes on the way.
    pub fn cost(&self, plan: &[Action]) -> u64 {
        self.total(plan, |action| match action {
            Action::Advance(step) => Some(step),
            _ => None,
        })
    }

    /// The cost of the steps whose results are there when a plan goes backward through them.
    pub fn at_hand(&self, plan: &[Action]) -> u64 {
        self.total(plan, |action| match action {
            Action::BackInRun(step) => Some(step),
            _ => None,
        })
    }

    /// The cost of some of a plan's steps.
    fn total(&self, plan: &[Action], step: impl Fn(Action) -> Option<usize>) -> u64 {
        let steps = plan.iter().filter_map(|&action| step(action));
        steps
            .map(|step| self.before[step + 1] - self.before[step])
            .sum()
    }

    /// The first step of the longest run to before `high` that there is room for. A run keeps the two
    /// results below its first step, and those of all its steps but the last, which is gone through
    /// as soon as it is computed. A single step needs no run.
    fn run_start(&self, low: usize, high: usize, run: u64) -> usize {
        let end = self.before[high - 1];
        if end - self.before[low.saturating_sub(2)] <= run {
            return low;
        }
        let kept = self.before.partition_point(|&cost| cost + run < end);
        (kept + 2).clamp(low, high - 1)
    }

    /// Where the next checkpoint goes in a range of at least two steps, with this many free slots.
    fn middle(&self, low: usize, high: usize, free: usize, run: u64) -> usize {
        let cost = u128::from(self.before[high] - self.before[low]);
        // Runs are single steps if there is no room for more.
        let runs = match run {
            0 => (high - low) as u128,
            run => cost.div_ceil(run.into()).min((high - low) as u128).max(2),
        };
        // The lowest step is a checkpoint already.
        let places = free as u128 + 1;
        let (mut passes, mut reach) = (0, 1);
        while reach < runs {
            passes += 1;
            reach = reach * (places + passes) / passes;
        }
        // A checkpoint for each run is best where there are as many.
        let below = match run {
            1.. if runs <= places => cost / runs,
            _ => cost * passes / (places + passes),
        };
        let below = self.before[low] + below as u64;
        let after = self.before.partition_point(|&cost| cost < below);
        // The nearer of the two steps around it.
        let near = |step: usize| self.before[step].abs_diff(below);
        let middle = if after > low + 1 && near(after - 1) <= near(after) {
            after - 1
        } else {
            after
        };
        middle.clamp(low + 1, high - 1)
    }
}

/// A plan under construction.
struct Way<'a> {
    checkpoints: &'a Checkpoints,
    places: usize,
    run: u64,
    at: Option<usize>,
    actions: Vec<Action>,
}

impl Way<'_> {
    /// Goes to a step from the one that is kept in a slot, or from the beginning.
    fn reach(&mut self, (from, place): (usize, Option<usize>), to: usize) {
        if self.at != Some(from) {
            self.actions.push(match place {
                Some(place) => Action::Restore(place),
                None => Action::Begin,
            });
        }
        self.actions.extend((from..to).map(Action::Advance));
        self.at = Some(to);
    }

    /// Goes backward through a range of steps whose lowest is kept in a slot, if not the first.
    fn back(&mut self, (low, high): (usize, usize), used: usize, place: Option<usize>) {
        let free = self.places - used;
        if free == 0 || self.checkpoints.run_start(low, high, self.run) == low {
            // One run after the other, from the top.
            let mut end = high;
            while end > low {
                let first = self.checkpoints.run_start(low, end, self.run);
                self.reach((low, place), first);
                self.back_through(first, end);
                end = first;
            }
            return;
        }
        let middle = self.checkpoints.middle(low, high, free, self.run);
        self.reach((low, place), middle);
        self.actions.push(Action::Keep(used));
        self.back((middle, high), used + 1, Some(used));
        self.back((low, middle), used, place);
    }

    /// Goes backward through a run, being at its first step.
    fn back_through(&mut self, first: usize, end: usize) {
        let last = end - 1;
        if first < last {
            self.actions.push(Action::Run);
        }
        for step in first..last {
            self.actions.extend([Action::Advance(step), Action::Hold]);
        }
        self.actions.push(Action::Back(last));
        self.actions
            .extend((first..last).rev().map(Action::BackInRun));
        // The inputs of the steps are consumed.
        self.at = None;
    }
}

/// The operations that plans consist of.
pub trait Backward {
    /// The error of an operation.
    type Error;

    /// Goes to the first step.
    fn begin(&mut self) -> Result<(), Self::Error>;
    /// Goes to the step that is kept in a slot.
    fn restore(&mut self, place: usize) -> Result<(), Self::Error>;
    /// Computes a step.
    fn advance(&mut self, step: usize) -> Result<(), Self::Error>;
    /// Keeps the current step in a slot.
    fn keep(&mut self, place: usize) -> Result<(), Self::Error>;
    /// Computes a step and goes backward through it.
    fn back(&mut self, step: usize) -> Result<(), Self::Error>;
    /// Begins a run with the inputs of the current step.
    fn run(&mut self) -> Result<(), Self::Error>;
    /// Adds the result of the step that was computed last to the run.
    fn hold(&mut self) -> Result<(), Self::Error>;
    /// Goes backward through the last step of the run.
    fn back_in_run(&mut self, step: usize) -> Result<(), Self::Error>;
}

/// Executes a plan.
pub fn carry_out<B: Backward>(plan: &[Action], machine: &mut B) -> Result<(), B::Error> {
    for &action in plan {
        match action {
            Action::Begin => machine.begin()?,
            Action::Restore(place) => machine.restore(place)?,
            Action::Advance(step) => machine.advance(step)?,
            Action::Keep(place) => machine.keep(place)?,
            Action::Back(step) => machine.back(step)?,
            Action::Run => machine.run()?,
            Action::Hold => machine.hold()?,
            Action::BackInRun(step) => machine.back_in_run(step)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
