//! `plan --table`: all heuristics beside the published figures.

use std::fmt::Write;
use std::path::Path;

use tilebase_game::tile_value;
use tilebase_plan::{ComparisonRow, compare, comparison_svg};
use tilebase_schema::{ComparedPlan, PlanComparison, PlanMethod, SpawnRule};
use tilebase_util::progress::{Progress, Unit};

use crate::destination::write_file;
use crate::failure::Failure;
use crate::output::{self, grouped};
use crate::progress::ProgressLine;

/// Compares the heuristics and prints the comparison.
pub fn run(width: usize, svg: Option<&Path>, json: bool) -> Result<(), Failure> {
    let progress = ProgressLine::new();
    progress.begin(Unit::States, None);
    let rows = compare(width, &progress);
    progress.finish();
    let rows = rows.map_err(Failure::request)?;
    let rows = rows.ok_or(Failure::Interrupted)?;
    if let Some(path) = svg {
        write_file(path, comparison_svg(&rows).as_bytes())?;
    }
    let answer = PlanComparison {
        spawn_rule: SpawnRule::First,
        method: PlanMethod::Beam,
        width,
        svg: svg.map(|path| path.display().to_string()),
        rows: rows.iter().map(compared).collect(),
    };
    output::print(json, &answer, text)
}

fn compared(row: &ComparisonRow) -> ComparedPlan {
    let outcome = &row.outcome;
    ComparedPlan {
        shape: row.task.shape().to_string(),
        to: tile_value(row.task.goal()),
        heuristic: row.heuristic.name().to_owned(),
        steps: outcome.reached.then_some(outcome.plan.steps()),
        lower_bound: outcome.lower_bound,
        optimal: outcome.optimal,
        seconds: row.seconds,
        expanded: outcome.work.expanded,
        stored: outcome.work.stored,
        bytes_per_node: outcome.work.bytes_per_node(),
        published_steps: row.published.and_then(|published| published.steps),
        published_seconds: row.published.map(|published| published.seconds),
        faster: row.faster(),
        keeps_up: row.keeps_up(),
    }
}
/// A table in Markdown.
fn text(answer: &PlanComparison) -> String {
    let mut text = format!(
        "Beams of width {}, tiles fall into the first empty cell.\n\n\
             | board | to | heuristic | slides | at least | seconds | bytes a position | published \
             slides | published seconds | times as fast |\n\
             |---|---:|---|---:|---:|---:|---:|---:|---:|---:|\n",
        grouped(answer.width as u128)
    );
    for row in &answer.rows {
        let steps = row.steps.map_or("none".to_owned(), |n| n.to_string());
        let number = |n: Option<String>| n.unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {} | {} | {} | {steps} | {} | {:.5} | {:.1} | {} | {} | {} |",
            row.shape,
            row.to,
            row.heuristic,
            row.lower_bound,
            row.seconds,
            row.bytes_per_node,
            number(row.published_steps.map(|n| n.to_string())),
            number(row.published_seconds.map(|n| format!("{n:.2}"))),
            number(row.faster.map(|n| format!("{n:.0}"))),
        );
    }
    let published = answer.rows.iter().filter_map(|row| row.keeps_up);
    let kept = published.clone().filter(|&keeps_up| keeps_up).count();
    let _ = writeln!(
        text,
        "\n{kept} of {} published figures: no more slides, in at most a fiftieth of the time.",
        published.count()
    );
    text
}
