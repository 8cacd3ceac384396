//! The values of states and afterstates, for each kind of objective.

use std::cmp::Ordering;
use std::fmt::Debug;

use bytemuck::{Pod, Zeroable};
use tilebase_game::{Category, Objective, Reward, ValueKind};

use crate::probability::Probability;
use crate::rounded;

/// A value of a state or an afterstate, as the backward pass computes it and tables store it.
///
/// The value of an afterstate is the mean over the states that its spawns lead to; the value of
/// a move is that of its afterstate plus the reward of the move; the value of a state is that of
/// its best move.
pub trait StoredValue: Pod + PartialEq + Debug + Send + Sync {
    /// Which kind of value it is.
    const KIND: ValueKind;

    /// The value of a lost state.
    const LOST: Self;

    /// A value that no move can surpass, if there is one: the other moves of a state with such
    /// a move need not be looked at.
    const BEST_POSSIBLE: Option<Self>;

    /// A sum of values on the way to a mean.
    type Sum: Default + Copy;

    /// Adds the value of a state to a sum.
    fn add(sum: &mut Self::Sum, state: Self);

    /// The mean over the spawns on `cells` empty cells: `twos` and `fours` are the sums over all
    /// cells for a 2 and for a 4, with the given probabilities.
    fn mean(twos: Self::Sum, fours: Self::Sum, probabilities: [f64; 2], cells: f64) -> Self;

    /// The mean of values with given probabilities, which add up to 1.
    fn weighted_mean(values: &[(f64, Self)]) -> Self;

    /// The value of a won position.
    fn won(objective: &Objective) -> Self;

    /// The value of a move that scores points and leads to an afterstate, or to a win.
    fn of_move(objective: &Objective, after: Self, score: u32) -> Self;

    /// The value of a state with these moves, of which there is at least one.
    fn of_state(moves: impl Iterator<Item = Self> + Clone, tolerance: f64) -> Self;

    /// Orders values from worse to better.
    fn compare(self, other: Self) -> Ordering;

    /// Whether a move is as good as its state, up to rounding.
    fn is_best(self, state: Self, tolerance: f64) -> bool;

    /// The value in the objective's unit.
    fn to_value(self) -> Value;

    /// How much worse a move is than its state, in the objective's unit.
    fn loss(self, state: Self) -> f64;

    /// Bound on the relative error of the value in 16 bits; `None` if there is no such form.
    const ROUNDED_ERROR: Option<f64>;

    /// The value in 16 bits.
    fn round(self) -> u16;

    /// The value of 16 bits.
    fn from_rounded(rounded: u16) -> Self;
}

/// A value in the objective's unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// The objective's number; `None` where it is undefined, as the mean number of moves to an
    /// impossible win.
    pub value: Option<f64>,
    /// The probability of winning, where the objective knows it.
    pub win: Option<Probability>,
    /// What is certain.
    pub category: Category,
}

impl Value {
    /// Orders two values of an objective from worse to better; unknown comes first.
    pub fn compare(objective: Objective, a: Option<Value>, b: Option<Value>) -> Ordering {
        let number = |value: Option<Value>| value.and_then(|value| value.value);
        let numbers = || match (number(a), number(b)) {
            (Some(a), Some(b)) => a.total_cmp(&b),
            (a, b) => a.is_some().cmp(&b.is_some()),
        };
        let win = |value: Option<Value>| value.and_then(|value| value.win);
        match objective.value_kind() {
            ValueKind::WinProbability => win(a).cmp(&win(b)),
            ValueKind::FastestWin => win(a).cmp(&win(b)).then(numbers().reverse()),
            ValueKind::ExpectedReturn => numbers(),
        }
    }
}

fn category(probability: Probability) -> Category {
    match probability {
        Probability::ZERO => Category::SureLoss,
        Probability::ONE => Category::SureWin,
        _ => Category::Open,
    }
}

impl StoredValue for Probability {
    const KIND: ValueKind = ValueKind::WinProbability;
    const LOST: Probability = Probability::ZERO;
    const BEST_POSSIBLE: Option<Probability> = Some(Probability::ONE);
    type Sum = (f64, f64);

    #[inline]
    fn add(sum: &mut (f64, f64), state: Probability) {
        let (p, q) = state.sides();
        sum.0 += p;
        sum.1 += q;
    }

    #[inline]
    fn mean(twos: (f64, f64), fours: (f64, f64), [two, four]: [f64; 2], cells: f64) -> Probability {
        Probability::new(
            (two * twos.0 + four * fours.0) / cells,
            (two * twos.1 + four * fours.1) / cells,
        )
    }

    fn weighted_mean(values: &[(f64, Probability)]) -> Probability {
        let side =
            |of: fn(Probability) -> f64| values.iter().map(|&(w, value)| w * of(value)).sum();
        Probability::new(side(Probability::p), side(Probability::q))
    }

    #[inline]
    fn won(_: &Objective) -> Probability {
        Probability::ONE
    }

    #[inline]
    fn of_move(_: &Objective, after: Probability, _: u32) -> Probability {
        after
    }

    fn compare(self, other: Probability) -> Ordering {
        self.cmp(&other)
    }

    #[inline]
    fn of_state(moves: impl Iterator<Item = Probability> + Clone, _: f64) -> Probability {
        moves.fold(Probability::ZERO, Probability::max)
    }

    fn is_best(self, state: Probability, tolerance: f64) -> bool {
        self.is_near(state, tolerance)
    }

    fn to_value(self) -> Value {
        Value {
            value: Some(self.p()),
            win: Some(self),
            category: category(self),
        }
    }

    fn loss(self, state: Probability) -> f64 {
        self.short_of(state)
    }

    const ROUNDED_ERROR: Option<f64> = Some(rounded::PROBABILITY_ERROR);

    fn round(self) -> u16 {
        rounded::round_probability(self)
    }

    fn from_rounded(rounded: u16) -> Probability {
        rounded::probability_of(rounded)
    }
}

/// An expected return, which is never negative, with a category in its two lowest bits.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(transparent)]
pub struct ExpectedReturn(u64);

const TAG: u64 = 3;
const SURE_WIN: u64 = 2;
const SURE_LOSS: u64 = 1;

impl ExpectedReturn {
    #[inline]
    fn new(value: f64, tag: u64) -> ExpectedReturn {
        // The smallest normal number stands for all smaller ones, so that a positive number
        // never becomes zero.
        let value = if value > 0.0 {
            value.max(f64::MIN_POSITIVE)
        } else {
            0.0
        };
        ExpectedReturn(value.to_bits() & !TAG | tag)
    }

    /// The number.
    #[inline]
    pub fn number(self) -> f64 {
        f64::from_bits(self.0 & !TAG)
    }

    /// What is certain.
    pub fn category(self) -> Category {
        match self.0 & TAG {
            SURE_WIN => Category::SureWin,
            SURE_LOSS => Category::SureLoss,
            _ => Category::Open,
        }
    }
}

/// A sum of expected returns, and the tags that all of them share.
#[derive(Clone, Copy)]
pub struct ReturnSum {
    sum: f64,
    tags: u64,
}

impl Default for ReturnSum {
    fn default() -> ReturnSum {
        ReturnSum {
            sum: 0.0,
            tags: SURE_WIN | SURE_LOSS,
        }
    }
}

impl StoredValue for ExpectedReturn {
    const KIND: ValueKind = ValueKind::ExpectedReturn;
    const LOST: ExpectedReturn = ExpectedReturn(SURE_LOSS);
    const BEST_POSSIBLE: Option<ExpectedReturn> = None;
    type Sum = ReturnSum;

    #[inline]
    fn add(sum: &mut ReturnSum, state: ExpectedReturn) {
        sum.sum += state.number();
        sum.tags &= state.0 & TAG;
    }

    #[inline]
    fn mean(twos: ReturnSum, fours: ReturnSum, [two, four]: [f64; 2], cells: f64) -> Self {
        let mean = (two * twos.sum + four * fours.sum) / cells;
        ExpectedReturn::new(mean, twos.tags & fours.tags)
    }

    fn weighted_mean(values: &[(f64, ExpectedReturn)]) -> ExpectedReturn {
        let number = values.iter().map(|&(w, value)| w * value.number()).sum();
        let tags = values.iter().fold(TAG, |tags, &(_, value)| tags & value.0);
        ExpectedReturn::new(number, tags)
    }

    #[inline]
    fn won(objective: &Objective) -> ExpectedReturn {
        ExpectedReturn::new(objective.descriptor().win_reward, SURE_WIN)
    }

    #[inline]
    fn of_move(objective: &Objective, after: ExpectedReturn, score: u32) -> ExpectedReturn {
        let reward = match objective.reward() {
            Reward::Nothing => 0.0,
            Reward::Score => f64::from(score),
            Reward::Move => 1.0,
        };
        let number = reward + objective.discount() * after.number();
        ExpectedReturn::new(number, after.0 & TAG)
    }

    fn compare(self, other: ExpectedReturn) -> Ordering {
        self.number().total_cmp(&other.number())
    }

    #[inline]
    fn of_state(moves: impl Iterator<Item = ExpectedReturn> + Clone, _: f64) -> ExpectedReturn {
        let (mut best, mut any, mut all) = (0.0, 0, SURE_LOSS);
        for m in moves {
            best = f64::max(best, m.number());
            any |= m.0 & SURE_WIN;
            all &= m.0;
        }
        ExpectedReturn::new(best, any | all)
    }

    fn is_best(self, state: ExpectedReturn, tolerance: f64) -> bool {
        state.number() - self.number() <= tolerance * state.number()
    }

    fn to_value(self) -> Value {
        Value {
            value: Some(self.number()),
            win: None,
            category: self.category(),
        }
    }

    fn loss(self, state: ExpectedReturn) -> f64 {
        (state.number() - self.number()).max(0.0)
    }

    const ROUNDED_ERROR: Option<f64> = Some(rounded::RETURN_ERROR);

    fn round(self) -> u16 {
        rounded::float_code(self.number(), LEAST_RETURN, RETURN_MANTISSA) << 2
            | (self.0 & TAG) as u16
    }

    fn from_rounded(rounded: u16) -> ExpectedReturn {
        let number = rounded::float_of(rounded >> 2, LEAST_RETURN, RETURN_MANTISSA);
        ExpectedReturn::new(number, u64::from(rounded) & TAG)
    }
}

/// The smallest rounded return with all significant bits is 2 to the power of minus this.
const LEAST_RETURN: i32 = 8;
/// Bits of a rounded return after its exponent.
const RETURN_MANTISSA: u32 = 9;

/// The probability of winning, and the mean number of moves, where a lost game counts 0 moves.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct FastestWin {
    win: Probability,
    moves: f64,
}

impl FastestWin {
    /// The probability of winning.
    pub fn win(self) -> Probability {
        self.win
    }

    /// The mean number of moves, where a lost game counts 0.
    pub fn moves(self) -> f64 {
        self.moves
    }
}

/// Sums of both sides of the probability, and of the moves.
#[derive(Clone, Copy, Default)]
pub struct FastestWinSum {
    win: (f64, f64),
    moves: f64,
}

impl StoredValue for FastestWin {
    const KIND: ValueKind = ValueKind::FastestWin;
    const LOST: FastestWin = FastestWin {
        win: Probability::ZERO,
        moves: 0.0,
    };
    const BEST_POSSIBLE: Option<FastestWin> = None;
    type Sum = FastestWinSum;

    #[inline]
    fn add(sum: &mut FastestWinSum, state: FastestWin) {
        Probability::add(&mut sum.win, state.win);
        sum.moves += state.moves;
    }

    #[inline]
    fn mean(twos: FastestWinSum, fours: FastestWinSum, [two, four]: [f64; 2], cells: f64) -> Self {
        FastestWin {
            win: Probability::mean(twos.win, fours.win, [two, four], cells),
            moves: (two * twos.moves + four * fours.moves) / cells,
        }
    }

    fn weighted_mean(values: &[(f64, FastestWin)]) -> FastestWin {
        let wins: Vec<(f64, Probability)> = values.iter().map(|&(w, v)| (w, v.win)).collect();
        FastestWin {
            win: Probability::weighted_mean(&wins),
            moves: values.iter().map(|&(w, value)| w * value.moves).sum(),
        }
    }

    #[inline]
    fn won(_: &Objective) -> FastestWin {
        FastestWin {
            win: Probability::ONE,
            moves: 0.0,
        }
    }

    #[inline]
    fn of_move(_: &Objective, after: FastestWin, _: u32) -> FastestWin {
        // One more move in all games that are won.
        FastestWin {
            win: after.win,
            moves: after.moves + after.win.p(),
        }
    }

    fn compare(self, other: FastestWin) -> Ordering {
        let fewer = || other.moves.total_cmp(&self.moves);
        self.win.cmp(&other.win).then_with(fewer)
    }

    #[inline]
    fn of_state(moves: impl Iterator<Item = FastestWin> + Clone, tolerance: f64) -> FastestWin {
        let wins = moves.clone().map(|m| m.win);
        let best = wins.fold(Probability::ZERO, Probability::max);
        let fewest = moves
            .filter(|m| m.win.is_near(best, tolerance))
            .map(|m| m.moves)
            .fold(f64::INFINITY, f64::min);
        FastestWin {
            win: best,
            moves: fewest,
        }
    }

    fn is_best(self, state: FastestWin, tolerance: f64) -> bool {
        self.win.is_near(state.win, tolerance)
            && self.moves - state.moves <= tolerance * state.moves
    }

    fn to_value(self) -> Value {
        let p = self.win.p();
        Value {
            value: (p > 0.0).then(|| self.moves / p),
            win: Some(self.win),
            category: category(self.win),
        }
    }

    fn loss(self, state: FastestWin) -> f64 {
        match (self.to_value().value, state.to_value().value) {
            (Some(value), Some(best)) => value - best,
            _ => 0.0,
        }
    }

    // It would take two numbers.
    const ROUNDED_ERROR: Option<f64> = None;

    fn round(self) -> u16 {
        self.win.round()
    }

    fn from_rounded(rounded: u16) -> FastestWin {
        FastestWin {
            win: Probability::from_rounded(rounded),
            moves: 0.0,
        }
    }
}

/// Evaluates an expression with the type of an objective's values: `with_value_type!(objective,
/// V => function::<V>(…))`.
#[macro_export]
macro_rules! with_value_type {
    ($objective:expr, $value:ident => $body:expr) => {
        match $objective.value_kind() {
            $crate::ValueKind::WinProbability => {
                type $value = $crate::Probability;
                $body
            }
            $crate::ValueKind::ExpectedReturn => {
                type $value = $crate::ExpectedReturn;
                $body
            }
            $crate::ValueKind::FastestWin => {
                type $value = $crate::FastestWin;
                $body
            }
        }
    };
}
