//! Every bag that can arise, and what follows it.

use std::collections::BTreeSet;

use tilebase_util::progress::{Progress, Unit};

use crate::lower_bound::bag::Bag;
use crate::lower_bound::goal::{BoundError, Goal};

/// How many bags go by between two words to the listener.
pub(crate) const BATCH: usize = 1024;

/// A state of the chain. Each step adds a tile, so the order by sum is an order in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    bag: Bag,
    /// Start tiles that are still to fall; play begins when there are none.
    to_come: u16,
}

/// What follows a state: the indices of the states after a 2 and after a 4 has fallen. A
/// tile that never falls leads where the other one does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A start tile falls.
    Start([u32; 2]),
    /// Pairs merge, then a tile falls.
    Move([u32; 2]),
    /// Pairs merge and the target is there.
    Win,
}

/// All states in order of their sums, the empty bag first.
pub(crate) struct Chain {
    goal: Goal,
    steps: Vec<Step>,
}

impl Chain {
    /// Finds all states, from the lightest on.
    pub(crate) fn new(goal: Goal, progress: &dyn Progress) -> Result<Chain, BoundError> {
        progress.begin(Unit::States, None);
        let mut states = Vec::new();
        let mut waiting = BTreeSet::from([State {
            bag: Bag::EMPTY,
            to_come: goal.start_tiles(),
        }]);
        // Whatever leads to the lightest state is lighter and has been seen: it is final.
        while let Some(state) = waiting.pop_first() {
            states.push(state);
            waiting.extend(after(&goal, &state).into_iter().flatten());
            if states.len() % BATCH == 0 {
                if progress.interrupted() {
                    return Err(BoundError::Interrupted);
                }
                progress.advance(BATCH as u64);
            }
        }
        let index = |state: &State| states.partition_point(|other| other < state) as u32;
        let step = |state: &State| match after(&goal, state) {
            None => Step::Win,
            Some(next) if state.to_come > 0 => Step::Start(next.each_ref().map(index)),
            Some(next) => Step::Move(next.each_ref().map(index)),
        };
        Ok(Chain {
            goal,
            steps: states.iter().map(step).collect(),
        })
    }

    /// What follows each state. Later states follow earlier ones.
    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The goal that the chain leads to.
    pub(crate) fn goal(&self) -> &Goal {
        &self.goal
    }

    /// How many bags there are in play, before the target is made.
    pub(crate) fn bags(&self) -> usize {
        let starts = |step: &&Step| !matches!(step, Step::Start(_));
        self.steps.iter().filter(starts).count()
    }

    /// How many transitions there are between bags, and from bags to the target.
    pub(crate) fn transitions(&self) -> usize {
        let falls = self.goal.spawn().exponents().count();
        let leaving = |step: &Step| match step {
            Step::Start(_) => 0,
            Step::Move(_) => falls,
            Step::Win => 1,
        };
        self.steps.iter().map(leaving).sum()
    }
}

/// The states after a 2 and after a 4 has fallen, unless the target is made before.
fn after(goal: &Goal, state: &State) -> Option<[State; 2]> {
    let (bag, to_come) = match state.to_come {
        0 => (state.bag.merged(), 0),
        tiles => (state.bag, tiles - 1),
    };
    if bag.count(goal.target()) > 0 {
        return None;
    }
    let next = |exponent| State {
        bag: bag.with(exponent),
        to_come,
    };
    Some(match (goal.spawn().weight(1), goal.spawn().weight(2)) {
        (_, 0) => [next(1), next(1)],
        (0, _) => [next(2), next(2)],
        _ => [next(1), next(2)],
    })
}
