//! Cuts tables into shards, as processes that solve a game together would write them.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::ops::Range;
use std::path::Path;

use tilebase_game::{Move, Rng};
use tilebase_index::layer::{Layout, Part};
use tilebase_index::{BoardSet, LayerIndex};
use tilebase_solve::LayerSolver;
use tilebase_table::{
    Category, Content, LayerData, LayerSets, Manifest, Shard, StoredValue, Table, TableWriter,
    encode_layer, shard_dir, with_value_type,
};

/// Cuts a table into shards. `whole` is the table as it is, `full` the one with all values that it
/// comes from. Where layers are cut is random: shards may be empty.
pub fn cut(full: &Table, whole: &Table, dir: &Path, processes: u32) {
    with_value_type!(full.objective(), V => cut_as::<V>(full, whole, dir, processes));
}

fn cut_as<V: StoredValue>(full: &Table, whole: &Table, dir: &Path, processes: u32) {
    let source = whole.manifest();
    let mut writers: Vec<TableWriter> = (0..processes)
        .map(|process| {
            let shard = Shard { process, processes };
            let mut manifest = Manifest::new(whole.variant(), whole.objective(), source.content);
            manifest.from = source.from.clone();
            let dir = shard_dir(dir, shard);
            let mut writer = TableWriter::open(&dir, manifest.of_shard(shard)).unwrap();
            writer.set_bounds(source.relative_error_bound, source.tie_tolerance);
            writer
        })
        .collect();
    let mut rng = Rng::new(u64::from(processes));
    for entry in &source.layers {
        let layer = Cut::<V>::new(full, whole, entry.sum);
        let parts = parts(layer.states.index().layout(), processes, &mut rng);
        for (writer, part) in writers.iter_mut().zip(parts) {
            layer.write(writer, part);
        }
    }
    for mut writer in writers {
        writer.commit().unwrap();
        writer.complete(source.start.unwrap()).unwrap();
    }
}

/// Consecutive parts of a layer.
fn parts(layout: &Layout, processes: u32, rng: &mut Rng) -> Vec<Part> {
    let tops: Vec<usize> = layout.blocks.iter().map(|block| block.top_units).collect();
    let mut ends: Vec<usize> = (1..processes)
        .map(|_| tops[rng.below(tops.len() as u32) as usize])
        .collect();
    ends.sort_unstable();
    ends.push(usize::MAX);
    let firsts = std::iter::once(0).chain(ends.clone());
    let parts = firsts.zip(ends);
    parts.map(|(first, end)| Part { first, end }).collect()
}

/// A layer to be cut.
struct Cut<V> {
    content: Content,
    states: BoardSet,
    afterstates: BoardSet,
    /// The best moves of the states, and their values.
    moves: Vec<Move>,
    values: Vec<V>,
    /// The values of the afterstates.
    after: Vec<V>,
}

impl<V: StoredValue> Cut<V> {
    fn new(full: &Table, whole: &Table, sum: u32) -> Cut<V> {
        let content = whole.manifest().content;
        let table = if content.lists_states() { whole } else { full };
        let states = table.sets(sum).unwrap().unwrap().states;
        let (afterstates, after) = (
            full.sets(sum).unwrap().unwrap().afterstates,
            full.values::<V>(sum).unwrap(),
        );
        let game = LayerSolver::of_table(full);
        let mut moves = Vec::new();
        states.for_each_in(0..usize::MAX, |_, board| {
            let best = game.best_move(board, &afterstates, &after);
            moves.push(best.unwrap().0);
        });
        Cut {
            content,
            values: game.states(&states, &afterstates, &after),
            states: std::sync::Arc::into_inner(states).unwrap(),
            afterstates,
            moves,
            after,
        }
    }

    /// Writes a part of the layer, and reads it back.
    fn write(&self, writer: &mut TableWriter, part: Part) {
        let index = self.states.index().part(part);
        let (states, ranks) = within(&self.states, &index);
        let (afterstates, after_ranks) = within(&self.afterstates, &index);
        let after = &self.after[after_ranks];
        let (moves, values) = (&self.moves[ranks.clone()], &self.values[ranks]);
        let sets = LayerSets {
            states: states.into(),
            afterstates,
        };
        let sure = |category| {
            let is = |value: &&V| value.to_value().category == category;
            values.iter().filter(is).count() as u64
        };
        let (wins, losses) = (sure(Category::SureWin), sure(Category::SureLoss));
        let data = match self.content {
            Content::Values => LayerData::Values(after),
            Content::Rounded => LayerData::Rounded(after),
            Content::Moves => LayerData::Moves(moves),
            Content::BestPlay => LayerData::BestPlay(moves, values),
        };
        writer
            .write(encode_layer(&sets, data, wins, losses))
            .unwrap();
        if self.content == Content::Values {
            writer.commit().unwrap();
            let entry = writer.manifest().layers.last().unwrap();
            let (read, read_after) = writer.read::<V>(index.clone(), entry).unwrap();
            assert_eq!(read_after, after);
            for (read, set) in [
                (&*read.states, &*sets.states),
                (&read.afterstates, &sets.afterstates),
            ] {
                assert!(read.iter().eq(set.iter()));
            }
            // In a part without them the boards have no place.
            let none = Part { first: 0, end: 0 };
            let elsewhere = writer.read::<V>(index.part(none), entry);
            assert_eq!(
                elsewhere.is_ok(),
                sets.states.is_empty() && after.is_empty()
            );
        }
    }
}

/// The boards of a set in a part of its layer, and their ranks in the set.
fn within(set: &BoardSet, part: &LayerIndex) -> (BoardSet, Range<usize>) {
    let first = part.first_position();
    let (mut inside, mut before) = (Vec::new(), 0);
    set.for_each_rank(0..set.len() as u32, |position| {
        if position < first {
            before += 1;
        } else if position < first + part.positions() {
            inside.push(position - first);
        }
    });
    let ranks = before..before + inside.len();
    (BoardSet::at(part.clone(), inside).unwrap(), ranks)
}
