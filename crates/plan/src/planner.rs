//! Chooses the search for a task, and concludes what its result proves.

use std::fmt;
use std::str::FromStr;

use tilebase_util::progress::Progress;

use crate::beam::Selection;
use crate::cost::PriorityWeights;
use crate::heuristic::{Heuristic, RingCorners};
use crate::packed_space::PackedSpace;
use crate::plan::Plan;
use crate::search::{Evaluator, SearchEnd, SearchLimits, SearchResult, SearchRun, SearchStats};
use crate::sparse::SparseSpace;
use crate::state_space::StateSpace;
use crate::task::PlanTask;
use crate::{astar, beam};

/// Search algorithms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SearchMethod {
    /// Beam search: step by step, keeping the most promising positions.
    #[default]
    Beam,
    /// A*: the least sum of steps and heuristic first.
    AStar,
    /// Weighted A*: the heuristic counts more than the steps.
    Weighted,
    /// Greedy best-first search: the least heuristic first.
    Greedy,
    /// Breadth-first search: step by step, all positions.
    Breadth,
}

impl SearchMethod {
    /// All algorithms.
    pub const ALL: [SearchMethod; 5] = [
        SearchMethod::Beam,
        SearchMethod::AStar,
        SearchMethod::Weighted,
        SearchMethod::Greedy,
        SearchMethod::Breadth,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            SearchMethod::Beam => "beam",
            SearchMethod::AStar => "astar",
            SearchMethod::Weighted => "weighted",
            SearchMethod::Greedy => "greedy",
            SearchMethod::Breadth => "breadth",
        }
    }
}

impl fmt::Display for SearchMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for SearchMethod {
    type Err = String;

    fn from_str(text: &str) -> Result<SearchMethod, String> {
        let mut all = SearchMethod::ALL.into_iter();
        let names = "beam, astar, weighted, greedy or breadth";
        all.find(|method| method.name() == text)
            .ok_or_else(|| format!("'{text}' is not a search: use {names}"))
    }
}

/// Options of a search for a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanOptions {
    /// The search algorithm.
    pub method: SearchMethod,
    /// The heuristic.
    pub heuristic: Heuristic,
    /// How often corners of rings count.
    pub corners: RingCorners,
    /// Positions that a beam keeps. Without a width the beam is widened as long as that may help.
    pub width: Option<usize>,
    /// Weight of the heuristic in [`SearchMethod::Weighted`], in hundredths, at least 100.
    pub weight: u32,
    /// Whether to search until the plan is proven to be a shortest one.
    pub optimal: bool,
    /// Limits of the search.
    pub limits: SearchLimits,
}

impl Default for PlanOptions {
    fn default() -> PlanOptions {
        PlanOptions {
            method: SearchMethod::default(),
            heuristic: Heuristic::Smoothness,
            corners: RingCorners::default(),
            width: None,
            weight: 200,
            optimal: false,
            limits: SearchLimits::default(),
        }
    }
}

/// Outcome of a search for a plan.
#[derive(Clone, Debug)]
pub struct PlanOutcome {
    /// A plan to the goal; if there is none, one to the most promising position.
    pub plan: Plan,
    /// Whether the plan makes the goal.
    pub reached: bool,
    /// Whether it is proven that no plan has fewer slides.
    pub optimal: bool,
    /// Whether it is proven that no plan makes the goal.
    pub unreachable: bool,
    /// Slides that every plan has at least, proven.
    pub lower_bound: u128,
    /// Why the search ended.
    pub end: SearchEnd,
    /// The width of the beam that found the plan.
    pub width: Option<usize>,
    /// Statistics of the search.
    pub work: SearchStats,
}

/// A beam without a width begins with this one.
pub const FIRST_WIDTH: usize = 32;

/// Factor by which a beam is widened.
const WIDENING: usize = 8;

/// Above this width a plan that was found is good enough.
const WIDE_ENOUGH: usize = 2048;

/// Searches for a short plan.
///
/// Every plan is the shortest if it has as few slides as [`PlanTask::lower_bound`] says, or if the
/// search left nothing out.
///
/// ```
/// use tilebase_game::Spawn;
/// use tilebase_plan::{PlanOptions, SpawnRule, PlanStart, PlanTask, plan};
/// use tilebase_util::progress::Silent;
///
/// let task = PlanTask::new("4x4".parse()?, 11, PlanStart::Tiles(2), Spawn::TWOS, SpawnRule::First, 0)?;
/// let outcome = plan(&task, &PlanOptions::default(), &Silent);
/// assert_eq!(outcome.plan.steps(), 1032);
/// assert!(outcome.optimal);
/// let boards = outcome.plan.replay(&task)?;
/// assert!(boards[1032].reaches(11));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The adversary of [`SpawnRule::Worst`](crate::SpawnRule::Worst) is for
/// [`guarantee`](crate::guarantee()); here any tile may fall anywhere, as if the planner chose.
pub fn plan(task: &PlanTask, options: &PlanOptions, progress: &dyn Progress) -> PlanOutcome {
    let outcome = match PackedSpace::new(task.shape(), task.goal()) {
        Some(space) => plan_on(&space, task, options, progress),
        None => plan_on(&SparseSpace::new(task.shape()), task, options, progress),
    };
    progress.finish();
    outcome
}

fn plan_on<S: StateSpace>(
    space: &S,
    task: &PlanTask,
    options: &PlanOptions,
    progress: &dyn Progress,
) -> PlanOutcome {
    let mut run = SearchRun::new(space, task, options.limits, progress);
    let mut evaluator = Evaluator::new(task, options.heuristic, options.corners);
    let admissible = options.heuristic.is_admissible();
    let weighting = |of_steps, of_cost| PriorityWeights { of_steps, of_cost };
    let (found, width) = match options.method {
        SearchMethod::Beam => widening(&mut run, &mut evaluator, options),
        SearchMethod::AStar => {
            let found = astar::search(&mut run, &mut evaluator, weighting(100, 100), admissible);
            (found, None)
        }
        SearchMethod::Weighted => {
            let weight = options.weight.max(100);
            let weighting = weighting(100, weight.into());
            let admissible = admissible && weight == 100;
            let found = astar::search(&mut run, &mut evaluator, weighting, admissible);
            (found, None)
        }
        SearchMethod::Greedy => {
            let found = astar::search(&mut run, &mut evaluator, PriorityWeights::GREEDY, false);
            (found, None)
        }
        SearchMethod::Breadth => (beam::search(&mut run, Selection::Within(u32::MAX)), None),
    };
    let mut outcome = outcome(&run, found, width);
    let open = !outcome.optimal && !outcome.unreachable;
    if options.optimal && open && matches!(outcome.end, SearchEnd::Found | SearchEnd::Exhausted) {
        outcome = prove(&mut run, outcome);
    }
    outcome.work = run.work;
    outcome
}

/// Beams, each wider than the one before, until none can do better.
fn widening<S: StateSpace>(
    run: &mut SearchRun<'_, S>,
    evaluator: &mut Evaluator,
    options: &PlanOptions,
) -> (SearchResult, Option<usize>) {
    let least = run.task.lower_bound();
    let mut width = options.width.unwrap_or(FIRST_WIDTH).max(1);
    let mut best = beam::search(run, Selection::Best(evaluator, width));
    let mut best_width = width;
    while options.width.is_none()
        && matches!(best.end, SearchEnd::Found | SearchEnd::Exhausted)
        && !best.complete
        && !(best.reached && (best.plan.steps() as u128 == least || width >= WIDE_ENOUGH))
    {
        width = width.saturating_mul(WIDENING);
        run.progress.stage(&format!("width {width}"));
        let mut found = beam::search(run, Selection::Best(evaluator, width));
        let shorter = !best.reached || found.plan.steps() < best.plan.steps();
        if found.reached && shorter || found.complete || !best.reached && !found.reached {
            best_width = width;
            std::mem::swap(&mut best, &mut found);
        }
        if !matches!(found.end, SearchEnd::Found | SearchEnd::Exhausted) {
            // The plan of a narrower beam stands, but the search did not end by itself.
            best.end = found.end;
        }
    }
    (best, Some(best_width))
}

/// What a search has proven.
fn outcome<S: StateSpace>(
    run: &SearchRun<'_, S>,
    found: SearchResult,
    width: Option<usize>,
) -> PlanOutcome {
    let least = run.task.lower_bound();
    let steps = found.plan.steps() as u128;
    let optimal = found.reached && (found.complete || steps == least);
    let unreachable = !found.reached && found.complete;
    PlanOutcome {
        reached: found.reached,
        optimal,
        unreachable,
        lower_bound: if optimal { steps } else { least },
        end: found.end,
        width: width.filter(|_| found.reached),
        plan: found.plan,
        work: run.work,
    }
}

/// Looks for a shorter plan step by step, leaving nothing out.
fn prove<S: StateSpace>(run: &mut SearchRun<'_, S>, incumbent: PlanOutcome) -> PlanOutcome {
    let limit = if incumbent.reached {
        incumbent.plan.steps() as u32 - 1
    } else {
        u32::MAX
    };
    run.progress.stage("proof");
    let found = beam::search(run, Selection::Within(limit));
    if found.reached || !incumbent.reached {
        return outcome(run, found, None);
    }
    let optimal = found.complete;
    PlanOutcome {
        optimal,
        lower_bound: if optimal {
            incumbent.plan.steps() as u128
        } else {
            incumbent.lower_bound
        },
        end: if optimal { SearchEnd::Found } else { found.end },
        ..incumbent
    }
}
