//! Search step by step: all positions after k slides, then all after k + 1, and of these only
//! the most promising, or only those that can still be in time.
//!
//! Where 2s alone fall, all positions after k slides have the same tile sum, so that they can
//! be compared fairly, and no position comes back later: duplicates are of the same step.

use crate::cost::Weighting;
use crate::ground::{Ground, Tile};
use crate::hash::Seen;
use crate::search::{Arrival, End, Found, Judge, Run};
use crate::task::SpawnRule;
use crate::tree::{Step, Tree};
use crate::turn::{Turn, roots, turns};
use crate::{bound, task::Task};

/// Which positions of a step are kept.
pub(crate) enum Keep<'a> {
    /// So many, the least by a judge.
    Best(&'a mut Judge, usize),
    /// All from which the goal may be made within so many slides from the start.
    InTime(u32),
}

/// A position that may be kept for the next step.
struct Candidate<S> {
    rank: (u64, u32),
    parent: u32,
    step: Step,
    state: S,
}

/// The tree is pruned when it has grown by so many positions.
const GROWTH: usize = 1 << 20;

/// Candidates between two looks at the memory.
const GLANCE: usize = 1 << 16;

/// A search at work.
struct Beam<G: Ground> {
    tree: Tree,
    /// The positions of the step, the last in the tree.
    states: Vec<G::State>,
    candidates: Vec<Candidate<G::State>>,
    seen: Seen<G::Key>,
    /// Whether nothing was left out that could be better.
    complete: bool,
    steps: u32,
}

/// Searches, keeping some positions of each step.
pub(crate) fn search<G: Ground>(run: &mut Run<'_, G>, mut keep: Keep<'_>) -> Found {
    let (ground, task) = (run.ground, run.task);
    let (starts, all) = roots(ground, task);
    let mut beam: Beam<G> = Beam {
        states: starts.iter().map(|grid| ground.state(grid)).collect(),
        complete: all && (ground.all_choices() || task.rule() != SpawnRule::Best),
        tree: Tree::new(starts),
        candidates: Vec::new(),
        seen: Seen::new(),
        steps: 0,
    };
    let made = |state| ground.reaches(state, task.goal());
    if let Some(node) = beam.states.iter().position(made) {
        let arrival = Arrival {
            node: node as u32,
            slide: None,
        };
        return beam.arrived(arrival);
    }
    let mut prune_at = GROWTH;
    loop {
        let end = match beam.step(run, &mut keep) {
            Ok(None) => None,
            Ok(Some(arrival)) => return beam.arrived(arrival),
            Err(end) => Some(end),
        };
        if let Keep::Best(_, width) = keep
            && beam.candidates.len() > width
        {
            beam.complete = false;
            keep_least(&mut beam.candidates, width);
        }
        let end = end.or_else(|| beam.candidates.is_empty().then_some(End::Exhausted));
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

impl<G: Ground> Beam<G> {
    /// Lists what can follow the positions of this step, or the first slide to the goal.
    fn step(&mut self, run: &mut Run<'_, G>, keep: &mut Keep<'_>) -> Result<Option<Arrival>, End> {
        let (ground, task) = (run.ground, run.task);
        let number = u64::from(task.start_tiles()) + u64::from(self.steps);
        let first = (self.tree.len() - self.states.len()) as u32;
        let steps = self.steps + 1;
        let mut arrival = None;
        let mut cells = Vec::new();
        let mut tiles = Vec::new();
        let mut look_at = GLANCE;
        self.seen.clear();
        self.candidates.clear();
        let (seen, candidates) = (&mut self.seen, &mut self.candidates);
        for (state, node) in self.states.iter().zip(first..) {
            if let Some(end) = run.expand() {
                return Err(end);
            }
            turns(ground, task, state, number, &mut cells, |turn| match turn {
                Turn::Goal(slide) => {
                    let slide = Some(slide);
                    arrival = arrival.or(Some(Arrival { node, slide }));
                }
                Turn::To(step, state) => {
                    let key = match task.rule() {
                        SpawnRule::Best => ground.canonical_key(&state),
                        _ => ground.key(&state),
                    };
                    if !seen.insert(key) {
                        return;
                    }
                    let rank = match keep {
                        Keep::Best(judge, _) => {
                            judge.rank(ground, &state, steps, Weighting::GREEDY)
                        }
                        Keep::InTime(limit) => {
                            if !in_time(ground, task, &state, steps, *limit, &mut tiles) {
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
            });
            if arrival.is_some() {
                return Ok(arrival);
            }
            if candidates.len() >= look_at {
                look_at += GLANCE;
                let bytes = bytes(ground, &self.tree, &self.states, candidates, seen);
                run.store(self.tree.len() + candidates.len(), bytes)
                    .map_or(Ok(()), Err)?;
            }
        }
        let bytes = bytes(ground, &self.tree, &self.states, candidates, seen);
        run.store(self.tree.len() + candidates.len(), bytes)
            .map_or(Ok(None), Err)
    }

    fn arrived(&self, Arrival { node, slide }: Arrival) -> Found {
        Found {
            plan: self.tree.plan(node, slide),
            reached: true,
            end: End::Found,
            complete: self.complete,
        }
    }

    /// The way to the most promising position.
    fn ended(&mut self, end: End) -> Found {
        let best = self.candidates.iter().min_by_key(|c| (c.rank, c.parent));
        let node = match best {
            Some(best) => self.tree.add(best.parent, best.step),
            None => (self.tree.len() - self.states.len()) as u32,
        };
        Found {
            plan: self.tree.plan(node, None),
            reached: false,
            end,
            complete: self.complete && end == End::Exhausted,
        }
    }
}

/// Keeps so many of the least candidates, the earlier among equals, in their order: so plans do
/// not depend on how a selection moves what it selects from.
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

/// Bytes that a search takes. States of one step are of about the same size.
fn bytes<G: Ground>(
    ground: &G,
    tree: &Tree,
    states: &[G::State],
    candidates: &Vec<Candidate<G::State>>,
    seen: &Seen<G::Key>,
) -> usize {
    let state = states.last().map_or(0, |state| ground.state_bytes(state));
    let beyond = state.saturating_sub(size_of::<G::State>());
    tree.len() * Tree::BYTES
        + states.len() * state
        + candidates.capacity() * size_of::<Candidate<G::State>>()
        + candidates.len() * beyond
        + seen.bytes()
}

/// Whether the goal may be made within so many slides from the start.
fn in_time<G: Ground>(
    ground: &G,
    task: &Task,
    state: &G::State,
    steps: u32,
    limit: u32,
    tiles: &mut Vec<Tile>,
) -> bool {
    ground.tiles(state, tiles);
    let left = bound::by_merges(tiles, task.goal(), task.largest_spawn());
    u128::from(steps) + left <= u128::from(limit)
}
