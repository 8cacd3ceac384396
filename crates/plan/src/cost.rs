//! Heuristic values: exact, although some have more digits than there are atoms.

use std::cmp::Ordering;
use std::fmt;

/// The number 2^power − 1 + rest.
///
/// The published weights 2^⌊(g−t)/2⌋ − 1 have a thousand bits for the goal 2048 and 2^98 bits for
/// the goal 2^100. So the power is kept, and comparing is still exact.
///
/// ```
/// use tilebase_plan::HeuristicValue;
///
/// let small = HeuristicValue { power: 3, rest: 9 };
/// let large = HeuristicValue { power: 4, rest: 0 };
/// assert!(small > large, "16 is more than 15");
/// assert_eq!(HeuristicValue { power: 1 << 90, rest: 3 }.to_string(), "2^1237940039285380274899124224+2");
/// assert_eq!(large.to_string(), "15");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HeuristicValue {
    /// The weight of the largest tile is 2 to this power, less 1.
    pub power: u128,
    /// What the heuristic adds to the weight.
    pub rest: u64,
}

impl HeuristicValue {
    /// A plain number.
    pub const fn plain(rest: u64) -> HeuristicValue {
        HeuristicValue { power: 0, rest }
    }

    /// The number itself, where it fits.
    fn number(self) -> Option<u128> {
        (self.power <= MOST_BITS).then(|| (1 << self.power) - 1 + u128::from(self.rest))
    }
}

/// Numbers of so many bits are compared as they are. Above, a greater power decides: it adds
/// at least 2^126, and the rest is below 2^64.
const MOST_BITS: u128 = 126;

impl Ord for HeuristicValue {
    fn cmp(&self, other: &HeuristicValue) -> Ordering {
        match (self.number(), other.number()) {
            (Some(this), Some(other)) => this.cmp(&other),
            _ => (self.power, self.rest).cmp(&(other.power, other.rest)),
        }
    }
}

impl PartialOrd for HeuristicValue {
    fn partial_cmp(&self, other: &HeuristicValue) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for HeuristicValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number() {
            Some(number) => number.fmt(f),
            None if self.rest == 0 => write!(f, "2^{}-1", self.power),
            None => write!(f, "2^{}+{}", self.power, self.rest - 1),
        }
    }
}

/// The place of a node in the open list: 100·g + w·h in one word, in the order of the exact sums.
///
/// Sums below 2^52 are themselves. A weight with a power above [`DIRECT`] is more than all that
/// steps and rests can add, so there the power's rank comes first; it is the number of doublings
/// that the largest tile lacks.
pub(crate) fn order(
    cost: HeuristicValue,
    lacking: u8,
    steps: u32,
    weighting: PriorityWeights,
) -> u64 {
    let PriorityWeights { of_steps, of_cost } = weighting;
    let small = of_cost * cost.rest + of_steps * u64::from(steps);
    if cost.power <= DIRECT {
        small + of_cost * ((1 << cost.power) - 1)
    } else {
        u64::from(lacking) << 52 | small
    }
}

/// Powers up to this are added as they are.
const DIRECT: u128 = 34;

/// The most steps that a plan may have, for [`order`] to be exact.
pub(crate) const MOST_STEPS: u32 = 1 << 27;

/// How much steps and heuristic count, in hundredths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PriorityWeights {
    pub of_steps: u64,
    pub of_cost: u64,
}

impl PriorityWeights {
    /// Heuristic values alone.
    pub const GREEDY: PriorityWeights = PriorityWeights {
        of_steps: 0,
        of_cost: 1,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All costs that can meet in one search are ordered like their exact sums.
    #[test]
    fn the_order_is_that_of_the_sums() {
        for goal in 3..=40u8 {
            for of_cost in [100, 150, 100_000] {
                let weighting = PriorityWeights {
                    of_steps: 100,
                    of_cost,
                };
                let mut all = Vec::new();
                for exponent in 1..goal {
                    let power = (1u128 << (goal - 1)) - (1u128 << (exponent - 1));
                    for rest in [0, 1, 500, 3_000_000] {
                        for steps in [0, 7, MOST_STEPS] {
                            let key = order(
                                HeuristicValue { power, rest },
                                goal - exponent,
                                steps,
                                weighting,
                            );
                            all.push((power, rest, steps, key));
                        }
                    }
                }
                for &(p, r, s, a) in &all {
                    for &(q, t, u, b) in &all {
                        // w·2^p + w·r + 100·s against the same of the other.
                        let exact = if p.max(q) <= 80 {
                            let sum = |p: u128, r: u64, s: u32| {
                                u128::from(of_cost) * ((1 << p) - 1 + u128::from(r))
                                    + 100 * u128::from(s)
                            };
                            sum(p, r, s).cmp(&sum(q, t, u))
                        } else {
                            let sum = |r: u64, s: u32| of_cost * r + 100 * u64::from(s);
                            (p, sum(r, s)).cmp(&(q, sum(t, u)))
                        };
                        assert_eq!(a.cmp(&b), exact, "{goal} {p} {r} {s} {q} {t} {u}");
                    }
                }
            }
        }
    }
}
