//! Plain value iteration over a model, for small games and as a check on faster solvers.
//!
//! Every outcome of a state has a larger sum, so one sweep from the last state to the first is
//! enough.

use tilebase_game::{MoveSet, Objective};

use crate::model::{Action, Model, StateId};
use crate::policy::StatePolicy;

/// Values whose relative difference is at most this are equal.
const TOLERANCE: f64 = 1e-12;

/// The values of all live states, in the order of [`Model::states`].
///
/// ```
/// use tilebase_model::{Model, Objective, Reduction, start_value, values};
///
/// let model = Model::build(&"2x2-to-16".parse().unwrap(), Reduction::Actions, 100)?;
/// let win = start_value(&model, &values(&model, Objective::Win));
/// assert!((win - 770009003.0 / 800000000.0).abs() < 1e-15);
/// # Ok::<(), tilebase_model::ModelError>(())
/// ```
pub fn values(model: &Model, objective: Objective) -> Vec<f64> {
    let states = solve(model, objective);
    states.into_iter().map(|state| state.value).collect()
}

/// The expected value at the start of a game, from the values of all live states. A start
/// that is lost counts 0.
pub fn start_value(model: &Model, values: &[f64]) -> f64 {
    let states = model.states().iter().zip(values);
    states
        .map(|(state, value)| state.start.to_f64() * value)
        .sum()
}

/// The values and the best moves of all live states, in the order of [`Model::states`].
///
/// For [`Objective::Moves`] the value is the mean number of moves where a lost game counts 0:
/// divided by the probability of winning, it is the mean length of the games that are won.
pub fn solve(model: &Model, objective: Objective) -> Vec<StatePolicy> {
    let state = |value, best| StatePolicy { value, best };
    match objective {
        Objective::Win => {
            let values = win_values(model).into_iter();
            values.map(|v| state(v.win, v.winning)).collect()
        }
        Objective::Moves => {
            let values = win_values(model).into_iter();
            values.map(|v| state(v.moves, v.shortest)).collect()
        }
        // The winning slide counts as a move, so every action is discounted.
        Objective::Discounted(factor) => largest(model, 1.0, |_, mean| factor * mean),
        Objective::Score => largest(model, 0.0, |action, mean| f64::from(action.score) + mean),
        Objective::Survival => largest(model, 0.0, |_, mean| 1.0 + mean),
    }
}

/// The states' largest values, where a win has the value `win` and `action_value` makes the
/// value of an action from the mean over its outcomes.
fn largest(
    model: &Model,
    win: f64,
    action_value: impl Fn(&Action, f64) -> f64,
) -> Vec<StatePolicy> {
    sweep(model, |actions, later: &[StatePolicy], at| {
        let value = |to| match to {
            StateId::Live(id) => later[at(id)].value,
            StateId::Win => win,
            StateId::Lose => 0.0,
        };
        let values: Vec<f64> = actions
            .iter()
            .map(|action| action_value(action, action.mean(value)))
            .collect();
        let most = values.iter().copied().fold(0.0, f64::max);
        let best = |i: usize| most - values[i] <= TOLERANCE * most;
        StatePolicy {
            value: most,
            best: moves_where(actions, best),
        }
    })
}

/// The value of a state under play for the win and, among equally good moves, for the shortest
/// games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinValue {
    /// The largest probability of winning.
    pub win: f64,
    /// The probability of losing, precise where a win is nearly certain.
    pub loss: f64,
    /// The smallest expected number of moves, where a lost game counts 0: divided by `win`, the
    /// mean length of the games that are won.
    pub moves: f64,
    /// The moves with the largest probability of winning.
    pub winning: MoveSet,
    /// Of these, the moves with the smallest expected number of moves.
    pub shortest: MoveSet,
}

impl WinValue {
    const WIN: WinValue = WinValue::ended(1.0, 0.0);
    const LOSS: WinValue = WinValue::ended(0.0, 1.0);

    const fn ended(win: f64, loss: f64) -> WinValue {
        WinValue {
            win,
            loss,
            moves: 0.0,
            winning: MoveSet::EMPTY,
            shortest: MoveSet::EMPTY,
        }
    }

    /// Whether the probability of winning is as large as the largest, up to rounding. The
    /// smaller of the two sides decides, which is the more precise one.
    fn matches(&self, best: &WinValue) -> bool {
        if best.win <= best.loss {
            best.win - self.win <= TOLERANCE * best.win
        } else {
            self.loss - best.loss <= TOLERANCE * best.loss
        }
    }

    fn better(self, other: WinValue) -> WinValue {
        let wins = if self.win.max(other.win) <= 0.5 {
            other.win > self.win
        } else {
            other.loss < self.loss
        };
        if wins { other } else { self }
    }
}

/// The values of all live states under play for the win, in the order of [`Model::states`].
///
/// ```
/// use tilebase_model::{Model, Reduction, win_values};
///
/// let model = Model::build(&"2x2-to-8".parse().unwrap(), Reduction::Actions, 100)?;
/// let values = win_values(&model);
/// assert!(values.iter().all(|v| v.win <= 1.0 && v.loss >= 0.0));
/// let start = model.states().iter().zip(&values).find(|(s, _)| s.board.number("2x2".parse().unwrap()) == 0x22);
/// assert_eq!(start.map(|(_, v)| (v.win, v.moves)), Some((1.0, 1.0)));
/// # Ok::<(), tilebase_model::ModelError>(())
/// ```
pub fn win_values(model: &Model) -> Vec<WinValue> {
    sweep(model, |actions, later: &[WinValue], at| {
        let value = |to| match to {
            StateId::Live(id) => later[at(id)],
            StateId::Win => WinValue::WIN,
            StateId::Lose => WinValue::LOSS,
        };
        let all: Vec<WinValue> = actions
            .iter()
            .map(|action| {
                let win = action.mean(|to| value(to).win);
                WinValue {
                    moves: win + action.mean(|to| value(to).moves),
                    ..WinValue::ended(win, action.mean(|to| value(to).loss))
                }
            })
            .collect();
        let best = all.iter().copied().fold(WinValue::LOSS, WinValue::better);
        let wins = |i: usize| all[i].matches(&best);
        let fewest = (0..all.len())
            .filter(|&i| wins(i))
            .map(|i| all[i].moves)
            .fold(f64::INFINITY, f64::min);
        let short = |i: usize| all[i].moves - fewest <= TOLERANCE * fewest;
        WinValue {
            moves: fewest,
            winning: moves_where(actions, wins),
            shortest: moves_where(actions, |i| wins(i) && short(i)),
            ..best
        }
    })
}

/// Computes values from the last state to the first. `value` gets a state's actions, the values
/// known so far and a function from a state's id to its index among them.
fn sweep<V>(model: &Model, value: impl Fn(&[Action], &[V], &dyn Fn(u32) -> usize) -> V) -> Vec<V> {
    let last = model.states().len().saturating_sub(1);
    let mut values = Vec::new();
    for state in model.states().iter().rev() {
        values.push(value(&state.actions, &values, &|id| last - id as usize));
    }
    values.reverse();
    values
}

fn moves_where(actions: &[Action], keep: impl Fn(usize) -> bool) -> MoveSet {
    let kept = (0..actions.len()).filter(|&i| keep(i));
    kept.flat_map(|i| actions[i].moves.iter()).collect()
}
