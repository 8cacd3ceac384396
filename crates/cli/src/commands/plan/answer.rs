//! A plan, in JSON and in text.

use std::fmt::Write;

use tilebase_game::{Grid, tile_value};
use tilebase_plan::{Plan, PlanOptions, PlanOutcome, PlanTask};
use tilebase_schema::{self as schema, PlanEnd, SpawnRule};
use tilebase_service::plan_answer;

use crate::output::grouped;
use crate::picture;

/// Letters per line of text.
const LINE: usize = 92;

/// A plan and its boards.
pub struct PlanAnswer {
    /// The answer as JSON gives it.
    pub answer: schema::Plan,
    plan: Plan,
    grids: Vec<Grid>,
}

/// A number of things.
fn counted(number: u128, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", grouped(number))
}

impl PlanAnswer {
    /// The answer to a task. `grids` are the boards of the plan; `listed` says whether the
    /// answer lists them.
    pub fn new(
        task: &PlanTask,
        options: &PlanOptions,
        outcome: PlanOutcome,
        grids: Vec<Grid>,
        seconds: f64,
        listed: bool,
    ) -> PlanAnswer {
        PlanAnswer {
            answer: plan_answer(task, options, &outcome, &grids, listed, seconds),
            plan: outcome.plan,
            grids,
        }
    }

    /// The task, in one line.
    pub fn title(&self) -> String {
        let answer = &self.answer;
        let rule = match answer.spawn_rule {
            SpawnRule::First => "tiles fall into the first empty cell".to_owned(),
            SpawnRule::Random => format!("tiles fall by dice, seed {}", answer.seed.unwrap_or(0)),
            SpawnRule::Best => "tiles fall where the planner wants".to_owned(),
            SpawnRule::Worst => "an adversary drops the tiles".to_owned(),
        };
        format!("{} to {}, {rule}", answer.shape, answer.to)
    }

    fn verdict(&self) -> String {
        let answer = &self.answer;
        let worst = answer.spawn_rule == SpawnRule::Worst;
        let bound = grouped(answer.lower_bound);
        match (answer.steps, answer.reachable) {
            (Some(steps), _) if worst => {
                format!(
                    "forced within {} slides, and no sooner",
                    grouped(steps as u128)
                )
            }
            (Some(steps), _) if answer.optimal => {
                format!("{}, the fewest possible", counted(steps as u128, "slide"))
            }
            (Some(steps), _) => {
                let over = steps as f64 / answer.lower_bound as f64 - 1.0;
                format!(
                    "{} slides, {:.2} % above the lower bound of {bound}",
                    grouped(steps as u128),
                    100.0 * over
                )
            }
            (None, Some(false)) if worst => "the adversary can prevent it".to_owned(),
            (None, Some(false)) => "no plan makes it: nothing was left out".to_owned(),
            _ => format!("no plan found; at least {bound} slides are needed"),
        }
    }

    /// Why the search ended, unless the verdict says it.
    fn ending(&self) -> Option<String> {
        let expanded = counted(self.answer.expanded.into(), "position");
        match self.answer.end {
            PlanEnd::Exhausted if self.answer.reachable.is_none() => Some(
                "the beam ran dry: try a wider one with --width, or leave --width out".to_owned(),
            ),
            PlanEnd::Nodes => Some(format!("stopped after {expanded}, as --nodes says")),
            PlanEnd::Memory => Some("stopped for lack of memory: --memory allows more".to_owned()),
            PlanEnd::Interrupted => Some("interrupted".to_owned()),
            PlanEnd::Exhausted | PlanEnd::Found => None,
        }
    }

    fn method(&self) -> String {
        let width = self.answer.width;
        let width = width.map(|width| format!(" of width {}", grouped(width as u128)));
        match &self.answer.heuristic {
            Some(heuristic) => format!(
                "{} {heuristic}{}",
                self.answer.method,
                width.unwrap_or_default()
            ),
            None => self.answer.method.to_string(),
        }
    }

    /// The answer as text, with all boards if they are listed.
    pub fn text(&self) -> String {
        let answer = &self.answer;
        let mut text = format!("{}: {}\n", self.title(), self.verdict());
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "  {}: {} expanded, {} stored in {:.1} bytes each, {:.3} s",
            self.method(),
            counted(answer.expanded.into(), "position"),
            grouped(answer.stored.into()),
            answer.bytes_per_node,
            answer.seconds
        );
        if let Some(ending) = self.ending() {
            let _ = writeln!(text, "  {ending}");
        }
        if answer.steps.is_none() && !answer.moves.is_empty() {
            let slides = counted(answer.moves.len() as u128, "slide");
            let _ = writeln!(
                text,
                "  the most promising line makes {} in {slides}",
                answer.largest
            );
        }
        for line in answer.moves.as_bytes().chunks(LINE) {
            let _ = writeln!(text, "    {}", String::from_utf8_lossy(line));
        }
        if answer.boards.is_some() {
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
