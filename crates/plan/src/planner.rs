//! One question, one answer: which search is run when, and what its result proves.

use std::fmt;
use std::str::FromStr;

use tilebase_util::progress::Progress;

use crate::beam::Keep;
use crate::cost::Weighting;
use crate::ground::Ground;
use crate::heuristic::{Corners, Heuristic};
use crate::packed::Packed;
use crate::plan::Plan;
use crate::search::{End, Found, Judge, Limits, Run, Work};
use crate::task::Task;
use crate::wide::Wide;
use crate::{astar, beam};

/// The ways to search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// Step by step, the most promising positions alone.
    #[default]
    Beam,
    /// The least sum of steps and heuristic first.
    AStar,
    /// The same, with a heuristic that counts more than steps.
    Weighted,
    /// The least heuristic first.
    Greedy,
    /// Step by step, all positions.
    Breadth,
}

impl Method {
    /// All ways.
    pub const ALL: [Method; 5] = [
        Method::Beam,
        Method::AStar,
        Method::Weighted,
        Method::Greedy,
        Method::Breadth,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Method::Beam => "beam",
            Method::AStar => "astar",
            Method::Weighted => "weighted",
            Method::Greedy => "greedy",
            Method::Breadth => "breadth",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Method {
    type Err = String;

    fn from_str(text: &str) -> Result<Method, String> {
        let mut all = Method::ALL.into_iter();
        let names = "beam, astar, weighted, greedy or breadth";
        all.find(|method| method.name() == text)
            .ok_or_else(|| format!("'{text}' is not a search: use {names}"))
    }
}

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The way to search.
    pub method: Method,
    /// The heuristic.
    pub heuristic: Heuristic,
    /// How rings are read.
    pub corners: Corners,
    /// Positions that a beam keeps; a beam without a width is widened as long as that may help.
    pub width: Option<usize>,
    /// What the heuristic counts in [`Method::Weighted`], in hundredths of a step, from 100.
    pub weight: u32,
    /// Whether to go on until no shorter plan is possible.
    pub optimal: bool,
    /// How much may be used.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            method: Method::default(),
            heuristic: Heuristic::Tidy,
            corners: Corners::default(),
            width: None,
            weight: 200,
            optimal: false,
            limits: Limits::default(),
        }
    }
}

/// What is known in the end.
#[derive(Clone, Debug)]
pub struct Outcome {
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
    pub end: End,
    /// The width of the beam that found the plan.
    pub width: Option<usize>,
    /// How much work it was.
    pub work: Work,
}

/// A beam without a width begins with this one.
pub const FIRST_WIDTH: usize = 32;

/// Each time it is so much wider.
const WIDENING: usize = 8;

/// Above this width a plan that was found is good enough.
const WIDE_ENOUGH: usize = 2048;

/// Searches for a short plan.
///
/// Every plan is the shortest if it has as few slides as [`Task::lower_bound`] says, or if the
/// search left nothing out.
///
/// ```
/// use tilebase_game::Spawn;
/// use tilebase_plan::{Options, SpawnRule, Start, Task, plan};
/// use tilebase_util::progress::Silent;
///
/// let task = Task::new("4x4".parse()?, 11, Start::Tiles(2), Spawn::TWOS, SpawnRule::First, 0)?;
/// let outcome = plan(&task, &Options::default(), &Silent);
/// assert_eq!(outcome.plan.steps(), 1032);
/// assert!(outcome.optimal);
/// let boards = outcome.plan.replay(&task)?;
/// assert!(boards[1032].reaches(11));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The adversary of [`SpawnRule::Worst`](crate::SpawnRule::Worst) is for
/// [`guarantee`](crate::guarantee()); here any tile may fall anywhere, as if the planner chose.
pub fn plan(task: &Task, options: &Options, progress: &dyn Progress) -> Outcome {
    let outcome = match Packed::new(task.shape(), task.goal()) {
        Some(ground) => plan_on(&ground, task, options, progress),
        None => plan_on(&Wide::new(task.shape()), task, options, progress),
    };
    progress.finish();
    outcome
}

fn plan_on<G: Ground>(
    ground: &G,
    task: &Task,
    options: &Options,
    progress: &dyn Progress,
) -> Outcome {
    let mut run = Run::new(ground, task, options.limits, progress);
    let mut judge = Judge::new(task, options.heuristic, options.corners);
    let admissible = options.heuristic.is_admissible();
    let weighting = |of_steps, of_cost| Weighting { of_steps, of_cost };
    let (found, width) = match options.method {
        Method::Beam => widening(&mut run, &mut judge, options),
        Method::AStar => {
            let found = astar::search(&mut run, &mut judge, weighting(100, 100), admissible);
            (found, None)
        }
        Method::Weighted => {
            let weight = options.weight.max(100);
            let weighting = weighting(100, weight.into());
            let admissible = admissible && weight == 100;
            let found = astar::search(&mut run, &mut judge, weighting, admissible);
            (found, None)
        }
        Method::Greedy => {
            let found = astar::search(&mut run, &mut judge, Weighting::GREEDY, false);
            (found, None)
        }
        Method::Breadth => (beam::search(&mut run, Keep::InTime(u32::MAX)), None),
    };
    let mut outcome = outcome(&run, found, width);
    let open = !outcome.optimal && !outcome.unreachable;
    if options.optimal && open && matches!(outcome.end, End::Found | End::Exhausted) {
        outcome = prove(&mut run, outcome);
    }
    outcome.work = run.work;
    outcome
}

/// Beams, each wider than the one before, until none can do better.
fn widening<G: Ground>(
    run: &mut Run<'_, G>,
    judge: &mut Judge,
    options: &Options,
) -> (Found, Option<usize>) {
    let least = run.task.lower_bound();
    let mut width = options.width.unwrap_or(FIRST_WIDTH).max(1);
    let mut best = beam::search(run, Keep::Best(judge, width));
    let mut best_width = width;
    while options.width.is_none()
        && matches!(best.end, End::Found | End::Exhausted)
        && !best.complete
        && !(best.reached && (best.plan.steps() as u128 == least || width >= WIDE_ENOUGH))
    {
        width = width.saturating_mul(WIDENING);
        run.progress.stage(&format!("width {width}"));
        let mut found = beam::search(run, Keep::Best(judge, width));
        let shorter = !best.reached || found.plan.steps() < best.plan.steps();
        if found.reached && shorter || found.complete || !best.reached && !found.reached {
            best_width = width;
            std::mem::swap(&mut best, &mut found);
        }
        if !matches!(found.end, End::Found | End::Exhausted) {
            // The plan of a narrower beam stands, but the search did not end by itself.
            best.end = found.end;
        }
    }
    (best, Some(best_width))
}

/// What a search has proven.
fn outcome<G: Ground>(run: &Run<'_, G>, found: Found, width: Option<usize>) -> Outcome {
    let least = run.task.lower_bound();
    let steps = found.plan.steps() as u128;
    let optimal = found.reached && (found.complete || steps == least);
    let unreachable = !found.reached && found.complete;
    Outcome {
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
fn prove<G: Ground>(run: &mut Run<'_, G>, incumbent: Outcome) -> Outcome {
    let limit = if incumbent.reached {
        incumbent.plan.steps() as u32 - 1
    } else {
        u32::MAX
    };
    run.progress.stage("proof");
    let found = beam::search(run, Keep::InTime(limit));
    if found.reached || !incumbent.reached {
        return outcome(run, found, None);
    }
    let optimal = found.complete;
    Outcome {
        optimal,
        lower_bound: if optimal {
            incumbent.plan.steps() as u128
        } else {
            incumbent.lower_bound
        },
        end: if optimal { End::Found } else { found.end },
        ..incumbent
    }
}
