//! Beam search: from all kept positions after k slides to those after k + 1, of which only the
//! most promising are kept, or only those that can still reach the goal in time.
//!
//! Where 2s alone fall, all positions after k slides have the same tile sum, so that they can
//! be compared fairly, and no position comes back later: duplicates are of the same step.

use crate::cost::PriorityWeights;
use crate::hash::ClosedSet;
use crate::search::{Evaluator, GoalNode, SearchEnd, SearchResult, SearchRun};
use crate::state_space::StateSpace;
use crate::successor::{Successor, roots, successors};
use crate::task::SpawnRule;
use crate::tile::Tile;
use crate::tree::{SearchStep, SearchTree};
use crate::{bound, task::PlanTask};

/// Which positions of a step to keep.
pub(crate) enum Selection<'a> {
    /// A number of them, those with the smallest ranks.
    Best(&'a mut Evaluator, usize),
    /// All from which the goal may be made within this many slides from the start.
    Within(u32),
}

/// A position that may be kept for the next step.
struct Candidate<S> {
    rank: (u64, u32),
    parent: u32,
    step: SearchStep,
    state: S,
}

/// The tree is pruned when it has grown by this many nodes.
const GROWTH: usize = 1 << 20;

/// The memory is checked after this many candidates.
const MEMORY_CHECK: usize = 1 << 16;

/// Lists that are reused from position to position.
#[derive(Default)]
struct Buffers {
    cells: Vec<u16>,
    tiles: Vec<Tile>,
}

/// A beam search in progress.
struct Beam<S: StateSpace> {
    tree: SearchTree,
    /// The positions of the step, the last in the tree.
    states: Vec<S::State>,
    candidates: Vec<Candidate<S::State>>,
    seen: ClosedSet<S::Key>,
    /// Whether nothing better can have been left out.
    complete: bool,
    steps: u32,
}

/// Searches, keeping some positions of each step.
pub(crate) fn search<S: StateSpace>(
    run: &mut SearchRun<'_, S>,
    mut selection: Selection<'_>,
) -> SearchResult {
    let (space, task) = (run.space, run.task);
    let (starts, all) = roots(space, task);
    let mut beam: Beam<S> = Beam {
        states: starts.iter().map(|grid| space.state(grid)).collect(),
        complete: all && (space.lists_all_choices() || task.rule() != SpawnRule::Best),
        tree: SearchTree::new(starts),
        candidates: Vec::new(),
        seen: ClosedSet::new(),
        steps: 0,
    };
    let made = |state| space.reaches(state, task.goal());
    if let Some(node) = beam.states.iter().position(made) {
        let arrival = GoalNode {
            node: node as u32,
            slide: None,
        };
        return beam.arrived(arrival);
    }
    let mut prune_at = GROWTH;
    loop {
        let end = match beam.step(run, &mut selection) {
            Ok(None) => None,
            Ok(Some(arrival)) => return beam.arrived(arrival),
            Err(end) => Some(end),
        };
        if let Selection::Best(_, width) = selection
            && beam.candidates.len() > width
        {
            beam.complete = false;
            keep_least(&mut beam.candidates, width);
        }
        let end = end.or_else(|| beam.candidates.is_empty().then_some(SearchEnd::Exhausted));
        if let Some(end) = end {
            return beam.ended(end);
        }
        beam.states.clear();
        for candidate in beam.candidates.drain(..) {
            beam.tree.add(candidate.parent, candidate.step);
            beam.states.push(candidate.state);
        }
        if beam.tree.len() > prune_at {
            beam.tree.prune(beam.states.len());
            prune_at = beam.tree.len() + GROWTH;
        }
        beam.steps += 1;
    }
}

impl<S: StateSpace> Beam<S> {
    /// Lists the successors of all positions of this step, or the first slide to the goal.
    fn step(
        &mut self,
        run: &mut SearchRun<'_, S>,
        selection: &mut Selection<'_>,
    ) -> Result<Option<GoalNode>, SearchEnd> {
        let first = (self.tree.len() - self.states.len()) as u32;
        let mut check_at = MEMORY_CHECK;
        let mut buffers = Buffers::default();
        self.seen.clear();
        self.candidates.clear();
        for at in 0..self.states.len() {
            if let Some(end) = run.expand() {
                return Err(end);
            }
            let goal = self.expand(run, selection, at, first + at as u32, &mut buffers);
            if goal.is_some() {
                return Ok(goal);
            }
            if self.candidates.len() >= check_at {
                check_at += MEMORY_CHECK;
                self.check_memory(run)?;
            }
        }
        self.check_memory(run)?;
        Ok(None)
    }

    /// Adds the successors of one position to the candidates.
    #[inline]
    fn expand(
        &mut self,
        run: &SearchRun<'_, S>,
        selection: &mut Selection<'_>,
        at: usize,
        node: u32,
        buffers: &mut Buffers,
    ) -> Option<GoalNode> {
        let (space, task) = (run.space, run.task);
        let number = u64::from(task.start_tiles()) + u64::from(self.steps);
        let steps = self.steps + 1;
        let mut goal = None;
        let (seen, candidates) = (&mut self.seen, &mut self.candidates);
        let (state, tiles) = (&self.states[at], &mut buffers.tiles);
        successors(
            space,
            task,
            state,
            number,
            &mut buffers.cells,
            |next| match next {
                Successor::Goal(slide) => {
                    let slide = Some(slide);
                    goal = goal.or(Some(GoalNode { node, slide }));
                }
                Successor::To(step, state) => {
                    let key = match task.rule() {
                        SpawnRule::Best => space.canonical_key(&state),
                        _ => space.key(&state),
                    };
                    if !seen.insert(key) {
                        return;
                    }
                    let rank = match selection {
                        Selection::Best(evaluator, _) => {
                            evaluator.rank(space, &state, steps, PriorityWeights::GREEDY)
                        }
                        Selection::Within(limit) => {
                            if !in_time(space, task, &state, steps, *limit, tiles) {
                                return;
                            }
                            (0, 0)
                        }
                    };
                    candidates.push(Candidate {
                        rank,
                        parent: node,
                        step,
                        state,
                    });
                }
            },
        );
        goal
    }

    /// Reports the memory in use; fails if it is too much.
    fn check_memory(&self, run: &mut SearchRun<'_, S>) -> Result<(), SearchEnd> {
        let bytes = self.bytes(run.space);
        run.store(self.tree.len() + self.candidates.len(), bytes)
            .map_or(Ok(()), Err)
    }

    /// Bytes that the search takes. States of one step are about equally large.
    fn bytes(&self, space: &S) -> usize {
        let state = self.states.last();
        let state = state.map_or(0, |state| space.state_bytes(state));
        let heap = state.saturating_sub(size_of::<S::State>());
        self.tree.len() * SearchTree::BYTES
            + self.states.len() * state
            + self.candidates.capacity() * size_of::<Candidate<S::State>>()
            + self.candidates.len() * heap
            + self.seen.bytes()
    }

    fn arrived(&self, GoalNode { node, slide }: GoalNode) -> SearchResult {
        SearchResult {
            plan: self.tree.plan(node, slide),
            reached: true,
            end: SearchEnd::Found,
            complete: self.complete,
        }
    }

    /// The way to the most promising position.
    fn ended(&mut self, end: SearchEnd) -> SearchResult {
        let best = self.candidates.iter().min_by_key(|c| (c.rank, c.parent));
        let node = match best {
            Some(best) => self.tree.add(best.parent, best.step),
            None => (self.tree.len() - self.states.len()) as u32,
        };
        SearchResult {
            plan: self.tree.plan(node, None),
            reached: false,
            end,
            complete: self.complete && end == SearchEnd::Exhausted,
        }
    }
}

/// Keeps the `width` smallest candidates, the earlier among equals, in their order, so that
/// plans do not depend on the selection algorithm.
fn keep_least<S>(candidates: &mut Vec<Candidate<S>>, width: usize) {
    let ranks = candidates.iter().map(|candidate| candidate.rank);
    let mut places: Vec<((u64, u32), u32)> = ranks.zip(0..).collect();
    let (_, &mut last, _) = places.select_nth_unstable(width - 1);
    let mut place = 0;
    candidates.retain(|candidate| {
        place += 1;
        (candidate.rank, place - 1) <= last
    });
}

/// Whether the goal may be made within `limit` slides from the start.
fn in_time<S: StateSpace>(
    space: &S,
    task: &PlanTask,
    state: &S::State,
    steps: u32,
    limit: u32,
    tiles: &mut Vec<Tile>,
) -> bool {
    space.tiles(state, tiles);
    let left = bound::merge_bound(tiles, task.goal(), task.largest_spawn());
    u128::from(steps) + left <= u128::from(limit)
}
