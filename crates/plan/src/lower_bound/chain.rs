//! Every bag that can arise, and what follows it.

use std::collections::BTreeSet;

use tilebase_util::progress::{Progress, Unit};

use crate::lower_bound::bag::Bag;
use crate::lower_bound::goal::{BoundError, BoundGoal};

/// Progress is reported after this many bags.
pub(crate) const BATCH: usize = 1024;

/// A state of the chain. Each step adds a tile, so the order by sum is an order in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct BagState {
    bag: Bag,
    /// Start tiles that are still to fall; play begins when there are none.
    to_come: u16,
}

/// What follows a state: the indices of the states after a 2 and after a 4 has fallen. A
/// tile that never falls leads where the other one does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transition {
    /// A start tile falls.
    Start([u32; 2]),
    /// Pairs merge, then a tile falls.
    Move([u32; 2]),
    /// Pairs merge and the target is there.
    Win,
}

/// All states in order of their sums, the empty bag first.
pub(crate) struct Chain {
    goal: BoundGoal,
    steps: Vec<Transition>,
}

impl Chain {
    /// Finds all states, from the lightest on.
    pub(crate) fn new(goal: BoundGoal, progress: &dyn Progress) -> Result<Chain, BoundError> {
        progress.begin(Unit::States, None);
        let mut states = Vec::new();
        let mut waiting = BTreeSet::from([BagState {
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
        let index = |state: &BagState| states.partition_point(|other| other < state) as u32;
        let step = |state: &BagState| match after(&goal, state) {
            None => Transition::Win,
            Some(next) if state.to_come > 0 => Transition::Start(next.each_ref().map(index)),
            Some(next) => Transition::Move(next.each_ref().map(index)),
        };
        Ok(Chain {
            goal,
            steps: states.iter().map(step).collect(),
        })
    }

    /// What follows each state. Later states follow earlier ones.
    pub(crate) fn steps(&self) -> &[Transition] {
        &self.steps
    }

    /// The goal that the chain leads to.
    pub(crate) fn goal(&self) -> &BoundGoal {
        &self.goal
    }

    /// How many bags there are in play, before the target is made.
    pub(crate) fn bags(&self) -> usize {
        let starts = |step: &&Transition| !matches!(step, Transition::Start(_));
        self.steps.iter().filter(starts).count()
    }

    /// How many transitions there are between bags, and from bags to the target.
    pub(crate) fn transitions(&self) -> usize {
        let falls = self.goal.spawn().exponents().count();
        let leaving = |step: &Transition| match step {
            Transition::Start(_) => 0,
            Transition::Move(_) => falls,
            Transition::Win => 1,
        };
        self.steps.iter().map(leaving).sum()
    }
}

/// The states after a 2 and after a 4 has fallen, unless the target is made before.
fn after(goal: &BoundGoal, state: &BagState) -> Option<[BagState; 2]> {
    let (bag, to_come) = match state.to_come {
        0 => (state.bag.merged(), 0),
        tiles => (state.bag, tiles - 1),
    };
    if bag.count(goal.target()) > 0 {
        return None;
    }
    let next = |exponent| BagState {
        bag: bag.with(exponent),
        to_come,
    };
    Some(match (goal.spawn().weight(1), goal.spawn().weight(2)) {
        (_, 0) => [next(1), next(1)],
        (0, _) => [next(2), next(2)],
        _ => [next(1), next(2)],
    })
}
