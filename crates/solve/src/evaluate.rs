//! The exact value of any policy, by the same backward pass as the optimal one.

use std::collections::VecDeque;

use tilebase_game::{Board, Policy, Representative};
use tilebase_table::{LayerSets, StoredValue, Table, Value, with_value_type};
use tilebase_util::progress::{Progress, Unit};

use crate::backward::{LayerSolver, for_all};
use crate::error::SolveError;
use crate::flow::{Granularity, move_probabilities, played_moves};

/// The value of a policy in a table's game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation {
    /// The value of the random start under the policy.
    pub start: Value,
    /// The same under optimal play.
    pub optimal: Value,
    /// What the policy loses; `None` where losses do not add up to the difference.
    pub regret: Option<f64>,
    /// States that were evaluated.
    pub states: u64,
}

/// Computes the exact value of a policy in every state of a table's game. Calls `visit` with every
/// state and its value; with every image of it if the policy is not symmetric.
///
/// ```
/// use tilebase_play::PlayerKind;
/// use tilebase_util::progress::Silent;
/// use tilebase_solve::{SolveOptions, evaluate, solve};
/// use tilebase_table::{Objective, Table};
///
/// let dir = tempfile::tempdir().unwrap();
/// let variant = "2x2-to-16".parse().unwrap();
/// solve(&variant, Objective::Win, dir.path(), &SolveOptions::default(), &Silent).unwrap();
/// let table = Table::open(dir.path()).unwrap();
/// let random = evaluate(&table, PlayerKind::Random.policy(), &Silent, &mut |_, _| ()).unwrap();
/// assert!(random.start.value < random.optimal.value);
/// ```
pub fn evaluate(
    table: &Table,
    policy: &dyn Policy,
    progress: &dyn Progress,
    visit: &mut dyn FnMut(Board, Value),
) -> Result<Evaluation, SolveError> {
    table.needs_values()?;
    with_value_type!(table.objective(), V => evaluate_as::<V>(table, policy, progress, visit))
}

/// A layer with the values of its states under the policy, image by image.
struct EvaluatedLayer<V> {
    sum: u32,
    sets: LayerSets,
    values: Vec<[V; 8]>,
}

/// A backward pass that averages over a policy's moves instead of taking the best.
struct PolicyPass<'a, V> {
    table: &'a Table,
    policy: &'a dyn Policy,
    game: LayerSolver,
    granularity: Granularity,
    /// The last two layers.
    above: VecDeque<EvaluatedLayer<V>>,
    states: u64,
}

fn evaluate_as<V: StoredValue>(
    table: &Table,
    policy: &dyn Policy,
    progress: &dyn Progress,
    visit: &mut dyn FnMut(Board, Value),
) -> Result<Evaluation, SolveError> {
    let mut pass = PolicyPass::<V> {
        table,
        policy,
        game: LayerSolver::of_table(table),
        granularity: Granularity::of(policy),
        above: VecDeque::new(),
        states: 0,
    };
    let rules = pass.game.rules;
    let (spawn, tiles) = (table.variant().spawn(), table.variant().start_tiles());
    let starts = rules.start_states(spawn, tiles, Representative::Itself);
    // Start states that are lost at once may be in no layer of the table.
    let mut start_values: Vec<(f64, V)> = starts
        .iter()
        .filter(|(board, _)| rules.is_lost(*board))
        .map(|&(_, probability)| (probability, V::LOST))
        .collect();
    progress.begin(Unit::States, Some(table.manifest().states()));
    for entry in table.layers().rev() {
        if progress.interrupted() {
            return Err(SolveError::Interrupted);
        }
        progress.stage(&format!("layer {}", entry.sum));
        let Some(sets) = table.sets(entry.sum)? else {
            continue;
        };
        if !pass.prepare(&sets) {
            return Err(SolveError::Interrupted);
        }
        pass.layer(entry.sum, sets, visit);
        for &(board, probability) in starts.iter().filter(|(b, _)| rules.sum(*b) == entry.sum) {
            let layer = pass.above.front();
            let value = layer.and_then(|layer| pass.find(layer, board));
            start_values.extend(value.map(|value| (probability, value)));
        }
        progress.advance(entry.states);
    }
    let mut optimal_values: Vec<(f64, V)> = Vec::new();
    for (board, probability) in starts {
        let shown = table.index().in_shape(board);
        optimal_values.push((probability, table.state_value::<V>(shown)?));
    }
    progress.finish();
    let (start, optimal) = (
        V::weighted_mean(&start_values),
        V::weighted_mean(&optimal_values),
    );
    let additive = table.objective().value_kind().is_additive();
    Ok(Evaluation {
        start: start.to_value(),
        optimal: optimal.to_value(),
        regret: additive.then(|| start.loss(optimal)),
        states: pass.states,
    })
}

impl<V: StoredValue> PolicyPass<'_, V> {
    /// Tells the policy which boards come next.
    fn prepare(&self, sets: &LayerSets) -> bool {
        let (game, index) = (&self.game, self.table.index());
        self.policy.prepare(&|take| {
            sets.states.for_each_in(0..usize::MAX, |_, canonical| {
                for (_, board) in self.granularity.boards(&game.rules, canonical) {
                    take(index.in_shape(board));
                }
            });
        })
    }

    /// Evaluates a layer, given the two above.
    fn layer(&mut self, sum: u32, sets: LayerSets, visit: &mut dyn FnMut(Board, Value)) {
        let at = |steps: u32| {
            let mut above = self.above.iter();
            above.find(|layer| layer.sum == sum + 2 * steps)
        };
        let above = [at(1), at(2)];
        let rules = &self.game.rules;
        let values: Vec<[V; 8]> = for_all(&sets.states, [V::LOST; 8], |canonical| {
            let mut values = [V::LOST; 8];
            for (image, board) in self.granularity.boards(rules, canonical) {
                values[image] = self.value(board, above);
            }
            values
        });
        let (mut rank, mut states) = (0, 0);
        sets.states.for_each_in(0..usize::MAX, |_, canonical| {
            for (image, board) in self.granularity.boards(rules, canonical) {
                states += 1;
                let shown = self.table.index().in_shape(board);
                visit(shown, values[rank][image].to_value());
            }
            rank += 1;
        });
        self.states += states;
        self.above.push_front(EvaluatedLayer { sum, sets, values });
        self.above.truncate(2);
    }

    /// The value of a state under the policy.
    fn value(&self, board: Board, above: [Option<&EvaluatedLayer<V>>; 2]) -> V {
        let game = &self.game;
        let weights = move_probabilities(self.table, self.policy, board);
        let mut moves = Vec::with_capacity(4);
        for (m, weight, after) in played_moves(&game.rules, board, weights) {
            let mean = if game.is_won(after) {
                V::won(&game.objective)
            } else {
                self.spawn_mean(after, above)
            };
            let score = game.rules.score(board, m);
            moves.push((weight, V::of_move(&game.objective, mean, score)));
        }
        V::weighted_mean(&moves)
    }

    /// The value of an afterstate: the mean over its spawns.
    fn spawn_mean(&self, after: Board, above: [Option<&EvaluatedLayer<V>>; 2]) -> V {
        let game = &self.game;
        let mut sums = [V::Sum::default(); 2];
        for (i, sum) in sums.iter_mut().enumerate() {
            if game.probabilities[i] == 0.0 {
                continue;
            }
            for child in game.rules.drops(after, i as u8 + 1) {
                let value = above[i].and_then(|layer| self.find(layer, child));
                V::add(sum, value.unwrap_or(V::LOST));
            }
        }
        let cells = f64::from(game.rules.empty_cells(after).count_ones());
        V::mean(sums[0], sums[1], game.probabilities, cells)
    }

    /// The value of a board in a layer; `None` if it is lost.
    fn find(&self, layer: &EvaluatedLayer<V>, board: Board) -> Option<V> {
        let index = self
            .granularity
            .index(&self.game, &layer.sets.states, board)?;
        let images = self.granularity.images();
        Some(layer.values[index / images][index % images])
    }
}
