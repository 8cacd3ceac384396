//! A*: best-first search by the sum of steps and heuristic.
//!
//! A node takes six bytes in the tree, its steps, its key in the closed set, and the position
//! itself only while it is in the open list. Boards up to 4×4 are their own keys; larger ones
//! are identified by a 128-bit hash.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::hash_map::Entry;

use tilebase_game::Grid;
use tilebase_util::hash::FastMap;

use crate::cost::PriorityWeights;
use crate::search::{Evaluator, GoalNode, SearchEnd, SearchResult, SearchRun};
use crate::state_space::StateSpace;
use crate::successor::{Successor, roots, successors};
use crate::task::SpawnRule;
use crate::tree::{SearchStep, SearchTree};

/// An entry of the open list: priority, steps, tie break, node. Among equal priorities the node
/// with more steps comes first, then the smoother position.
type OpenEntry = Reverse<(u64, Reverse<u32>, u32, Reverse<u32>)>;

struct AStar<S: StateSpace> {
    tree: SearchTree,
    steps: Vec<u32>,
    /// Positions by node. Expanded nodes have lost theirs.
    states: Vec<S::State>,
    open: BinaryHeap<OpenEntry>,
    /// The node of each position, by key, and by steps if they matter.
    closed: FastMap<(S::Key, u32), u32>,
    /// Heap bytes of open positions, beyond the entries of `states`.
    heap_bytes: usize,
    /// Whether the tiles that fall depend on the position alone.
    timeless: bool,
    weights: PriorityWeights,
    /// The best way to the goal found so far, with its steps.
    goal: Option<(u32, GoalNode)>,
    /// The node with the least heuristic value, with this value.
    closest: (u64, u32),
}

/// Runs A*. `admissible` says that the heuristic never overestimates.
pub(crate) fn search<S: StateSpace>(
    run: &mut SearchRun<'_, S>,
    evaluator: &mut Evaluator,
    weights: PriorityWeights,
    admissible: bool,
) -> SearchResult {
    let (space, task) = (run.space, run.task);
    let (starts, all_starts) = roots(space, task);
    let all = all_starts && (space.lists_all_choices() || task.rule() != SpawnRule::Best);
    let mut search = AStar::new(run, evaluator, weights, starts);
    let end = search.expand_all(run, evaluator);
    search.result(end, all, admissible)
}

impl<S: StateSpace> AStar<S> {
    /// An open list with the boards that a plan may begin with.
    fn new(
        run: &SearchRun<'_, S>,
        evaluator: &mut Evaluator,
        weights: PriorityWeights,
        starts: Vec<Grid>,
    ) -> AStar<S> {
        let (space, task) = (run.space, run.task);
        let states: Vec<S::State> = starts.iter().map(|grid| space.state(grid)).collect();
        let mut search = AStar {
            steps: vec![0; starts.len()],
            heap_bytes: states.iter().map(|state| heap_bytes(space, state)).sum(),
            tree: SearchTree::new(starts),
            open: BinaryHeap::new(),
            closed: FastMap::default(),
            timeless: match task.rule() {
                // With one kind of tile the sum says how many have fallen.
                SpawnRule::First | SpawnRule::Random => task.spawn().exponents().count() == 1,
                SpawnRule::Best | SpawnRule::Worst => true,
            },
            weights,
            goal: None,
            closest: (u64::MAX, 0),
            states,
        };
        for (state, node) in search.states.iter().zip(0..) {
            if space.reaches(state, task.goal()) {
                search.goal = Some((0, GoalNode { node, slide: None }));
            }
            let (rank, tie) = evaluator.rank(space, state, 0, weights);
            let entry = (rank, Reverse(0), tie, Reverse(node));
            search.open.push(Reverse(entry));
        }
        search
    }

    /// Expands nodes in order of priority until the goal is proven, a limit is reached or the
    /// open list is empty.
    fn expand_all(&mut self, run: &mut SearchRun<'_, S>, evaluator: &mut Evaluator) -> SearchEnd {
        let mut cells = Vec::new();
        while let Some(Reverse((rank, Reverse(steps), _, Reverse(node)))) = self.open.pop() {
            // The goal itself has no heuristic.
            if let Some((made, _)) = self.goal
                && rank >= self.weights.of_steps * u64::from(made)
            {
                return SearchEnd::Found;
            }
            if self.steps[node as usize] != steps {
                // A shorter way to this position was found after this entry was made.
                continue;
            }
            if let Some(end) = run.expand() {
                return end;
            }
            let value = rank.saturating_sub(self.weights.of_steps * u64::from(steps));
            if value < self.closest.0 {
                self.closest = (value, node);
            }
            self.expand(run, evaluator, node, &mut cells);
            if let Some(end) = run.store(self.tree.len(), self.bytes()) {
                return end;
            }
        }
        SearchEnd::Exhausted
    }

    /// Adds the successors of a node to the open list.
    fn expand(
        &mut self,
        run: &SearchRun<'_, S>,
        evaluator: &mut Evaluator,
        node: u32,
        cells: &mut Vec<u16>,
    ) {
        let (space, task) = (run.space, run.task);
        let steps = self.steps[node as usize] + 1;
        let state = std::mem::take(&mut self.states[node as usize]);
        self.heap_bytes -= heap_bytes(space, &state);
        let number = u64::from(task.start_tiles()) + u64::from(steps) - 1;
        successors(space, task, &state, number, cells, |next| match next {
            Successor::Goal(slide) => {
                if self.goal.is_none_or(|(made, _)| steps < made) {
                    let slide = Some(slide);
                    self.goal = Some((steps, GoalNode { node, slide }));
                }
            }
            Successor::To(step, state) => {
                let key = match task.rule() {
                    SpawnRule::Best => space.canonical_key(&state),
                    _ => space.key(&state),
                };
                let Some(next) = self.reach(key, node, step, steps) else {
                    return;
                };
                let (rank, tie) = evaluator.rank(space, &state, steps, self.weights);
                self.heap_bytes += heap_bytes(space, &state);
                self.states[next as usize] = state;
                let entry = (rank, Reverse(steps), tie, Reverse(next));
                self.open.push(Reverse(entry));
            }
        });
    }

    /// The node of a position that was reached from another; `None` if a way as short is known.
    #[inline]
    fn reach(&mut self, key: S::Key, parent: u32, step: SearchStep, steps: u32) -> Option<u32> {
        let when = if self.timeless { 0 } else { steps };
        match self.closed.entry((key, when)) {
            Entry::Vacant(entry) => {
                let node = self.tree.add(parent, step);
                self.steps.push(steps);
                self.states.push(S::State::default());
                Some(*entry.insert(node))
            }
            Entry::Occupied(entry) => {
                let node = *entry.get();
                if self.steps[node as usize] <= steps {
                    return None;
                }
                self.tree.move_to(node, parent, step);
                self.steps[node as usize] = steps;
                Some(node)
            }
        }
    }

    /// The plan to the goal, or to the closest node. `all` says that no start and no choice was
    /// left out.
    fn result(&self, end: SearchEnd, all: bool, admissible: bool) -> SearchResult {
        let found = self.goal.map(|(_, goal)| goal);
        let GoalNode { node, slide } = found.unwrap_or(GoalNode {
            node: self.closest.1,
            slide: None,
        });
        let finished = matches!(end, SearchEnd::Found | SearchEnd::Exhausted);
        SearchResult {
            plan: self.tree.plan(node, slide),
            reached: found.is_some(),
            end: if found.is_some() && finished {
                SearchEnd::Found
            } else {
                end
            },
            complete: all
                && finished
                && (found.is_none() || admissible || end == SearchEnd::Exhausted),
        }
    }

    fn bytes(&self) -> usize {
        // A hash map keeps an eighth of its slots free, and a control byte for each.
        let closed = self.closed.capacity() * (size_of::<((S::Key, u32), u32)>() + 1) * 8 / 7;
        self.tree.len() * SearchTree::BYTES
            + self.steps.len() * size_of::<u32>()
            + self.states.len() * size_of::<S::State>()
            + self.open.len() * size_of::<OpenEntry>()
            + closed
            + self.heap_bytes
    }
}

/// Bytes of a state on the heap.
fn heap_bytes<S: StateSpace>(space: &S, state: &S::State) -> usize {
    space
        .state_bytes(state)
        .saturating_sub(size_of::<S::State>())
}
