//! A*: always the position with the least sum of steps and heuristic.
//!
//! A position is stored as six bytes in the tree, its steps, its key in the closed set, and the
//! position itself only while it waits in the open list. Boards up to 4×4 are their own keys;
//! others are told apart by 128 bits of hash.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::hash_map::Entry;

use tilebase_util::hash::FastMap;

use crate::cost::PriorityWeights;
use crate::search::{Evaluator, GoalNode, SearchEnd, SearchResult, SearchRun};
use crate::state_space::StateSpace;
use crate::successor::{Successor, roots, successors};
use crate::task::SpawnRule;
use crate::tree::SearchTree;

/// Among equal sums the position with more steps comes first, then the tidier one.
type OpenEntry = Reverse<(u64, Reverse<u32>, u32, Reverse<u32>)>;

struct AStar<S: StateSpace> {
    tree: SearchTree,
    steps: Vec<u32>,
    /// Positions by number; those that are closed have left.
    states: Vec<S::State>,
    open: BinaryHeap<OpenEntry>,
    /// The number of each position, by key, and by steps where these matter.
    known: FastMap<(S::Key, u32), u32>,
    /// Bytes of open positions beyond the entries of `states`.
    beyond: usize,
    /// Whether the same tiles fall whenever a position comes up.
    timeless: bool,
}

/// Searches; `admissible` says that the heuristic never says too much.
pub(crate) fn search<S: StateSpace>(
    run: &mut SearchRun<'_, S>,
    evaluator: &mut Evaluator,
    weighting: PriorityWeights,
    admissible: bool,
) -> SearchResult {
    let (space, task) = (run.space, run.task);
    let (starts, all) = roots(space, task);
    let all = all && (space.lists_all_choices() || task.rule() != SpawnRule::Best);
    let mut search: AStar<S> = AStar {
        steps: vec![0; starts.len()],
        states: starts.iter().map(|grid| space.state(grid)).collect(),
        tree: SearchTree::new(starts),
        open: BinaryHeap::new(),
        known: FastMap::default(),
        beyond: 0,
        timeless: match task.rule() {
            // With one kind of tile the sum tells how many have fallen.
            SpawnRule::First | SpawnRule::Random => task.spawn().exponents().count() == 1,
            SpawnRule::Best | SpawnRule::Worst => true,
        },
    };
    search.beyond = search.states.iter().map(|s| beyond(space, s)).sum();
    let mut arrival = None;
    for (state, node) in search.states.iter().zip(0..) {
        if space.reaches(state, task.goal()) {
            arrival = Some((0, GoalNode { node, slide: None }));
        }
        let (rank, tie) = evaluator.rank(space, state, 0, weighting);
        search
            .open
            .push(Reverse((rank, Reverse(0), tie, Reverse(node))));
    }
    let mut cells = Vec::new();
    let mut furthest = (u64::MAX, 0);
    let end = loop {
        let Some(Reverse((rank, Reverse(steps), _, Reverse(node)))) = search.open.pop() else {
            break SearchEnd::Exhausted;
        };
        // The goal itself has no heuristic.
        if let Some((made, _)) = arrival
            && rank >= weighting.of_steps * u64::from(made)
        {
            break SearchEnd::Found;
        }
        if search.steps[node as usize] != steps {
            // A shorter way to this position was found after this entry was made.
            continue;
        }
        if let Some(end) = run.expand() {
            break end;
        }
        let promise = rank.saturating_sub(weighting.of_steps * u64::from(steps));
        if promise < furthest.0 {
            furthest = (promise, node);
        }
        let state = std::mem::take(&mut search.states[node as usize]);
        search.beyond -= beyond(space, &state);
        let number = u64::from(task.start_tiles()) + u64::from(steps);
        successors(
            space,
            task,
            &state,
            number,
            &mut cells,
            |successor| match successor {
                Successor::Goal(slide) => {
                    if arrival.is_none_or(|(made, _)| steps + 1 < made) {
                        let slide = Some(slide);
                        arrival = Some((steps + 1, GoalNode { node, slide }));
                    }
                }
                Successor::To(step, state) => {
                    let key = match task.rule() {
                        SpawnRule::Best => space.canonical_key(&state),
                        _ => space.key(&state),
                    };
                    let when = if search.timeless { 0 } else { steps + 1 };
                    let number = match search.known.entry((key, when)) {
                        Entry::Vacant(entry) => {
                            let number = search.tree.add(node, step);
                            search.steps.push(steps + 1);
                            search.states.push(S::State::default());
                            entry.insert(number);
                            number
                        }
                        Entry::Occupied(entry) => {
                            let number = *entry.get();
                            if search.steps[number as usize] <= steps + 1 {
                                return;
                            }
                            search.tree.move_to(number, node, step);
                            search.steps[number as usize] = steps + 1;
                            number
                        }
                    };
                    let (rank, tie) = evaluator.rank(space, &state, steps + 1, weighting);
                    search.beyond += beyond(space, &state);
                    search.states[number as usize] = state;
                    let place = (rank, Reverse(steps + 1), tie, Reverse(number));
                    search.open.push(Reverse(place));
                }
            },
        );
        if let Some(end) = run.store(search.tree.len(), search.bytes()) {
            break end;
        }
    };
    let found = arrival.map(|(_, arrival)| arrival);
    let GoalNode { node, slide } = found.unwrap_or(GoalNode {
        node: furthest.1,
        slide: None,
    });
    let settled = matches!(end, SearchEnd::Found | SearchEnd::Exhausted);
    SearchResult {
        plan: search.tree.plan(node, slide),
        reached: found.is_some(),
        end: if found.is_some() && settled {
            SearchEnd::Found
        } else {
            end
        },
        complete: all && settled && (found.is_none() || admissible || end == SearchEnd::Exhausted),
    }
}

impl<S: StateSpace> AStar<S> {
    fn bytes(&self) -> usize {
        // A map keeps an eighth of its room free, and a byte of its own for each entry.
        let known = self.known.capacity() * (size_of::<((S::Key, u32), u32)>() + 1) * 8 / 7;
        self.tree.len() * SearchTree::BYTES
            + self.steps.len() * size_of::<u32>()
            + self.states.len() * size_of::<S::State>()
            + self.open.len() * size_of::<OpenEntry>()
            + known
            + self.beyond
    }
}

/// Bytes of a state beyond its own size.
fn beyond<S: StateSpace>(space: &S, state: &S::State) -> usize {
    space
        .state_bytes(state)
        .saturating_sub(size_of::<S::State>())
}
