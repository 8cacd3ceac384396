//! What all searches share: limits, statistics, results and evaluation.

use tilebase_game::Move;
use tilebase_util::progress::{Progress, Unit};

use crate::bound;
use crate::cost::{PriorityWeights, order};
use crate::heuristic::{Heuristic, RingCorners, heuristic_value};
use crate::plan::Plan;
use crate::state_space::StateSpace;
use crate::task::{PlanTask, SpawnRule};
use crate::tile::Tile;

/// Limits of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// Most positions to expand.
    pub nodes: u64,
    /// Most bytes for stored positions.
    pub memory: u64,
}

impl Default for SearchLimits {
    fn default() -> SearchLimits {
        SearchLimits {
            nodes: u64::MAX,
            memory: u64::MAX,
        }
    }
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchEnd {
    /// The goal was made.
    Found,
    /// No position was left to expand.
    Exhausted,
    /// The limit of expanded positions was reached.
    Nodes,
    /// The limit of memory was reached.
    Memory,
    /// The search was interrupted.
    Interrupted,
}

/// Result of a search.
#[derive(Clone, Debug)]
pub(crate) struct SearchResult {
    /// A plan to the goal; if there is none, one to the most promising position.
    pub plan: Plan,
    /// Whether the plan makes the goal.
    pub reached: bool,
    /// Why the search ended.
    pub end: SearchEnd,
    /// Whether nothing was left out. Then the plan is a shortest one if it makes the goal, and
    /// otherwise no plan makes it.
    pub complete: bool,
}

/// Statistics of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SearchStats {
    /// Positions expanded.
    pub expanded: u64,
    /// Most positions stored at once.
    pub stored: u64,
    /// Most bytes that they took.
    pub bytes: u64,
}

impl SearchStats {
    /// Mean bytes per stored position.
    pub fn bytes_per_node(&self) -> f64 {
        self.bytes as f64 / self.stored.max(1) as f64
    }

    pub(crate) fn store(&mut self, stored: usize, bytes: usize) {
        if bytes as u64 >= self.bytes {
            self.stored = stored as u64;
            self.bytes = bytes as u64;
        }
    }
}

/// Progress is reported after this many expanded positions.
const REPORT: u64 = 1 << 12;

/// A search in progress: the game, the limits, and the work done so far.
pub(crate) struct SearchRun<'a, S> {
    pub space: &'a S,
    pub task: &'a PlanTask,
    pub limits: SearchLimits,
    pub progress: &'a dyn Progress,
    pub work: SearchStats,
    reported: u64,
}

impl<'a, S: StateSpace> SearchRun<'a, S> {
    pub fn new(
        space: &'a S,
        task: &'a PlanTask,
        limits: SearchLimits,
        progress: &'a dyn Progress,
    ) -> Self {
        progress.begin(Unit::States, None);
        SearchRun {
            space,
            task,
            limits,
            progress,
            work: SearchStats::default(),
            reported: 0,
        }
    }

    /// Counts an expanded position. Returns why the search must end, if it must.
    #[inline]
    pub fn expand(&mut self) -> Option<SearchEnd> {
        if self.work.expanded >= self.limits.nodes {
            return Some(SearchEnd::Nodes);
        }
        self.work.expanded += 1;
        if self.work.expanded - self.reported >= REPORT {
            self.progress.advance(self.work.expanded - self.reported);
            self.reported = self.work.expanded;
            if self.progress.interrupted() {
                return Some(SearchEnd::Interrupted);
            }
        }
        None
    }

    /// Records what is stored. Returns that it is too much, if it is.
    pub fn store(&mut self, stored: usize, bytes: usize) -> Option<SearchEnd> {
        self.work.store(stored, bytes);
        // Positions are numbered in 32 bits; a step may still add some.
        let many = stored > (u32::MAX / 2) as usize;
        (many || bytes as u64 > self.limits.memory).then_some(SearchEnd::Memory)
    }
}

/// Ranks positions; smaller ranks are searched first.
pub(crate) struct Evaluator {
    heuristic: Heuristic,
    corners: RingCorners,
    goal: u8,
    spawn: u8,
    /// Whether the planner chooses between 2s and 4s. Then positions after equally many slides
    /// have different sums.
    uneven: bool,
    tiles: Vec<Tile>,
}

impl Evaluator {
    pub fn new(task: &PlanTask, heuristic: Heuristic, corners: RingCorners) -> Evaluator {
        Evaluator {
            heuristic,
            corners,
            goal: task.goal(),
            spawn: task.largest_spawn(),
            uneven: task.rule() == SpawnRule::Best && task.spawn().exponents().count() > 1,
            tiles: Vec::new(),
        }
    }

    /// The rank of a position after `steps` slides, and the roughness, which breaks ties.
    #[inline]
    pub fn rank<S: StateSpace>(
        &mut self,
        space: &S,
        state: &S::State,
        steps: u32,
        weighting: PriorityWeights,
    ) -> (u64, u32) {
        if self.heuristic == Heuristic::Smoothness {
            let roughness = space.roughness(state);
            if !self.uneven {
                return (roughness, 0);
            }
            space.tiles(state, &mut self.tiles);
            let left = bound::merge_bound(&self.tiles, self.goal, self.spawn);
            return (left as u64, roughness as u32);
        }
        space.tiles(state, &mut self.tiles);
        let cost = heuristic_value(
            self.heuristic,
            self.corners,
            &self.tiles,
            self.goal,
            self.spawn,
        );
        let largest = self.tiles.iter().map(|tile| tile.exponent()).max();
        let lacking = self.goal.saturating_sub(largest.unwrap_or(0));
        let rank = order(cost, lacking, steps, weighting);
        (rank, space.roughness(state) as u32)
    }
}

/// The goal: made by a slide from a node, or on its board already.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GoalNode {
    pub node: u32,
    pub slide: Option<Move>,
}
