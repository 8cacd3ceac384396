//! A table's game as an explicit model, and its best moves.

use tilebase_model::{Model, ModelError, Reduction, StatePolicy};
use tilebase_table::Table;

use crate::error::ExportError;

/// The game of a table, listed, if it has at most `limit` states.
pub fn model(table: &Table, reduction: Reduction, limit: usize) -> Result<Model, ExportError> {
    let variant = table.variant();
    // The table knows the number of classes: do not start what cannot fit.
    if table.manifest().states() > limit as u64 {
        return Err(ModelError::Limit {
            variant: Box::new(*variant),
            limit,
        }
        .into());
    }
    Ok(Model::build(variant, reduction, limit)?)
}

/// The values and best moves of a model's states, in their order, from a table. The number of
/// moves to an impossible win is infinite.
pub fn policy(table: &Table, model: &Model) -> Result<Vec<StatePolicy>, ExportError> {
    table.needs_values()?;
    let mut lines = Vec::with_capacity(model.states().len());
    for state in model.states() {
        let answer = table.probe(state.board)?;
        let value = answer.value.and_then(|value| value.value);
        lines.push(StatePolicy {
            value: value.unwrap_or(f64::INFINITY),
            best: answer.best(),
        });
    }
    Ok(lines)
}
