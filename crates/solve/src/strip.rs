//! A table for play alone: best moves without values.

use std::path::Path;

use tilebase_game::Move;
use tilebase_table::{
    Content, LayerData, Manifest, StoredValue, Table, TableWriter, encode_layer, with_value_type,
};
use tilebase_util::progress::{Progress, Unit};

use crate::backward::{LayerSolver, for_all};
use crate::error::SolveError;

/// Makes a table with moves only from one with values: two bits for each state, besides the
/// states themselves.
///
/// ```
/// use tilebase_util::progress::Silent;
/// use tilebase_solve::{SolveOptions, solve, strip};
/// use tilebase_table::{Objective, Table};
///
/// let dir = tempfile::tempdir().unwrap();
/// let (full, slim) = (dir.path().join("full"), dir.path().join("slim"));
/// let variant = "2x3-to-64".parse().unwrap();
/// solve(&variant, Objective::Win, &full, &SolveOptions::default(), &Silent).unwrap();
/// let full = Table::open(&full).unwrap();
/// let moves = strip(&full, &slim, &Silent).unwrap();
/// assert!(moves.bytes() < full.manifest().bytes());
/// ```
pub fn strip(table: &Table, out: &Path, progress: &dyn Progress) -> Result<Manifest, SolveError> {
    table.needs_values()?;
    with_value_type!(table.objective(), V => strip_as::<V>(table, out, progress))
}

fn strip_as<V: StoredValue>(
    table: &Table,
    out: &Path,
    progress: &dyn Progress,
) -> Result<Manifest, SolveError> {
    let source = table.manifest();
    let game = LayerSolver::of_table(table);
    let manifest = Manifest::new(table.variant(), table.objective(), Content::Moves);
    let mut writer = TableWriter::open(out, manifest)?;
    if writer.manifest().complete {
        return Ok(writer.manifest().clone());
    }
    writer.set_bounds(source.relative_error_bound, source.tie_tolerance);
    progress.begin(Unit::States, Some(source.states()));
    for entry in &source.layers {
        if writer.lowest().is_some_and(|sum| sum <= entry.sum) {
            progress.advance(entry.states);
            continue;
        }
        if progress.interrupted() {
            writer.commit()?;
            return Err(SolveError::Interrupted);
        }
        progress.stage(&format!("layer {}", entry.sum));
        let Some(sets) = table.sets(entry.sum)? else {
            continue;
        };
        let values = table.values::<V>(entry.sum)?;
        let best: Vec<Move> = for_all(&sets.states, Move::Left, |board| {
            let best = game.best_move(board, &sets.afterstates, &values);
            best.map_or(Move::Left, |(m, _)| m)
        });
        let (wins, losses) = (entry.sure_wins, entry.sure_losses);
        writer.write(encode_layer(
            &sets,
            LayerData::<V>::Moves(&best),
            wins,
            losses,
        ))?;
        progress.advance(entry.states);
    }
    writer.commit()?;
    if let Some(start) = source.start {
        writer.complete(start)?;
    }
    progress.finish();
    Ok(writer.manifest().clone())
}
