//! A*: always the position with the least sum of steps and heuristic.
//!
//! A position is stored as six bytes in the tree, its steps, its key in the closed set, and the
//! position itself only while it waits in the open list. Boards up to 4×4 are their own keys;
//! others are told apart by 128 bits of hash.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::hash_map::Entry;

use tilebase_util::hash::FastMap;

use crate::cost::Weighting;
use crate::ground::Ground;
use crate::search::{Arrival, End, Found, Judge, Run};
use crate::task::SpawnRule;
use crate::tree::Tree;
use crate::turn::{Turn, roots, turns};

/// Among equal sums the position with more steps comes first, then the tidier one.
type Place = Reverse<(u64, Reverse<u32>, u32, Reverse<u32>)>;

struct Search<G: Ground> {
    tree: Tree,
    steps: Vec<u32>,
    /// Positions by number; those that are closed have left.
    states: Vec<G::State>,
    open: BinaryHeap<Place>,
    /// The number of each position, by key, and by steps where these matter.
    known: FastMap<(G::Key, u32), u32>,
    /// Bytes of open positions beyond the entries of `states`.
    beyond: usize,
    /// Whether the same tiles fall whenever a position comes up.
    timeless: bool,
}

/// Searches; `admissible` says that the heuristic never says too much.
pub(crate) fn search<G: Ground>(
    run: &mut Run<'_, G>,
    judge: &mut Judge,
    weighting: Weighting,
    admissible: bool,
) -> Found {
    let (ground, task) = (run.ground, run.task);
    let (starts, all) = roots(ground, task);
    let all = all && (ground.all_choices() || task.rule() != SpawnRule::Best);
    let mut search: Search<G> = Search {
        steps: vec![0; starts.len()],
        states: starts.iter().map(|grid| ground.state(grid)).collect(),
        tree: Tree::new(starts),
        open: BinaryHeap::new(),
        known: FastMap::default(),
        beyond: 0,
        timeless: match task.rule() {
            // With one kind of tile the sum tells how many have fallen.
            SpawnRule::First | SpawnRule::Random => task.spawn().exponents().count() == 1,
            SpawnRule::Best | SpawnRule::Worst => true,
        },
    };
    search.beyond = search.states.iter().map(|s| beyond(ground, s)).sum();
    let mut arrival = None;
    for (state, node) in search.states.iter().zip(0..) {
        if ground.reaches(state, task.goal()) {
            arrival = Some((0, Arrival { node, slide: None }));
        }
        let (rank, tie) = judge.rank(ground, state, 0, weighting);
        search
            .open
            .push(Reverse((rank, Reverse(0), tie, Reverse(node))));
    }
    let mut cells = Vec::new();
    let mut furthest = (u64::MAX, 0);
    let end = loop {
        let Some(Reverse((rank, Reverse(steps), _, Reverse(node)))) = search.open.pop() else {
            break End::Exhausted;
        };
        // The goal itself has no heuristic.
        if let Some((made, _)) = arrival
            && rank >= weighting.of_steps * u64::from(made)
        {
            break End::Found;
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
        search.beyond -= beyond(ground, &state);
        let number = u64::from(task.start_tiles()) + u64::from(steps);
        turns(
            ground,
            task,
            &state,
            number,
            &mut cells,
            |turn| match turn {
                Turn::Goal(slide) => {
                    if arrival.is_none_or(|(made, _)| steps + 1 < made) {
                        let slide = Some(slide);
                        arrival = Some((steps + 1, Arrival { node, slide }));
                    }
                }
                Turn::To(step, state) => {
                    let key = match task.rule() {
                        SpawnRule::Best => ground.canonical_key(&state),
                        _ => ground.key(&state),
                    };
                    let when = if search.timeless { 0 } else { steps + 1 };
                    let number = match search.known.entry((key, when)) {
                        Entry::Vacant(entry) => {
                            let number = search.tree.add(node, step);
                            search.steps.push(steps + 1);
                            search.states.push(G::State::default());
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
                    let (rank, tie) = judge.rank(ground, &state, steps + 1, weighting);
                    search.beyond += beyond(ground, &state);
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
    let Arrival { node, slide } = found.unwrap_or(Arrival {
        node: furthest.1,
        slide: None,
    });
    let settled = matches!(end, End::Found | End::Exhausted);
    Found {
        plan: search.tree.plan(node, slide),
        reached: found.is_some(),
        end: if found.is_some() && settled {
            End::Found
        } else {
            end
        },
        complete: all && settled && (found.is_none() || admissible || end == End::Exhausted),
    }
}

impl<G: Ground> Search<G> {
    fn bytes(&self) -> usize {
        // A map keeps an eighth of its room free, and a byte of its own for each entry.
        let known = self.known.capacity() * (size_of::<((G::Key, u32), u32)>() + 1) * 8 / 7;
        self.tree.len() * Tree::BYTES
            + self.steps.len() * size_of::<u32>()
            + self.states.len() * size_of::<G::State>()
            + self.open.len() * size_of::<Place>()
            + known
            + self.beyond
    }
}

/// Bytes of a state beyond its own size.
fn beyond<G: Ground>(ground: &G, state: &G::State) -> usize {
    ground
        .state_bytes(state)
        .saturating_sub(size_of::<G::State>())
}
