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
/// use tilebase_solve::{Options, evaluate, solve};
/// use tilebase_table::{Objective, Table};
///
/// let dir = tempfile::tempdir().unwrap();
/// let variant = "2x2-to-16".parse().unwrap();
/// solve(&variant, Objective::Win, dir.path(), &Options::default(), &Silent).unwrap();
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
    with_value_type!(table.objective(), W => evaluate_as::<W>(table, policy, progress, visit))
}

/// A layer with what its states are worth to the policy, image by image.
struct Judged<W> {
    sum: u32,
    sets: LayerSets,
    worths: Vec<[W; 8]>,
}

fn evaluate_as<W: StoredValue>(
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
    let mut start_worths: Vec<(f64, W)> = starts
        .iter()
        .filter(|(board, _)| game.rules.is_lost(*board))
        .map(|&(_, probability)| (probability, W::LOST))
        .collect();
    let mut optimal_worths: Vec<(f64, W)> = Vec::new();
    let mut above: VecDeque<Judged<W>> = VecDeque::new();
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
        let worths: Vec<[W; 8]> = for_all(&sets.states, |canonical| {
            let mut worths = [W::LOST; 8];
            for (image, board) in telling.boards(&game.rules, canonical) {
                worths[image] = worth(&game, telling, weigh(table, policy, board), board, ahead);
            }
            worths
        });
        let mut rank = 0;
        sets.states.for_each_in(0..usize::MAX, |_, canonical| {
            for (image, board) in telling.boards(&game.rules, canonical) {
                states += 1;
                visit(table.places().shown(board), worths[rank][image].value());
            }
            rank += 1;
        });
        for &(board, probability) in starts.iter().filter(|(b, _)| b.sum() == entry.sum) {
            if let Some(i) = telling.index(&game, &sets.states, board) {
                let own = worths[i / telling.images()][i % telling.images()];
                start_worths.push((probability, own));
            }
        }
        above.push_front(Judged {
            sum: entry.sum,
            sets,
            worths,
        });
        above.truncate(2);
        progress.advance(entry.states);
    }
    for (board, probability) in starts {
        let shown = table.places().shown(board);
        optimal_worths.push((probability, table.state_worth::<W>(shown)?));
    }
    progress.finish();
    Ok(Evaluation {
        start: W::mix(&start_worths).value(),
        optimal: W::mix(&optimal_worths).value(),
        states,
    })
}

/// What a state is worth to a policy.
fn worth<W: StoredValue>(
    game: &Game,
    telling: Telling,
    weights: [f64; 4],
    board: Board,
    ahead: [Option<&Judged<W>>; 2],
) -> W {
    let mut moves = Vec::with_capacity(4);
    for (m, weight, after) in weighed(&game.rules, board, weights) {
        let mean = if game.is_won(after) {
            W::won(&game.objective)
        } else {
            let mut sums = [W::Sum::default(); 2];
            for (i, sum) in sums.iter_mut().enumerate() {
                if game.probabilities[i] == 0.0 {
                    continue;
                }
                for child in game.rules.drops(after, i as u8 + 1) {
                    let worth = ahead[i].and_then(|layer| find(game, telling, layer, child));
                    W::add(sum, worth.unwrap_or(W::LOST));
                }
            }
            let cells = f64::from(game.rules.empty_cells(after).count_ones());
            W::mean(sums[0], sums[1], game.probabilities, cells)
        };
        let gain = game.rules.gain(board, m);
        moves.push((weight, W::of_move(&game.objective, mean, gain)));
    }
    W::mix(&moves)
}

fn find<W: StoredValue>(
    game: &Game,
    telling: Telling,
    layer: &Judged<W>,
    board: Board,
) -> Option<W> {
    let states: &BoardSet = &layer.sets.states;
    let index = telling.index(game, states, board)?;
    let images = telling.images();
    Some(layer.worths[index / images][index % images])
}
