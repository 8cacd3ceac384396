//! A probability that knows 0 and 1 exactly and keeps its precision near both.

use bytemuck::{Pod, Zeroable};

/// The probability of winning, with the same relative precision for itself and for what is
/// missing to 1.
///
/// Whichever of p and 1−p is smaller is kept as a float: p as its bits, 1−p as the
/// complement of its bits. So the numbers are ordered as the probabilities are, 0 is a sure
/// loss, the largest number a sure win, and nothing else is: a positive probability that is
/// too small for a float is kept as the smallest normal one.
///
/// ```
/// use tilebase_table::Chance;
///
/// let nearly = Chance::new(1.0, 1e-30);
/// assert!(nearly < Chance::CERTAIN);
/// assert_eq!(nearly.p(), 1.0);
/// assert_eq!(nearly.q(), 1e-30);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(transparent)]
pub struct Chance(u64);

/// The bits of 1/2: above them a complement is kept.
const HALF: u64 = 0.5f64.to_bits();

impl Chance {
    /// Probability 0, for sure.
    pub const NEVER: Chance = Chance(0);
    /// Probability 1, for sure.
    pub const CERTAIN: Chance = Chance(u64::MAX);

    /// The chance with probability `p`, and `q` missing to 1. Each must be 0 only if it is
    /// exactly 0.
    #[inline]
    pub fn new(p: f64, q: f64) -> Chance {
        let bits = |x: f64| {
            if x > 0.0 {
                x.clamp(f64::MIN_POSITIVE, 0.5).to_bits()
            } else {
                0
            }
        };
        if p <= q {
            Chance(bits(p))
        } else {
            Chance(!bits(q))
        }
    }

    /// The probability, and what is missing to 1.
    #[inline]
    pub fn sides(self) -> (f64, f64) {
        let small = f64::from_bits(self.0.min(!self.0));
        let large = 1.0 - small;
        if self.0 <= HALF {
            (small, large)
        } else {
            (large, small)
        }
    }

    /// The probability.
    pub fn p(self) -> f64 {
        self.sides().0
    }

    /// What is missing to 1.
    pub fn q(self) -> f64 {
        self.sides().1
    }

    /// How much less it is than another one that is not less.
    pub fn short_of(self, best: Chance) -> f64 {
        let ((p, q), (best_p, best_q)) = (self.sides(), best.sides());
        // The difference of the smaller sides is the precise one.
        if best_p <= best_q {
            best_p - p
        } else if q < p {
            q - best_q
        } else {
            best_p - p
        }
    }

    /// Whether two chances are equal but for rounding: by so much of the smaller side.
    pub fn is_near(self, other: Chance, tolerance: f64) -> bool {
        let ((p, q), (other_p, other_q)) = (self.sides(), other.sides());
        let near = |a: f64, b: f64| (a - b).abs() <= tolerance * a.max(b);
        near(p, other_p) && near(q, other_q)
    }

    /// The number behind it, as it is stored.
    pub fn to_bits(self) -> u64 {
        self.0
    }

    /// The chance of a stored number; `None` if it is not one.
    pub fn from_bits(bits: u64) -> Option<Chance> {
        let small = bits.min(!bits);
        let valid = small == 0 || (f64::MIN_POSITIVE.to_bits()..=HALF).contains(&small);
        valid.then_some(Chance(bits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_the_order_of_probabilities() {
        let rising = [
            Chance::NEVER,
            Chance::new(1e-300, 1.0),
            Chance::new(0.25, 0.75),
            Chance::new(0.5, 0.5),
            Chance::new(0.75, 0.25),
            Chance::new(1.0, 1e-17),
            Chance::new(1.0, 1e-300),
            Chance::CERTAIN,
        ];
        assert!(rising.is_sorted_by(|a, b| a < b));
        for chance in rising {
            assert_eq!(Chance::from_bits(chance.to_bits()), Some(chance));
            let (p, q) = chance.sides();
            assert_eq!(Chance::new(p, q), chance);
        }
    }

    #[test]
    fn what_is_not_zero_stays_so() {
        let tiny = Chance::new(1e-320, 1.0);
        assert!(tiny > Chance::NEVER);
        assert!(Chance::new(1.0, 1e-320) < Chance::CERTAIN);
    }

    #[test]
    fn shortfalls_keep_their_precision() {
        let (a, b) = (Chance::new(1.0, 3e-20), Chance::new(1.0, 1e-20));
        assert_eq!(a.short_of(b), 2e-20);
        assert_eq!(
            Chance::new(1e-20, 1.0).short_of(Chance::new(3e-20, 1.0)),
            2e-20
        );
        assert_eq!(Chance::NEVER.short_of(Chance::CERTAIN), 1.0);
        assert!(!a.is_near(b, 1e-9));
        assert!(!Chance::CERTAIN.is_near(a, 1e-9));
    }
}
