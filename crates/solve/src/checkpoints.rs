//! Going backward through layers that can only be made forward, with memory for a few of them.
//!
//! Every layer is made from the two before it, and the backward pass needs them in the opposite
//! order. Where they do not all fit, some are kept as checkpoints and the others are made again
//! from the last checkpoint below. With c checkpoints and at most r passes over any layer this
//! reaches back over (c + r choose c) layers: the binomial checkpointing of Griewank (1992). There
//! the next checkpoint has (c + r - 1 choose c) of the layers below it, r of c + r parts of them
//! all. Layers here differ in cost, so it goes where that part of the cost is below it.

/// What to do next. Steps are numbered from 0; to be *at* a step is to have what it is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Go to step 0, which is made from nothing.
    Begin,
    /// Go to the step that was kept in a place.
    Restore(usize),
    /// Make a step, and be at the next.
    Advance(usize),
    /// Keep where we are in a place. What was there is of no use any more.
    Keep(usize),
    /// Make a step and go backward through it.
    Back(usize),
}

/// Ways back through steps of given costs.
///
/// ```
/// use tilebase_solve::{Action, Checkpoints};
///
/// let checkpoints = Checkpoints::new(&[1; 10]);
/// // Ten steps, two places and the beginning, which needs none: (3 + 2 choose 3) is ten, so no
/// // step is made more than twice on the way.
/// let plan = checkpoints.plan(2);
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

    /// What to do, in order, with places for so many checkpoints.
    pub fn plan(&self, places: usize) -> Vec<Action> {
        let mut way = Way {
            checkpoints: self,
            places,
            at: None,
            actions: Vec::new(),
        };
        let steps = self.before.len() - 1;
        if steps > 0 {
            way.back((0, steps), 0, None);
        }
        way.actions
    }

    /// The cost of making all steps once.
    pub fn once(&self) -> u64 {
        self.before.last().copied().unwrap_or(0)
    }

    /// The cost of the steps that a plan makes on the way.
    pub fn cost(&self, plan: &[Action]) -> u64 {
        let costs = plan.iter().map(|&action| match action {
            Action::Advance(step) => self.before[step + 1] - self.before[step],
            _ => 0,
        });
        costs.sum()
    }

    /// Where the next checkpoint goes in a range of at least two steps, so many places being
    /// free.
    fn middle(&self, low: usize, high: usize, free: usize) -> usize {
        // The lowest step is a checkpoint already.
        let places = free as u128 + 1;
        let (mut passes, mut reach) = (0, 1);
        while reach < (high - low) as u128 {
            passes += 1;
            reach = reach * (places + passes) / passes;
        }
        let cost = u128::from(self.before[high] - self.before[low]);
        let below = self.before[low] + (cost * passes / (places + passes)) as u64;
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

/// A plan in the making.
struct Way<'a> {
    checkpoints: &'a Checkpoints,
    places: usize,
    at: Option<usize>,
    actions: Vec<Action>,
}

impl Way<'_> {
    /// Goes to a step from the one that is kept in a place, or from the beginning.
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

    /// Goes backward through a range of steps whose lowest is kept in a place, if not the first.
    fn back(&mut self, (low, high): (usize, usize), used: usize, place: Option<usize>) {
        let free = self.places - used;
        if high - low == 1 || free == 0 {
            for step in (low..high).rev() {
                self.reach((low, place), step);
                self.actions.push(Action::Back(step));
                // What the step was made from is used up.
                self.at = None;
            }
            return;
        }
        let middle = self.checkpoints.middle(low, high, free);
        self.reach((low, place), middle);
        self.actions.push(Action::Keep(used));
        self.back((middle, high), used + 1, Some(used));
        self.back((low, middle), used, place);
    }
}

/// A machine that can do what plans ask for.
pub trait Backward {
    /// What goes wrong.
    type Error;

    /// Goes to the first step.
    fn begin(&mut self) -> Result<(), Self::Error>;
    /// Goes to the step that is kept in a place.
    fn restore(&mut self, place: usize) -> Result<(), Self::Error>;
    /// Makes a step.
    fn advance(&mut self, step: usize) -> Result<(), Self::Error>;
    /// Keeps where it is.
    fn keep(&mut self, place: usize) -> Result<(), Self::Error>;
    /// Makes a step and goes backward through it.
    fn back(&mut self, step: usize) -> Result<(), Self::Error>;
}

/// Does what a plan says.
pub fn carry_out<B: Backward>(plan: &[Action], machine: &mut B) -> Result<(), B::Error> {
    for &action in plan {
        match action {
            Action::Begin => machine.begin()?,
            Action::Restore(place) => machine.restore(place)?,
            Action::Advance(step) => machine.advance(step)?,
            Action::Keep(place) => machine.keep(place)?,
            Action::Back(step) => machine.back(step)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
