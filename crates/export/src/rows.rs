//! Every live state of a table, with everything that the table knows about it.

use std::ops::Range;

use rayon::prelude::*;
use tilebase_game::{Board, MoveSet, Symmetry};
use tilebase_solve::LayerSolver;
use tilebase_table::{LayerSets, StoredValue, Table, Value, with_value_type};
use tilebase_util::progress::{Progress, Unit};

use crate::error::ExportError;

/// States that a thread takes at a time.
const TASK: u32 = 1 << 12;
/// Tasks that are done together before their results are taken.
const TASKS: usize = 64;

/// A live state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The canonical board of its class, as the user sees it.
    pub board: Board,
    /// Its value.
    pub value: Value,
    /// The value of each legal move, in the order of `Move::ALL`.
    pub moves: [Option<Value>; 4],
    /// All best moves.
    pub best: MoveSet,
}

/// Iterates over all live states, from the first tile sum up and by rank: `make` converts a few
/// thousand rows at a time, on all threads of the current pool, and `take` gets the results in
/// the order of the rows. Returns the number of rows.
///
/// ```
/// use tilebase_export::for_each_part;
/// use tilebase_util::progress::Silent;
/// use tilebase_solve::{SolveOptions, solve};
/// use tilebase_table::{Objective, Table};
///
/// let dir = tempfile::tempdir().unwrap();
/// let variant = "2x2-to-16".parse().unwrap();
/// solve(&variant, Objective::Win, dir.path(), &SolveOptions::default(), &Silent).unwrap();
/// let table = Table::open(dir.path()).unwrap();
/// let mut lost = 0;
/// let hopeless = |rows: &[tilebase_export::Row]| {
///     rows.iter().filter(|row| row.value.value == Some(0.0)).count()
/// };
/// let rows = for_each_part(&table, &Silent, hopeless, |part| {
///     lost += part;
///     Ok(())
/// });
/// assert_eq!(rows.unwrap(), table.manifest().states());
/// ```
pub fn for_each_part<P: Send>(
    table: &Table,
    progress: &dyn Progress,
    make: impl Fn(&[Row]) -> P + Sync,
    take: impl FnMut(P) -> Result<(), ExportError>,
) -> Result<u64, ExportError> {
    table.needs_values()?;
    with_value_type!(table.objective(), V => run::<V, P>(table, progress, make, take))
}

fn run<V: StoredValue, P: Send>(
    table: &Table,
    progress: &dyn Progress,
    make: impl Fn(&[Row]) -> P + Sync,
    mut take: impl FnMut(P) -> Result<(), ExportError>,
) -> Result<u64, ExportError> {
    let game = LayerSolver::of_table(table);
    progress.begin(Unit::States, Some(table.manifest().states()));
    let mut rows = 0;
    for entry in table.layers() {
        progress.stage(&format!("layer {}", entry.sum));
        let Some(sets) = table.sets(entry.sum)? else {
            continue;
        };
        let values = table.values::<V>(entry.sum)?;
        for tasks in sets.states.tasks(TASK).chunks(TASKS) {
            if progress.interrupted() {
                return Err(ExportError::Interrupted);
            }
            let part = |(_, words): &(u32, Range<usize>)| {
                let rows = task(&game, &sets, &values, words.clone());
                (rows.len() as u64, make(&rows))
            };
            let parts: Vec<(u64, P)> = tasks.par_iter().map(part).collect();
            for (len, part) in parts {
                take(part)?;
                rows += len;
                progress.advance(len);
            }
        }
    }
    progress.finish();
    Ok(rows)
}

/// The rows of a range of a layer's words.
fn task<V: StoredValue>(
    game: &LayerSolver,
    sets: &LayerSets,
    values: &[V],
    words: Range<usize>,
) -> Vec<Row> {
    // Layers hold upright boards; moves are named on the board as the user sees it.
    let turn = match game.index.shape() == game.rules.shape() {
        true => Symmetry::Identity,
        false => Symmetry::Transpose,
    };
    let mut rows = Vec::with_capacity(TASK as usize + 64);
    sets.states.for_each_in(words, |_, board| {
        let mut known = [V::LOST; 4];
        let mut names = [0; 4];
        let mut len = 0;
        game.moves(board, &sets.afterstates, values, |m, _, value| {
            known[len] = value;
            names[len] = turn.apply_to_move(m).index();
            len += 1;
        });
        let state = V::of_state(known[..len].iter().copied(), game.tolerance);
        let mut row = Row {
            board: game.index.in_shape(board),
            value: state.to_value(),
            moves: [None; 4],
            best: MoveSet::EMPTY,
        };
        let mut best = 0;
        for (&value, &name) in known[..len].iter().zip(&names) {
            row.moves[name] = Some(value.to_value());
            best |= u8::from(value.is_best(state, game.tolerance)) << name;
        }
        row.best = MoveSet::from_bits(best);
        rows.push(row);
    });
    rows
}
