//! A plan, told in JSON and in text.

use std::fmt::Write;

use serde::Serialize;
use tilebase_game::{Grid, tile_value};
use tilebase_plan::{
    Heuristic, Plan, PlanOptions, PlanOutcome, PlanTask, RingCorners, SearchEnd, SearchMethod,
    SpawnRule,
};

use crate::output::{grouped, notation};
use crate::picture;

/// Letters that fit a line of text.
const LINE: usize = 92;

#[derive(Serialize)]
pub struct Answer {
    shape: String,
    to: u128,
    spawn_rule: &'static str,
    spawn: String,
    seed: Option<u64>,
    start: String,
    search: &'static str,
    heuristic: Option<&'static str>,
    corners: Option<u8>,
    width: Option<usize>,
    weight: Option<f64>,
    reached: bool,
    reachable: Option<bool>,
    steps: Option<usize>,
    lower_bound: u128,
    optimal: bool,
    end: &'static str,
    moves: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    drops: Option<Vec<DropAnswer>>,
    board: String,
    largest: u128,
    expanded: u64,
    stored: u64,
    bytes_per_node: f64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    boards: Option<Vec<String>>,
    #[serde(skip)]
    plan: Plan,
    #[serde(skip)]
    grids: Vec<Grid>,
}

/// A new tile; rows and columns from 1.
#[derive(Serialize)]
struct DropAnswer {
    row: u8,
    column: u8,
    tile: u128,
}

/// A number of things.
fn counted(number: u128, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", grouped(number))
}

impl Answer {
    pub fn new(
        task: &PlanTask,
        options: &PlanOptions,
        outcome: PlanOutcome,
        grids: Vec<Grid>,
        seconds: f64,
        shown: bool,
    ) -> Answer {
        let worst = task.rule() == SpawnRule::Worst;
        let chosen = matches!(task.rule(), SpawnRule::Best | SpawnRule::Worst);
        let last = grids.last().cloned().unwrap_or(Grid::empty(task.shape()));
        let plan = outcome.plan;
        let drops = plan.drops.iter().map(|drop| DropAnswer {
            row: drop.row + 1,
            column: drop.col + 1,
            tile: tile_value(drop.exponent),
        });
        let rings = options.heuristic == Heuristic::AdjacentPropagation;
        let search = if worst {
            "guarantee"
        } else {
            options.method.name()
        };
        let without = worst || options.method == SearchMethod::Breadth;
        Answer {
            shape: task.shape().to_string(),
            to: tile_value(task.goal()),
            spawn_rule: task.rule().name(),
            spawn: task.spawn().to_string(),
            seed: (!chosen).then_some(task.seed()),
            start: notation(&plan.start),
            search,
            heuristic: (!without).then_some(options.heuristic.name()),
            corners: rings.then_some(match options.corners {
                RingCorners::Once => 1,
                RingCorners::Twice => 2,
            }),
            width: outcome.width.or(options.width),
            weight: (options.method == SearchMethod::Weighted)
                .then_some(f64::from(options.weight) / 100.0),
            reached: outcome.reached,
            reachable: match (outcome.reached, outcome.unreachable) {
                (true, _) => Some(true),
                (_, true) => Some(false),
                _ => None,
            },
            steps: outcome.reached.then_some(plan.steps()),
            lower_bound: outcome.lower_bound,
            optimal: outcome.optimal,
            end: match outcome.end {
                SearchEnd::Found => "found",
                SearchEnd::Exhausted => "exhausted",
                SearchEnd::Nodes => "nodes",
                SearchEnd::Memory => "memory",
                SearchEnd::Interrupted => "interrupted",
            },
            moves: plan.letters(),
            drops: chosen.then(|| drops.collect()),
            board: notation(&last),
            largest: tile_value(last.max_exponent()),
            expanded: outcome.work.expanded,
            stored: outcome.work.stored,
            bytes_per_node: outcome.work.bytes_per_node(),
            seconds,
            boards: shown.then(|| grids.iter().map(notation).collect()),
            plan,
            grids,
        }
    }

    /// What was planned.
    pub fn title(&self) -> String {
        let rule = match self.spawn_rule {
            "first" => "tiles fall into the first empty cell".to_owned(),
            "random" => format!("tiles fall by dice, seed {}", self.seed.unwrap_or(0)),
            "best" => "tiles fall where the planner wants".to_owned(),
            _ => "an adversary drops the tiles".to_owned(),
        };
        format!("{} to {}, {rule}", self.shape, self.to)
    }

    fn verdict(&self) -> String {
        let bound = self.lower_bound;
        let least = grouped(bound);
        match (self.steps, self.reachable, self.spawn_rule) {
            (Some(steps), _, "worst") => {
                format!(
                    "forced within {} slides, and no sooner",
                    grouped(steps as u128)
                )
            }
            (Some(steps), ..) if self.optimal => {
                format!("{}, the fewest possible", counted(steps as u128, "slide"))
            }
            (Some(steps), ..) => {
                let over = steps as f64 / bound as f64 - 1.0;
                format!(
                    "{} slides, {:.2} % above the lower bound of {least}",
                    grouped(steps as u128),
                    100.0 * over
                )
            }
            (None, Some(false), "worst") => "the adversary can prevent it".to_owned(),
            (None, Some(false), _) => "no plan makes it: nothing was left out".to_owned(),
            _ => format!("no plan found; at least {least} slides are needed"),
        }
    }

    /// Why the search ended, where that is worth a word.
    fn ending(&self) -> Option<String> {
        let expanded = counted(self.expanded.into(), "position");
        match self.end {
            "exhausted" if self.reachable.is_none() => Some(
                "the beam ran dry: try a wider one with --width, or leave --width out".to_owned(),
            ),
            "nodes" => Some(format!("stopped after {expanded}, as --nodes says")),
            "memory" => Some("stopped for want of memory: --memory allows more".to_owned()),
            "interrupted" => Some("stopped, as you asked".to_owned()),
            _ => None,
        }
    }

    fn method(&self) -> String {
        let width = self
            .width
            .map(|width| format!(" of width {}", grouped(width as u128)));
        match self.heuristic {
            Some(heuristic) => {
                format!("{} {heuristic}{}", self.search, width.unwrap_or_default())
            }
            None => self.search.to_owned(),
        }
    }

    /// The answer in lines, with the boards that were asked for.
    pub fn text(&self) -> String {
        let mut text = format!("{}: {}\n", self.title(), self.verdict());
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "  {}: {} expanded, {} stored in {:.1} bytes each, {:.3} s",
            self.method(),
            counted(self.expanded.into(), "position"),
            grouped(self.stored.into()),
            self.bytes_per_node,
            self.seconds
        );
        if let Some(ending) = self.ending() {
            let _ = writeln!(text, "  {ending}");
        }
        if self.steps.is_none() && !self.moves.is_empty() {
            let slides = counted(self.moves.len() as u128, "slide");
            let _ = writeln!(
                text,
                "  the most promising line makes {} in {slides}",
                self.largest
            );
        }
        for line in self.moves.as_bytes().chunks(LINE) {
            let _ = writeln!(text, "    {}", String::from_utf8_lossy(line));
        }
        if self.boards.is_some() {
            for frame in self.frames() {
                let _ = write!(text, "\n{frame}");
            }
        } else if let Some(last) = self.grids.last() {
            let _ = write!(text, "\n{}", picture::board(last));
        }
        text
    }

    /// The boards, each with the slide and the tile that led to it.
    pub fn frames(&self) -> impl Iterator<Item = String> {
        self.grids.iter().enumerate().map(|(at, grid)| {
            let step = match at.checked_sub(1) {
                None => "start".to_owned(),
                Some(step) => {
                    let slide = self.plan.slides[step].name();
                    match self.plan.drops.get(step) {
                        Some(drop) => format!(
                            "{slide}, {} in row {}, column {}",
                            tile_value(drop.exponent),
                            drop.row + 1,
                            drop.col + 1
                        ),
                        None => slide.to_owned(),
                    }
                }
            };
            format!("{at:>5} {step}\n{}", picture::board(grid))
        })
    }
}
