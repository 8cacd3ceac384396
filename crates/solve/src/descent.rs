//! The way down through the layers of a game, from values to encoded files.

use std::sync::Arc;

use rayon::prelude::*;
use tilebase_count::CountError;
use tilebase_game::{Board, Representative, Rules, Variant};
use tilebase_index::{Keep, LayerEntry, Store};
use tilebase_table::{
    Category, Content, EncodedLayer, LayerData, LayerSets, StoredValue, encode_layer,
};
use tilebase_util::progress::Progress;

use crate::backward::{LayerSolver, Solved};
use crate::error::SolveError;

/// A pass down through the layers of a game.
pub(crate) struct Descent<'a, V> {
    game: &'a LayerSolver,
    store: &'a Store,
    content: Content,
    /// The start states whose values are not known, with their probabilities.
    waiting: Vec<(Board, f64)>,
    /// The values of the others.
    starts: Vec<(f64, V)>,
}

/// A layer that is solved, and not encoded yet.
struct Ready<V> {
    sets: LayerSets,
    /// The values of its afterstates.
    after: Vec<V>,
    sure_wins: u64,
    sure_losses: u64,
}

impl<'a, V: StoredValue> Descent<'a, V> {
    /// A pass for a table with some content.
    pub fn new(game: &'a LayerSolver, store: &'a Store, content: Content) -> Descent<'a, V> {
        Descent {
            game,
            store,
            content,
            waiting: start_states(game.index.variant()).collect(),
            starts: Vec::new(),
        }
    }

    /// The values of the start states with their probabilities, where the table has only rounded ones.
    pub fn starts(&self) -> Option<Vec<(f64, V)>> {
        // In layers without a live state all are lost.
        let lost = self
            .waiting
            .iter()
            .map(|&(_, probability)| (probability, V::LOST));
        let all = self.starts.iter().copied().chain(lost);
        (self.content == Content::Rounded).then(|| all.collect())
    }

    /// Solves layers, from the highest down, and passes their files to `take`. Stops early if that
    /// returns false.
    pub fn run(
        &mut self,
        mut above: Vec<Solved<V>>,
        todo: &[&LayerEntry],
        progress: &dyn Progress,
        mut take: impl FnMut(EncodedLayer) -> bool,
    ) -> Result<(), SolveError> {
        let mut next = self.load(todo.first().copied());
        let mut ready: Option<Ready<V>> = None;
        for (i, entry) in todo.iter().enumerate() {
            if progress.interrupted() {
                // What is solved is kept.
                ready.map(|ready| take(self.encode(&ready)));
                return Err(SolveError::Interrupted);
            }
            progress.stage(&format!("layer {}", entry.sum));
            let Some(sets) = next? else { break };
            let at = |steps: u32| {
                let sum = entry.sum + 2 * steps;
                let mut above = above.iter();
                above.find(|layer| layer.states.index().sum() == sum)
            };
            // Read the next layer and encode the last one meanwhile: neither keeps all cores busy.
            let (after, (loaded, encoded)) = rayon::join(
                || {
                    let above = [at(1), at(2)];
                    self.game.afterstates::<V>(&sets.afterstates, above)
                },
                || {
                    rayon::join(
                        || self.load(todo.get(i + 1).copied()),
                        || ready.take().map(|ready| self.encode(&ready)),
                    )
                },
            );
            next = loaded;
            if encoded.is_some_and(|encoded| !take(encoded)) {
                // The writer has failed, and returns the error itself.
                return Ok(());
            }
            let game = self.game;
            let values = game.states(&sets.states, &sets.afterstates, &after);
            above.retain(|layer| layer.states.index().sum() <= entry.sum + 2);
            let solved = Solved {
                states: Arc::clone(&sets.states),
                values,
            };
            let (sure_wins, sure_losses) = sure(&solved.values);
            if self.content == Content::Rounded {
                self.note_starts(&solved);
            }
            ready = Some(Ready {
                sets,
                after,
                sure_wins,
                sure_losses,
            });
            above.push(solved);
            progress.advance(live_states(entry));
        }
        if let Some(ready) = ready {
            take(self.encode(&ready));
        }
        Ok(())
    }

    /// The boards of a layer.
    fn load(&self, entry: Option<&LayerEntry>) -> Result<Option<LayerSets>, CountError> {
        let Some(entry) = entry else {
            return Ok(None);
        };
        let (index, store) = (&self.game.index, self.store);
        Ok(Some(LayerSets {
            states: Arc::new(store.take_boards(index, entry, Keep::States)?),
            afterstates: store.take_boards(index, entry, Keep::Afterstates)?,
        }))
    }

    fn encode(&self, ready: &Ready<V>) -> EncodedLayer {
        let data = match self.content {
            Content::Rounded => LayerData::Rounded(&ready.after),
            _ => LayerData::Values(&ready.after),
        };
        encode_layer(&ready.sets, data, ready.sure_wins, ready.sure_losses)
    }

    /// Notes the values of the start states of a solved layer.
    fn note_starts(&mut self, layer: &Solved<V>) {
        let (game, sum) = (self.game, layer.states.index().sum());
        let here = |start: &mut (Board, f64)| game.rules.sum(start.0) == sum;
        for (board, probability) in self.waiting.extract_if(.., here) {
            let rank = game.rank(&layer.states, game.index.canonical(board));
            let value = rank.map_or(V::LOST, |rank| layer.values[rank as usize]);
            self.starts.push((probability, value));
        }
    }
}

/// How many values are sure wins, and sure losses.
pub(crate) fn sure<V: StoredValue>(values: &[V]) -> (u64, u64) {
    let tally = |(wins, losses): (u64, u64), value: &V| match value.to_value().category {
        Category::SureWin => (wins + 1, losses),
        Category::SureLoss => (wins, losses + 1),
        _ => (wins, losses),
    };
    let parts = values.par_chunks(1 << 14);
    let sums = parts.map(|part| part.iter().fold((0, 0), tally));
    sums.reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
}

/// Live states of a layer.
pub(crate) fn live_states(entry: &LayerEntry) -> u64 {
    entry.count().states.iter().sum()
}

/// The start states of a game with their probabilities, one for each class.
pub(crate) fn start_states(variant: &Variant) -> impl Iterator<Item = (Board, f64)> {
    let (spawn, tiles) = (variant.spawn(), variant.start_tiles());
    let of = |rules: Rules| rules.start_states(spawn, tiles, Representative::Canonical);
    // A game that is solved fits packed boards.
    Rules::of(variant).ok().map(of).into_iter().flatten()
}
