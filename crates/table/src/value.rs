//! What a state or an afterstate is worth, for each objective.

use std::cmp::Ordering;
use std::fmt::Debug;

use bytemuck::{Pod, Zeroable};

use crate::chance::Chance;
use crate::objective::{Category, Objective};

/// The worth of a state or an afterstate, as the backward pass computes it.
///
/// An afterstate is worth the mean of the states that its spawns lead to; a move is worth
/// what its afterstate is, plus what the move itself brings; a state is worth its best move.
pub trait StoredValue: Pod + PartialEq + Debug + Send + Sync {
    /// The worth of a lost state.
    const LOST: Self;

    /// A worth that no move can surpass, if there is one: where a state has such a move, the
    /// others need not be looked at.
    const TOP: Option<Self>;

    /// A sum of worths on the way to a mean.
    type Sum: Default + Copy;

    /// Adds the worth of a state to a sum.
    fn add(sum: &mut Self::Sum, state: Self);

    /// The mean over `cells` cells with 2s that sum up to `twos` and 4s to `fours`,
    /// probabilities as given.
    fn mean(twos: Self::Sum, fours: Self::Sum, probabilities: [f64; 2], cells: f64) -> Self;

    /// The mean of worths with given probabilities, which add up to 1.
    fn mix(worths: &[(f64, Self)]) -> Self;

    /// The worth of a won position.
    fn won(objective: &Objective) -> Self;

    /// The worth of a move that gains points and leads to an afterstate, or to a win.
    fn of_move(objective: &Objective, after: Self, gain: u32) -> Self;

    /// The worth of a state with these moves, which are at least one.
    fn of_state(moves: impl Iterator<Item = Self> + Clone, tolerance: f64) -> Self;

    /// The better of two is the greater.
    fn compare(self, other: Self) -> Ordering;

    /// Whether a move is as good as the state is worth, but for rounding.
    fn is_best(self, state: Self, tolerance: f64) -> bool;

    /// The worth in numbers for people.
    fn value(self) -> Value;

    /// How much less a move is worth than its state, in the objective's unit.
    fn loss(self, state: Self) -> f64;
}

/// A worth in numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// The objective's number; `None` where it is not defined, as the mean number of moves
    /// to a win that is impossible.
    pub value: Option<f64>,
    /// The probability of winning, where the objective knows it.
    pub win: Option<Chance>,
    /// What is sure.
    pub category: Category,
}

fn category(chance: Chance) -> Category {
    match chance {
        Chance::NEVER => Category::SureLoss,
        Chance::CERTAIN => Category::SureWin,
        _ => Category::Open,
    }
}

impl StoredValue for Chance {
    const LOST: Chance = Chance::NEVER;
    const TOP: Option<Chance> = Some(Chance::CERTAIN);
    type Sum = (f64, f64);

    #[inline]
    fn add(sum: &mut (f64, f64), state: Chance) {
        let (p, q) = state.sides();
        sum.0 += p;
        sum.1 += q;
    }

    #[inline]
    fn mean(twos: (f64, f64), fours: (f64, f64), [two, four]: [f64; 2], cells: f64) -> Chance {
        Chance::new(
            (two * twos.0 + four * fours.0) / cells,
            (two * twos.1 + four * fours.1) / cells,
        )
    }

    fn mix(worths: &[(f64, Chance)]) -> Chance {
        let side = |of: fn(Chance) -> f64| worths.iter().map(|&(w, chance)| w * of(chance)).sum();
        Chance::new(side(Chance::p), side(Chance::q))
    }

    #[inline]
    fn won(_: &Objective) -> Chance {
        Chance::CERTAIN
    }

    #[inline]
    fn of_move(_: &Objective, after: Chance, _: u32) -> Chance {
        after
    }

    fn compare(self, other: Chance) -> Ordering {
        self.cmp(&other)
    }

    #[inline]
    fn of_state(moves: impl Iterator<Item = Chance> + Clone, _: f64) -> Chance {
        moves.fold(Chance::NEVER, Chance::max)
    }

    fn is_best(self, state: Chance, tolerance: f64) -> bool {
        self.is_near(state, tolerance)
    }

    fn value(self) -> Value {
        Value {
            value: Some(self.p()),
            win: Some(self),
            category: category(self),
        }
    }

    fn loss(self, state: Chance) -> f64 {
        self.short_of(state)
    }
}

/// A number that is not negative, and a category in its two last bits.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(transparent)]
pub struct Tagged(u64);

const TAG: u64 = 3;
const SURE_WIN: u64 = 2;
const SURE_LOSS: u64 = 1;

impl Tagged {
    #[inline]
    fn new(value: f64, tag: u64) -> Tagged {
        // The smallest normal number stands for all smaller ones, so that nothing positive
        // becomes nothing.
        let value = if value > 0.0 {
            value.max(f64::MIN_POSITIVE)
        } else {
            0.0
        };
        Tagged(value.to_bits() & !TAG | tag)
    }

    /// The number.
    #[inline]
    pub fn number(self) -> f64 {
        f64::from_bits(self.0 & !TAG)
    }

    /// What is sure.
    pub fn category(self) -> Category {
        match self.0 & TAG {
            SURE_WIN => Category::SureWin,
            SURE_LOSS => Category::SureLoss,
            _ => Category::Open,
        }
    }
}

/// A sum of numbers, and the tags that all of them have.
#[derive(Clone, Copy)]
pub struct TaggedSum {
    sum: f64,
    tags: u64,
}

impl Default for TaggedSum {
    fn default() -> TaggedSum {
        TaggedSum {
            sum: 0.0,
            tags: SURE_WIN | SURE_LOSS,
        }
    }
}

impl StoredValue for Tagged {
    const LOST: Tagged = Tagged(SURE_LOSS);
    const TOP: Option<Tagged> = None;
    type Sum = TaggedSum;

    #[inline]
    fn add(sum: &mut TaggedSum, state: Tagged) {
        sum.sum += state.number();
        sum.tags &= state.0 & TAG;
    }

    #[inline]
    fn mean(twos: TaggedSum, fours: TaggedSum, [two, four]: [f64; 2], cells: f64) -> Tagged {
        let mean = (two * twos.sum + four * fours.sum) / cells;
        Tagged::new(mean, twos.tags & fours.tags)
    }

    fn mix(worths: &[(f64, Tagged)]) -> Tagged {
        let number = worths.iter().map(|&(w, tagged)| w * tagged.number()).sum();
        let tags = worths
            .iter()
            .fold(TAG, |tags, &(_, tagged)| tags & tagged.0);
        Tagged::new(number, tags)
    }

    #[inline]
    fn won(objective: &Objective) -> Tagged {
        let number = match objective {
            Objective::Discounted(_) => 1.0,
            _ => 0.0,
        };
        Tagged::new(number, SURE_WIN)
    }

    #[inline]
    fn of_move(objective: &Objective, after: Tagged, gain: u32) -> Tagged {
        let number = after.number();
        let number = match objective {
            Objective::Discounted(discount) => discount * number,
            Objective::Survival => 1.0 + number,
            _ => f64::from(gain) + number,
        };
        Tagged::new(number, after.0 & TAG)
    }

    fn compare(self, other: Tagged) -> Ordering {
        self.number().total_cmp(&other.number())
    }

    #[inline]
    fn of_state(moves: impl Iterator<Item = Tagged> + Clone, _: f64) -> Tagged {
        let (mut best, mut any, mut all) = (0.0, 0, SURE_LOSS);
        for m in moves {
            best = f64::max(best, m.number());
            any |= m.0 & SURE_WIN;
            all &= m.0;
        }
        Tagged::new(best, any | all)
    }

    fn is_best(self, state: Tagged, tolerance: f64) -> bool {
        state.number() - self.number() <= tolerance * state.number()
    }

    fn value(self) -> Value {
        Value {
            value: Some(self.number()),
            win: None,
            category: self.category(),
        }
    }

    fn loss(self, state: Tagged) -> f64 {
        (state.number() - self.number()).max(0.0)
    }
}

/// The chance to win, and the mean of the number of moves where it is won and 0 where not.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Soonest {
    chance: Chance,
    moves: f64,
}

impl Soonest {
    /// The chance to win.
    pub fn chance(self) -> Chance {
        self.chance
    }

    /// The mean number of moves, counting lost games as 0.
    pub fn moves(self) -> f64 {
        self.moves
    }
}

/// Sums of both sides of the chance, and of the moves.
#[derive(Clone, Copy, Default)]
pub struct SoonestSum {
    chance: (f64, f64),
    moves: f64,
}

impl StoredValue for Soonest {
    const LOST: Soonest = Soonest {
        chance: Chance::NEVER,
        moves: 0.0,
    };
    const TOP: Option<Soonest> = None;
    type Sum = SoonestSum;

    #[inline]
    fn add(sum: &mut SoonestSum, state: Soonest) {
        Chance::add(&mut sum.chance, state.chance);
        sum.moves += state.moves;
    }

    #[inline]
    fn mean(twos: SoonestSum, fours: SoonestSum, [two, four]: [f64; 2], cells: f64) -> Soonest {
        Soonest {
            chance: Chance::mean(twos.chance, fours.chance, [two, four], cells),
            moves: (two * twos.moves + four * fours.moves) / cells,
        }
    }

    fn mix(worths: &[(f64, Soonest)]) -> Soonest {
        let chances: Vec<(f64, Chance)> = worths.iter().map(|&(w, s)| (w, s.chance)).collect();
        Soonest {
            chance: Chance::mix(&chances),
            moves: worths.iter().map(|&(w, soonest)| w * soonest.moves).sum(),
        }
    }

    #[inline]
    fn won(_: &Objective) -> Soonest {
        Soonest {
            chance: Chance::CERTAIN,
            moves: 0.0,
        }
    }

    #[inline]
    fn of_move(_: &Objective, after: Soonest, _: u32) -> Soonest {
        // A move more in all games that are won.
        Soonest {
            chance: after.chance,
            moves: after.moves + after.chance.p(),
        }
    }

    fn compare(self, other: Soonest) -> Ordering {
        let fewer = || other.moves.total_cmp(&self.moves);
        self.chance.cmp(&other.chance).then_with(fewer)
    }

    #[inline]
    fn of_state(moves: impl Iterator<Item = Soonest> + Clone, tolerance: f64) -> Soonest {
        let chances = moves.clone().map(|m| m.chance);
        let best = chances.fold(Chance::NEVER, Chance::max);
        let fewest = moves
            .filter(|m| m.chance.is_near(best, tolerance))
            .map(|m| m.moves)
            .fold(f64::INFINITY, f64::min);
        Soonest {
            chance: best,
            moves: fewest,
        }
    }

    fn is_best(self, state: Soonest, tolerance: f64) -> bool {
        self.chance.is_near(state.chance, tolerance)
            && self.moves - state.moves <= tolerance * state.moves
    }

    fn value(self) -> Value {
        let p = self.chance.p();
        Value {
            value: (p > 0.0).then(|| self.moves / p),
            win: Some(self.chance),
            category: category(self.chance),
        }
    }

    fn loss(self, state: Soonest) -> f64 {
        match (self.value().value, state.value().value) {
            (Some(value), Some(best)) => value - best,
            _ => 0.0,
        }
    }
}

/// Calls a generic function with the type of an objective's worth.
#[macro_export]
macro_rules! with_value_type {
    ($objective:expr, $worth:ident => $body:expr) => {
        match $objective {
            $crate::Objective::Win => {
                type $worth = $crate::Chance;
                $body
            }
            $crate::Objective::Moves => {
                type $worth = $crate::Soonest;
                $body
            }
            $crate::Objective::Discounted(_)
            | $crate::Objective::Score
            | $crate::Objective::Survival => {
                type $worth = $crate::Tagged;
                $body
            }
        }
    };
}
