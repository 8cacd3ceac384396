//! Comparing the values of a GPU with those of the processor.

use tilebase_count::{CountError, count_layers};
use tilebase_game::{Board, Variant};
use tilebase_schema::SelftestValues;
use tilebase_solve::{
    GpuOptions, GpuSolution, SolveOptions, Width, solve_in_memory, solve_on_gpu,
    solve_to_table_on_gpu,
};
use tilebase_table::{Objective, Table, Value, verify};

use crate::commands::solve;
use crate::failure::Failure;
use crate::progress::ProgressLine;

/// Positions per layer that are compared, about.
const SAMPLE: u64 = 20;

/// Solves a game for every objective: with all its memory, with little, without checkpoints, and with
/// 32-bit values; and writes tables.
pub fn compare(variant: &Variant) -> Result<Vec<SelftestValues>, Failure> {
    let boards = sample(variant)?;
    let mut answers = Vec::new();
    for objective in [
        Objective::Win,
        Objective::Discounted(0.99),
        Objective::Score,
        Objective::Survival,
    ] {
        if objective.needs_target() && variant.target().is_none() {
            continue;
        }
        let table = solve_in_memory(
            variant,
            objective,
            &SolveOptions::default(),
            &ProgressLine::new(),
        );
        let table = table?;
        let options = GpuOptions {
            width: Some(Width::Bits64),
            memory: 1 << 30,
            gpu_bytes: None,
            boards: boards.clone(),
            ..GpuOptions::default()
        };
        let on_gpu = |options| {
            solve_on_gpu(variant, objective, &options, &ProgressLine::new()).map_err(solve::failure)
        };
        let plenty = on_gpu(options.clone())?;
        let sparse = on_gpu(GpuOptions {
            memory: 0,
            gpu_bytes: Some(plenty.gpu_bytes),
            ..options.clone()
        })?;
        // Some layers in runs, some from checkpoints, some from the start.
        let some = on_gpu(GpuOptions {
            memory: 0,
            gpu_bytes: Some(plenty.gpu_bytes + plenty.checkpoint_bytes[0] / 8),
            ..options.clone()
        })?;
        let half = on_gpu(GpuOptions {
            width: Some(Width::Bits32),
            ..options
        })?;
        for solution in [plenty, some, sparse, half] {
            answers.push(judge(&table, objective, &solution)?);
        }
        if matches!(objective, Objective::Win | Objective::Score) {
            answers.push(compare_tables(variant, objective)?);
        }
    }
    Ok(answers)
}

/// Compares the files of rounded tables.
fn compare_tables(variant: &Variant, objective: Objective) -> Result<SelftestValues, Failure> {
    let dir = tempfile::tempdir()
        .map_err(|error| Failure::work("making a directory for a table", error))?;
    let (options, progress) = (GpuOptions::default(), ProgressLine::new());
    let written = solve_to_table_on_gpu(variant, objective, &options, dir.path(), &progress)?;
    let rounded = SolveOptions {
        rounded: true,
        ..SolveOptions::default()
    };
    let expected = solve_in_memory(variant, objective, &rounded, &progress)?;
    let layers = &expected.manifest().layers;
    let intact = verify(dir.path(), &progress)?.broken.is_empty();
    let same = intact && *layers == written.layers;
    Ok(SelftestValues {
        objective: objective.to_string(),
        bits: 16,
        passes: 0.0,
        values: layers.len(),
        largest_difference: f64::from(u8::from(!same)),
        allowed: 0.0,
        same,
    })
}

/// Some states of every layer.
fn sample(variant: &Variant) -> Result<Vec<Board>, CountError> {
    let mut boards = Vec::new();
    let options = tilebase_count::CountOptions::default();
    count_layers(variant, &options, &ProgressLine::new(), &mut |_, states| {
        let step = (states.len() / SAMPLE).max(1) as usize;
        boards.extend(states.iter().step_by(step));
    })?;
    Ok(boards)
}

fn judge(
    table: &Table,
    objective: Objective,
    solution: &GpuSolution,
) -> Result<SelftestValues, Failure> {
    let allowed = match solution.width {
        Width::Bits64 => 0.0,
        Width::Bits32 => 2.0 * solution.relative_error_bound,
    };
    let mut differences = Differences {
        number: 0,
        largest: 0.0,
    };
    if let Some(start) = table.manifest().start {
        differences.add(start.value, solution.start.value);
        differences.add(start.win_complement, solution.start.win_complement);
    }
    for answer in &solution.answers {
        let probed = table.probe(answer.board)?;
        differences.compare(probed.value, answer.value);
        for m in &probed.moves {
            let found = answer
                .moves
                .iter()
                .find(|&&(other, _, _)| other == m.direction);
            differences.compare(m.value, found.map(|&(_, _, value)| value));
        }
    }
    // Sure wins and losses do not depend on the width.
    let mut expected: Vec<_> = table.manifest().layers.iter().collect();
    expected.sort_by_key(|layer| layer.sum);
    let sure = expected.len() == solution.layers.len()
        && expected.iter().zip(&solution.layers).all(|(a, b)| {
            (a.sum, a.states, a.afterstates, a.sure_wins, a.sure_losses)
                == (b.sum, b.states, b.afterstates, b.sure_wins, b.sure_losses)
        });
    Ok(SelftestValues {
        objective: objective.to_string(),
        bits: 8 * solution.width.bytes(),
        passes: solution.passes,
        values: differences.number,
        largest_difference: differences.largest,
        allowed,
        same: sure && differences.largest <= allowed,
    })
}

struct Differences {
    number: usize,
    largest: f64,
}

impl Differences {
    /// Compares probabilities and their complements: the smaller side shows differences best.
    fn compare(&mut self, expected: Option<Value>, found: Option<Value>) {
        let missing = |value: Option<Value>| value.and_then(|v| v.win).map(|chance| chance.q());
        self.add(
            expected.and_then(|value| value.value),
            found.and_then(|value| value.value),
        );
        self.add(missing(expected), missing(found));
    }

    fn add(&mut self, expected: Option<f64>, found: Option<f64>) {
        self.number += 1;
        let difference = match (expected, found) {
            (Some(a), Some(b)) if a == b => 0.0,
            (Some(a), Some(b)) => (a - b).abs() / a.abs().max(b.abs()),
            (None, None) => 0.0,
            _ => f64::INFINITY,
        };
        self.largest = self.largest.max(difference);
    }
}
