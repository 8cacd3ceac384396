//! The true value of any policy, by the same backward pass.

use std::collections::VecDeque;

use tilebase_game::Policy;
use tilebase_game::{Board, Representative};
use tilebase_index::BoardSet;
use tilebase_table::{LayerSets, StoredValue, Table, Value, with_value_type};
use tilebase_util::progress::{Progress, Unit};

use crate::backward::{Game, for_all};
use crate::error::SolveError;
use crate::flow::{Telling, weigh, weighed};

/// What a policy achieves in a table's game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation {
    /// From the random start.
    pub start: Value,
    /// The same under optimal play.
    pub optimal: Value,
    /// States that were evaluated.
    pub states: u64,
}

/// Computes exactly what a policy achieves, from every state of a table's game. `visit` is
/// shown every state with what it is worth to the policy; of a policy that does not turn
/// with the board, every image of it.
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

/// A layer with what its states are worth to the policy, image by image.
struct Judged<V> {
    sum: u32,
    sets: LayerSets,
    values: Vec<[V; 8]>,
}

fn evaluate_as<V: StoredValue>(
    table: &Table,
    policy: &dyn Policy,
    progress: &dyn Progress,
    visit: &mut dyn FnMut(Board, Value),
) -> Result<Evaluation, SolveError> {
    let game = Game::new(
        table.variant(),
        table.objective(),
        table.manifest().tie_tolerance,
    )?;
    let telling = if policy.is_symmetric() {
        Telling::Classes
    } else {
        Telling::Images
    };
    let (spawn, tiles) = (game.variant.spawn(), game.variant.start_tiles());
    let starts = game
        .rules
        .start_states(spawn, tiles, Representative::Itself);
    // Start states that are lost at once may be in no layer of the table.
    let mut start_values: Vec<(f64, V)> = starts
        .iter()
        .filter(|(board, _)| game.rules.is_lost(*board))
        .map(|&(_, probability)| (probability, V::LOST))
        .collect();
    let mut optimal_values: Vec<(f64, V)> = Vec::new();
    let mut above: VecDeque<Judged<V>> = VecDeque::new();
    let mut states = 0;
    progress.begin(Unit::States, Some(table.manifest().states()));
    for entry in table.layers().rev() {
        if progress.interrupted() {
            return Err(SolveError::Interrupted);
        }
        progress.stage(&format!("layer {}", entry.sum));
        let Some(sets) = table.sets(entry.sum)? else {
            continue;
        };
        let at = |steps: u32| {
            above
                .iter()
                .find(|layer| layer.sum == entry.sum + 2 * steps)
        };
        let ahead = [at(1), at(2)];
        let values: Vec<[V; 8]> = for_all(&sets.states, |canonical| {
            let mut values = [V::LOST; 8];
            for (image, board) in telling.boards(&game.rules, canonical) {
                values[image] = value(&game, telling, weigh(table, policy, board), board, ahead);
            }
            values
        });
        let mut rank = 0;
        sets.states.for_each_in(0..usize::MAX, |_, canonical| {
            for (image, board) in telling.boards(&game.rules, canonical) {
                states += 1;
                visit(table.places().shown(board), values[rank][image].to_value());
            }
            rank += 1;
        });
        for &(board, probability) in starts.iter().filter(|(b, _)| b.sum() == entry.sum) {
            if let Some(i) = telling.index(&game, &sets.states, board) {
                let own = values[i / telling.images()][i % telling.images()];
                start_values.push((probability, own));
            }
        }
        above.push_front(Judged {
            sum: entry.sum,
            sets,
            values,
        });
        above.truncate(2);
        progress.advance(entry.states);
    }
    for (board, probability) in starts {
        let shown = table.places().shown(board);
        optimal_values.push((probability, table.state_value::<V>(shown)?));
    }
    progress.finish();
    Ok(Evaluation {
        start: V::weighted_mean(&start_values).to_value(),
        optimal: V::weighted_mean(&optimal_values).to_value(),
        states,
    })
}

/// What a state is worth to a policy.
fn value<V: StoredValue>(
    game: &Game,
    telling: Telling,
    weights: [f64; 4],
    board: Board,
    ahead: [Option<&Judged<V>>; 2],
) -> V {
    let mut moves = Vec::with_capacity(4);
    for (m, weight, after) in weighed(&game.rules, board, weights) {
        let mean = if game.is_won(after) {
            V::won(&game.objective)
        } else {
            let mut sums = [V::Sum::default(); 2];
            for (i, sum) in sums.iter_mut().enumerate() {
                if game.probabilities[i] == 0.0 {
                    continue;
                }
                for child in game.rules.drops(after, i as u8 + 1) {
                    let value = ahead[i].and_then(|layer| find(game, telling, layer, child));
                    V::add(sum, value.unwrap_or(V::LOST));
                }
            }
            let cells = f64::from(game.rules.empty_cells(after).count_ones());
            V::mean(sums[0], sums[1], game.probabilities, cells)
        };
        let gain = game.rules.gain(board, m);
        moves.push((weight, V::of_move(&game.objective, mean, gain)));
    }
    V::weighted_mean(&moves)
}

fn find<V: StoredValue>(
    game: &Game,
    telling: Telling,
    layer: &Judged<V>,
    board: Board,
) -> Option<V> {
    let states: &BoardSet = &layer.sets.states;
    let index = telling.index(game, states, board)?;
    let images = telling.images();
    Some(layer.values[index / images][index % images])
}
