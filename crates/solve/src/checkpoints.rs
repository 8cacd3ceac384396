//! Going backward through layers that can only be made forward, with memory for a few of them.
//!
//! Every layer is made from the two before it, and the backward pass needs them in the opposite
//! order. Where they do not all fit, some are kept as checkpoints and the others are made again
//! from the last checkpoint below. With c checkpoints and at most r passes over any layer this
//! reaches back over (c + r choose c) layers, which is the binomial checkpointing of Griewank
//! (1992). Layers here differ in cost, so the places of the checkpoints come from the recursion
//! itself: a checkpoint in the middle, then the part above it with one place less, then the part
//! below it.

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

/// The best ways through steps of given costs, for every number of places up to a largest.
///
/// ```
/// use tilebase_solve::{Action, Checkpoints};
///
/// let checkpoints = Checkpoints::new(&[1; 10], 2);
/// // Ten steps, two places and the beginning, which needs none: (3 + 2 choose 3) is ten, so no
/// // step is made more than twice on the way.
/// let plan = checkpoints.plan(2);
/// let made = |step| plan.iter().filter(|&&action| action == Action::Advance(step)).count();
/// assert!((0..10).all(|step| made(step) <= 2));
/// ```
pub struct Checkpoints {
    steps: usize,
    /// Costs of all steps before each.
    before: Vec<u64>,
    /// For every number of places: for a range of steps, where the next checkpoint goes.
    splits: Vec<Vec<u16>>,
}

impl Checkpoints {
    /// Finds them; the work grows with the cube of the number of steps.
    pub fn new(costs: &[u64], places: usize) -> Checkpoints {
        let steps = costs.len();
        let mut before = vec![0];
        for cost in costs {
            before.push(before.last().copied().unwrap_or(0) + cost);
        }
        let at = |low: usize, high: usize| low * (steps + 1) + high;
        // Without a place every step is reached from the lowest one.
        let mut fewer = vec![0u64; (steps + 1) * (steps + 1)];
        for low in 0..steps {
            for high in low + 2..=steps {
                let reach = before[high - 1] - before[low];
                fewer[at(low, high)] = fewer[at(low, high - 1)] + reach;
            }
        }
        let mut splits = Vec::new();
        for _ in 0..places {
            let mut best = vec![0u64; fewer.len()];
            let mut split = vec![0u16; fewer.len()];
            for length in 2..=steps {
                for low in 0..=steps - length {
                    let high = low + length;
                    let cost = |middle: usize| {
                        before[middle] - before[low]
                            + fewer[at(middle, high)]
                            + best[at(low, middle)]
                    };
                    let found = (low + 1..high).map(|middle| (cost(middle), middle)).min();
                    let (cost, middle) = found.unwrap_or((0, low));
                    best[at(low, high)] = cost;
                    split[at(low, high)] = middle as u16;
                }
            }
            splits.push(split);
            fewer = best;
        }
        Checkpoints {
            steps,
            before,
            splits,
        }
    }

    /// What to do, in order, with so many places (at most the largest number).
    pub fn plan(&self, places: usize) -> Vec<Action> {
        let mut way = Way {
            checkpoints: self,
            places: places.min(self.splits.len()),
            at: None,
            actions: Vec::new(),
        };
        if self.steps > 0 {
            way.back((0, self.steps), 0, None);
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
        let split = &self.checkpoints.splits[free - 1];
        let middle = usize::from(split[low * (self.checkpoints.steps + 1) + high]);
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
mod tests {
    use super::*;

    /// Knows where it is and what it has kept, and that it goes backward in order.
    struct Simulated {
        at: Option<usize>,
        kept: Vec<Option<usize>>,
        next: usize,
    }

    impl Backward for Simulated {
        type Error = String;

        fn begin(&mut self) -> Result<(), String> {
            self.at = Some(0);
            Ok(())
        }
        fn restore(&mut self, place: usize) -> Result<(), String> {
            self.at = self.kept[place];
            self.at.map(|_| ()).ok_or("nothing is kept".to_owned())
        }
        fn advance(&mut self, step: usize) -> Result<(), String> {
            if self.at != Some(step) {
                return Err(format!("at {:?}, not {step}", self.at));
            }
            self.at = Some(step + 1);
            Ok(())
        }
        fn keep(&mut self, place: usize) -> Result<(), String> {
            self.kept[place] = self.at;
            Ok(())
        }
        fn back(&mut self, step: usize) -> Result<(), String> {
            if self.at != Some(step) || self.next != step + 1 {
                return Err(format!("at {:?}, back {} to {step}", self.at, self.next));
            }
            self.at = None;
            self.next = step;
            Ok(())
        }
    }

    fn choose(n: u64, k: u64) -> u64 {
        (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
    }

    #[test]
    fn every_plan_goes_back_through_all_steps() {
        for steps in 0..30 {
            let costs: Vec<u64> = (0..steps).map(|i| 1 + i * (steps - i)).collect();
            let checkpoints = Checkpoints::new(&costs, 6);
            for places in 0..=6 {
                let mut machine = Simulated {
                    at: None,
                    kept: vec![None; places],
                    next: steps as usize,
                };
                carry_out(&checkpoints.plan(places), &mut machine).unwrap();
                assert_eq!(machine.next, 0);
            }
        }
    }

    /// With c places and steps that cost the same, l steps with (c+r-1 choose c) < l <= (c+r choose c)
    /// take r l - (c+r choose c+1) advances (Griewank and Walther 2000, counting as here), and
    /// more places never cost more.
    #[test]
    fn plans_cost_what_the_theory_says() {
        for steps in 1..60u64 {
            let checkpoints = Checkpoints::new(&vec![1; steps as usize], 5);
            let mut last = u64::MAX;
            for places in 0..=5u64 {
                // The beginning is a checkpoint that needs no place.
                let c = places + 1;
                let mut r = 0;
                while choose(c + r, c) < steps {
                    r += 1;
                }
                let expected = r * steps - choose(c + r, c + 1);
                let cost = checkpoints.cost(&checkpoints.plan(places as usize));
                assert_eq!(cost, expected, "{steps} steps, {places} places");
                assert!(cost <= last);
                last = cost;
            }
        }
    }
}
