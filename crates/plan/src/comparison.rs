//! The comparison of heuristics, beside the published figures.

use std::time::Instant;

use tilebase_game::{Shape, Spawn};
use tilebase_util::progress::{Progress, Silent};

use crate::heuristic::Heuristic;
use crate::planner::{PlanOptions, PlanOutcome, SearchMethod, plan};
use crate::task::{PlanStart, PlanTask, PlanTaskError, SpawnRule};

/// What L. Schipper's report (2019) says of a heuristic: its A* in Python, on a Core i7-4790.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PublishedFigure {
    /// Rows, and as many columns.
    pub side: u8,
    /// The goal's exponent.
    pub goal: u8,
    /// The heuristic.
    pub heuristic: Heuristic,
    /// Slides of the plan, if the report says.
    pub steps: Option<u32>,
    /// Seconds that it took.
    pub seconds: f64,
}

const fn published(
    side: u8,
    goal: u8,
    heuristic: Heuristic,
    steps: u32,
    seconds: f64,
) -> PublishedFigure {
    PublishedFigure {
        side,
        goal,
        heuristic,
        steps: Some(steps),
        seconds,
    }
}

/// All published figures.
pub const PUBLISHED: [PublishedFigure; 30] = {
    use Heuristic::{AdjacentLine, AdjacentPropagation, MaxTileWeight, NextMax};
    [
        published(4, 4, MaxTileWeight, 11, 0.04),
        published(4, 5, MaxTileWeight, 20, 1.16),
        published(4, 5, NextMax, 20, 0.50),
        published(4, 5, AdjacentPropagation, 20, 0.24),
        published(4, 5, AdjacentLine, 21, 0.34),
        published(4, 8, NextMax, 229, 0.08),
        published(4, 8, AdjacentPropagation, 271, 0.16),
        published(4, 8, AdjacentLine, 229, 0.09),
        published(4, 9, NextMax, 315, 0.10),
        published(4, 9, AdjacentPropagation, 299, 0.20),
        published(4, 9, AdjacentLine, 315, 0.14),
        published(4, 10, NextMax, 690, 1.00),
        published(4, 10, AdjacentPropagation, 673, 0.73),
        published(4, 10, AdjacentLine, 690, 1.25),
        published(4, 11, NextMax, 1228, 5.41),
        published(4, 11, AdjacentPropagation, 1112, 32.39),
        published(4, 11, AdjacentLine, 1228, 6.08),
        published(8, 4, MaxTileWeight, 11, 0.10),
        published(8, 5, MaxTileWeight, 20, 3.19),
        published(8, 5, NextMax, 20, 1.08),
        published(8, 5, AdjacentPropagation, 20, 0.66),
        published(8, 5, AdjacentLine, 21, 1.16),
        published(8, 9, NextMax, 391, 0.31),
        published(8, 9, AdjacentPropagation, 417, 0.72),
        published(8, 9, AdjacentLine, 391, 0.43),
        published(8, 11, NextMax, 2097, 2.07),
        published(8, 11, AdjacentPropagation, 2997, 5.35),
        published(8, 11, AdjacentLine, 2097, 2.40),
        published(16, 11, AdjacentPropagation, 1712, 9.22),
        PublishedFigure {
            side: 32,
            goal: 11,
            heuristic: AdjacentLine,
            steps: None,
            seconds: 10.0,
        },
    ]
};

/// Sides and goals that are compared.
pub const COMPARED: [(u8, u8); 12] = [
    (4, 4),
    (4, 5),
    (4, 8),
    (4, 9),
    (4, 10),
    (4, 11),
    (8, 4),
    (8, 5),
    (8, 9),
    (8, 11),
    (16, 11),
    (32, 11),
];

/// Positions that the beams of the comparison keep, unless said otherwise.
pub const COMPARISON_WIDTH: usize = 10;

/// A heuristic on a shape and to a goal, and what is published of it.
#[derive(Clone, Debug)]
pub struct ComparisonRow {
    /// What was planned.
    pub task: PlanTask,
    /// The heuristic.
    pub heuristic: Heuristic,
    /// What was found.
    pub outcome: PlanOutcome,
    /// Seconds, the fastest of [`REPEATS`].
    pub seconds: f64,
    /// What is published.
    pub published: Option<PublishedFigure>,
}

/// How often a search of the comparison is run: the clock of a busy machine is a poor one.
pub const REPEATS: u32 = 3;

impl ComparisonRow {
    /// How many times as fast as published.
    pub fn faster(&self) -> Option<f64> {
        self.published
            .map(|published| published.seconds / self.seconds)
    }

    /// Whether there are no more slides than published, in a fiftieth of the time.
    pub fn keeps_up(&self) -> Option<bool> {
        let published = self.published?;
        let few = published
            .steps
            .is_none_or(|steps| self.outcome.plan.steps() <= steps as usize);
        Some(self.outcome.reached && few && 50.0 * self.seconds <= published.seconds)
    }
}

/// Runs every heuristic on every cell by beams of a width; `None` if it was asked to stop.
///
/// New tiles are 2s in the topmost, then leftmost empty cell, two of them at the start.
pub fn compare(
    width: usize,
    progress: &dyn Progress,
) -> Result<Option<Vec<ComparisonRow>>, PlanTaskError> {
    let mut rows = Vec::new();
    for (side, goal) in COMPARED {
        let shape = Shape::new(side, side).unwrap_or(Shape::SINGLE);
        let task = PlanTask::new(
            shape,
            goal,
            PlanStart::Tiles(2),
            Spawn::TWOS,
            SpawnRule::First,
            0,
        )?;
        for heuristic in Heuristic::ALL {
            if progress.interrupted() {
                return Ok(None);
            }
            let options = PlanOptions {
                method: SearchMethod::Beam,
                heuristic,
                width: Some(width),
                ..PlanOptions::default()
            };
            let mut seconds = f64::INFINITY;
            let mut outcome = None;
            for _ in 0..REPEATS {
                let start = Instant::now();
                outcome = Some(planned(&task, options));
                seconds = seconds.min(start.elapsed().as_secs_f64());
            }
            let mut all = PUBLISHED.iter();
            let published = all
                .find(|p| (p.side, p.goal, p.heuristic) == (side, goal, heuristic))
                .copied();
            if let Some(outcome) = outcome {
                progress.advance(outcome.work.expanded);
                rows.push(ComparisonRow {
                    task: task.clone(),
                    heuristic,
                    outcome,
                    seconds,
                    published,
                });
            }
        }
    }
    Ok(Some(rows))
}

/// A plan by a beam of a width, or, if it runs dry, of twice the width, and so on.
fn planned(task: &PlanTask, mut options: PlanOptions) -> PlanOutcome {
    loop {
        let outcome = plan(task, &options, &Silent);
        if outcome.reached || outcome.unreachable || options.width > Some(MOST_WIDTH) {
            return outcome;
        }
        options.width = options.width.map(|width| 2 * width);
    }
}

/// Beams that run dry at this width are left at that.
const MOST_WIDTH: usize = 1 << 14;
