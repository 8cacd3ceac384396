//! Plain value iteration over a listed model, for small games and as a check on faster
//! solvers.
//!
//! Every outcome of a state has a larger sum, so one sweep from the last state to the first
//! is all that it takes.

use tilebase_game::MoveSet;

use crate::model::{Action, Model, StateId};
use crate::policy::{Objective, PolicyLine};

/// Values whose difference is no larger a share of them are equal.
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
    let lines = solve(model, objective);
    lines.into_iter().map(|line| line.value).collect()
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
pub fn solve(model: &Model, objective: Objective) -> Vec<PolicyLine> {
    let line = |value, best| PolicyLine { value, best };
    match objective {
        Objective::Win => {
            let odds = odds(model).into_iter();
            odds.map(|odds| line(odds.win, odds.winning)).collect()
        }
        Objective::Moves => {
            let odds = odds(model).into_iter();
            odds.map(|odds| line(odds.moves, odds.shortest)).collect()
        }
        // The winning slide is the first that counts, so every factor is taken here.
        Objective::Discounted(factor) => largest(model, 1.0, |_, mean| factor * mean),
        Objective::Score => largest(model, 0.0, |action, mean| f64::from(action.gain) + mean),
        Objective::Survival => largest(model, 0.0, |_, mean| 1.0 + mean),
    }
}

/// The states' largest values, where a win is worth `win` and an action what `worth` makes
/// of it and the mean over its outcomes.
fn largest(model: &Model, win: f64, worth: impl Fn(&Action, f64) -> f64) -> Vec<PolicyLine> {
    sweep(model, |actions, later: &[PolicyLine], at| {
        let value = |to| match to {
            StateId::Live(id) => later[at(id)].value,
            StateId::Win => win,
            StateId::Lose => 0.0,
        };
        let worths: Vec<f64> = actions
            .iter()
            .map(|action| worth(action, action.mean(value)))
            .collect();
        let most = worths.iter().copied().fold(0.0, f64::max);
        let best = |i: usize| most - worths[i] <= TOLERANCE * most;
        PolicyLine {
            value: most,
            best: moves_where(actions, best),
        }
    })
}

/// A state under play for the win, and among equally good moves for the shortest games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Odds {
    /// The largest probability to win.
    pub win: f64,
    /// The probability to lose; where a win is nearly certain, it says more than 1 − `win`.
    pub loss: f64,
    /// The smallest expected number of moves, lost games counted as 0: divided by `win`,
    /// the mean length of the games that are won.
    pub moves: f64,
    /// The moves with the largest probability to win.
    pub winning: MoveSet,
    /// Those of them with the smallest expected number of moves.
    pub shortest: MoveSet,
}

impl Odds {
    const WIN: Odds = Odds::ended(1.0, 0.0);
    const LOSS: Odds = Odds::ended(0.0, 1.0);

    const fn ended(win: f64, loss: f64) -> Odds {
        Odds {
            win,
            loss,
            moves: 0.0,
            winning: MoveSet::EMPTY,
            shortest: MoveSet::EMPTY,
        }
    }

    /// Whether the probability to win is as large as the largest, told by the smaller of
    /// the two sides, which is the finer one.
    fn matches(&self, best: &Odds) -> bool {
        if best.win <= best.loss {
            best.win - self.win <= TOLERANCE * best.win
        } else {
            self.loss - best.loss <= TOLERANCE * best.loss
        }
    }

    fn better(self, other: Odds) -> Odds {
        let wins = if self.win.max(other.win) <= 0.5 {
            other.win > self.win
        } else {
            other.loss < self.loss
        };
        if wins { other } else { self }
    }
}

/// The odds of all live states, in the order of [`Model::states`].
///
/// ```
/// use tilebase_model::{Model, Reduction, odds};
///
/// let model = Model::build(&"2x2-to-8".parse().unwrap(), Reduction::Actions, 100)?;
/// let odds = odds(&model);
/// assert!(odds.iter().all(|odds| odds.win <= 1.0 && odds.loss >= 0.0));
/// let start = model.states().iter().zip(&odds).find(|(s, _)| s.board.number("2x2".parse().unwrap()) == 0x22);
/// assert_eq!(start.map(|(_, odds)| (odds.win, odds.moves)), Some((1.0, 1.0)));
/// # Ok::<(), tilebase_model::ModelError>(())
/// ```
pub fn odds(model: &Model) -> Vec<Odds> {
    sweep(model, |actions, later: &[Odds], at| {
        let odds = |to| match to {
            StateId::Live(id) => later[at(id)],
            StateId::Win => Odds::WIN,
            StateId::Lose => Odds::LOSS,
        };
        let all: Vec<Odds> = actions
            .iter()
            .map(|action| {
                let win = action.mean(|to| odds(to).win);
                Odds {
                    moves: win + action.mean(|to| odds(to).moves),
                    ..Odds::ended(win, action.mean(|to| odds(to).loss))
                }
            })
            .collect();
        let best = all.iter().copied().fold(Odds::LOSS, Odds::better);
        let wins = |i: usize| all[i].matches(&best);
        let fewest = (0..all.len())
            .filter(|&i| wins(i))
            .map(|i| all[i].moves)
            .fold(f64::INFINITY, f64::min);
        let short = |i: usize| all[i].moves - fewest <= TOLERANCE * fewest;
        Odds {
            moves: fewest,
            winning: moves_where(actions, wins),
            shortest: moves_where(actions, |i| wins(i) && short(i)),
            ..best
        }
    })
}

/// Values from the last state to the first. `value` gets a state's actions, the values
/// known so far and where in them a state's value is.
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
