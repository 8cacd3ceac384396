//! A table for play that keeps only what best play can meet.

use std::collections::VecDeque;
use std::path::Path;

use tilebase_game::{Board, Move, Rules, Variant};
use tilebase_index::buffer::Buffer;
use tilebase_index::layer::{Layer, Layout};
use tilebase_index::mark::Marker;
use tilebase_index::{BoardSet, IndexError};
use tilebase_table::{
    Category, LayerData, LayerSets, Manifest, Objective, Start, Status, StoredValue, Table,
    TableError, TableWriter, encode_layer, with_value_type,
};
use tilebase_util::on_threads;
use tilebase_util::progress::{Progress, Unit};

use crate::backward::{LayerSolver, for_all};
use crate::error::SolveError;
use crate::pass::{SolveOptions, check, rounded_error};

/// Makes a table of what best play can meet from a table with values: for each such state the best
/// move, and the value in 16 bits. Play begins at the game's random start, or at given positions.
///
/// Of several best moves the first is played, on the canonical board, as [`follow()`](crate::follow())
/// does it.
///
/// ```
/// use tilebase_util::progress::Silent;
/// use tilebase_solve::{SolveOptions, keep_best_play, solve};
/// use tilebase_table::{Objective, Table};
///
/// let dir = tempfile::tempdir().unwrap();
/// let (full, best) = (dir.path().join("full"), dir.path().join("best"));
/// let variant = "2x3-to-64".parse().unwrap();
/// solve(&variant, Objective::Win, &full, &SolveOptions::default(), &Silent).unwrap();
/// let full = Table::open(&full).unwrap();
/// let kept = keep_best_play(&full, &[], &best, 0, &Silent).unwrap();
/// assert!(kept.states() < full.manifest().states());
/// ```
pub fn keep_best_play(
    table: &Table,
    from: &[Board],
    out: &Path,
    threads: usize,
    progress: &dyn Progress,
) -> Result<Manifest, SolveError> {
    table.needs_values()?;
    on_threads(
        threads,
        || with_value_type!(table.objective(), V => keep::<V>(table, from, out, progress)),
    )?
}

/// Fails if [`keep_best_play`] would, as far as that is known before the game is solved.
pub fn check_best_play(
    variant: &Variant,
    objective: Objective,
    from: &[Board],
    options: &SolveOptions,
) -> Result<(), SolveError> {
    let rounded = SolveOptions {
        rounded: true,
        ..*options
    };
    check(variant, objective, &rounded)?;
    let rules = Rules::of(variant).map_err(IndexError::Shape)?;
    let over = |&&board: &&Board| variant.is_won(board) || rules.is_lost(board);
    match from.iter().find(over) {
        Some(board) => Err(SolveError::Start(board.hex(variant.shape()))),
        None => Ok(()),
    }
}

/// The boards of a layer that best play meets, lost ones included.
struct Met {
    sum: u32,
    boards: Layer,
}

impl Met {
    fn new(game: &LayerSolver, sum: u32) -> std::io::Result<Met> {
        let layout = Layout::new(game.index.space(), sum as usize / 2);
        let buffer = Buffer::new(layout.words())?;
        Ok(Met {
            sum,
            boards: Layer::new(layout, buffer),
        })
    }
}

fn keep<V: StoredValue>(
    table: &Table,
    from: &[Board],
    out: &Path,
    progress: &dyn Progress,
) -> Result<Manifest, SolveError> {
    let error = rounded_error(table.objective())?;
    let source = table.manifest();
    let game = LayerSolver::of_table(table);
    let manifest = Manifest::best_play(table.variant(), table.objective(), from);
    let mut writer = TableWriter::open(out, manifest)?;
    if writer.manifest().complete {
        return Ok(writer.manifest().clone());
    }
    writer.set_bounds(source.relative_error_bound + error, 2.0 * error);
    let starts = starts(table, from)?;
    let mut met: VecDeque<Met> = VecDeque::new();
    progress.begin(Unit::States, Some(source.states()));
    for entry in table.layers() {
        if progress.interrupted() {
            return Err(SolveError::Interrupted);
        }
        progress.stage(&format!("layer {}", entry.sum));
        // Layers without a live state are not in the table.
        met.retain(|layer| layer.sum >= entry.sum);
        // This layer and the two that its spawns lead to.
        for sum in [entry.sum, entry.sum + 2, entry.sum + 4] {
            if met.back().is_none_or(|layer| layer.sum < sum) {
                met.push_back(Met::new(&game, sum).map_err(TableError::System)?);
            }
        }
        let (Some(mut layer), Some(all)) = (met.pop_front(), table.sets(entry.sum)?) else {
            continue;
        };
        let marker = layer.boards.marker();
        let starting = |(board, _): &&(Board, f64)| table.rules().sum(*board) == entry.sum;
        for (board, _) in starts.iter().filter(starting) {
            mark(&game, &marker, game.index.canonical(*board));
        }
        drop(marker);
        let states = all
            .states
            .within(&layer.boards)
            .map_err(TableError::System)?;
        let values = table.values::<V>(entry.sum)?;
        let best = meet(&game, &states, &all.afterstates, &values, &mut met);
        let sets = LayerSets {
            states: states.into(),
            afterstates: all.afterstates,
        };
        let (moves, values): (Vec<Move>, Vec<V>) = best.into_iter().unzip();
        let sure = |category| {
            let is = |value: &&V| value.to_value().category == category;
            values.iter().filter(is).count() as u64
        };
        let (wins, losses) = (sure(Category::SureWin), sure(Category::SureLoss));
        let data = LayerData::BestPlay(&moves, &values);
        writer.write(encode_layer(&sets, data, wins, losses))?;
        progress.advance(entry.states);
    }
    writer.commit()?;
    let mut values = Vec::new();
    for (board, probability) in starts {
        values.push((probability, table.state_value::<V>(board)?));
    }
    writer.complete(Start::of(&values))?;
    progress.finish();
    Ok(writer.manifest().clone())
}

/// The positions that play begins at, with their probabilities: those of the game, or given ones.
fn starts(table: &Table, from: &[Board]) -> Result<Vec<(Board, f64)>, SolveError> {
    if from.is_empty() {
        let (spawn, tiles) = (table.variant().spawn(), table.variant().start_tiles());
        let each = tilebase_game::Representative::Canonical;
        return Ok(table
            .rules()
            .start_states(spawn, tiles, each)
            .into_iter()
            .collect());
    }
    for &board in from {
        let probe = table.probe(board)?;
        if probe.value.is_none() || probe.status != Status::Live {
            return Err(SolveError::Start(board.hex(table.variant().shape())));
        }
    }
    let share = 1.0 / from.len() as f64;
    Ok(from.iter().map(|&board| (board, share)).collect())
}

/// The best moves of some states of a layer and their values. Adds what the spawns then lead to to
/// the layers above.
fn meet<V: StoredValue>(
    game: &LayerSolver,
    states: &BoardSet,
    afterstates: &BoardSet,
    values: &[V],
    above: &mut VecDeque<Met>,
) -> Vec<(Move, V)> {
    let spawn = game.variant.spawn();
    let above = above.iter_mut();
    let above: Vec<(u32, Marker)> = above.map(|met| (met.sum, met.boards.marker())).collect();
    for_all(states, (Move::Left, V::LOST), |board| {
        let Some((m, after, value)) = game.best(board, afterstates, values) else {
            return (Move::Left, V::LOST);
        };
        if !game.is_won(after) {
            for exponent in spawn.exponents() {
                let sum = states.index().sum() + (1 << exponent);
                let layer = above.iter().find(|&&(above, _)| above == sum);
                if let Some((_, marker)) = layer {
                    let drops = game.rules.drops(after, exponent);
                    drops.for_each(|board| mark(game, marker, board));
                }
            }
        }
        (m, value)
    })
}

/// Puts an upright board into a layer.
fn mark(game: &LayerSolver, layer: &Marker, board: Board) {
    if let Some(place) = game.index.space().canonical_place(board) {
        layer.mark(place);
    }
}
