//! A probability that is exact at 0 and 1 and precise near both.

use bytemuck::{Pod, Zeroable};

/// The probability of winning, with the same relative precision for p and for q = 1−p.
///
/// Whichever of p and q is smaller is stored as a float: p as its bits, q as the complement of
/// its bits. So the stored integers are ordered like the probabilities; 0 is a sure loss, the
/// largest integer a sure win, and nothing else is: a positive probability that is too small for
/// a float is stored as the smallest normal one.
///
/// ```
/// use tilebase_table::Probability;
///
/// let nearly = Probability::new(1.0, 1e-30);
/// assert!(nearly < Probability::ONE);
/// assert_eq!(nearly.p(), 1.0);
/// assert_eq!(nearly.q(), 1e-30);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(transparent)]
pub struct Probability(u64);

/// The bits of 1/2: above them the complement is stored.
const HALF: u64 = 0.5f64.to_bits();

impl Probability {
    /// Exactly 0.
    pub const ZERO: Probability = Probability(0);
    /// Exactly 1.
    pub const ONE: Probability = Probability(u64::MAX);

    /// The probability `p` with its complement `q`. Each must be 0 only if it is exactly 0.
    #[inline]
    pub fn new(p: f64, q: f64) -> Probability {
        let bits = |x: f64| {
            if x > 0.0 {
                x.clamp(f64::MIN_POSITIVE, 0.5).to_bits()
            } else {
                0
            }
        };
        if p <= q {
            Probability(bits(p))
        } else {
            Probability(!bits(q))
        }
    }

    /// The probability and its complement.
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

    /// The complement.
    pub fn q(self) -> f64 {
        self.sides().1
    }

    /// The difference to a probability that is not smaller.
    pub fn short_of(self, best: Probability) -> f64 {
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

    /// Whether two probabilities are equal up to a tolerance relative to the smaller side.
    pub fn is_near(self, other: Probability, tolerance: f64) -> bool {
        let ((p, q), (other_p, other_q)) = (self.sides(), other.sides());
        let near = |a: f64, b: f64| (a - b).abs() <= tolerance * a.max(b);
        near(p, other_p) && near(q, other_q)
    }

    /// The stored bits.
    pub fn to_bits(self) -> u64 {
        self.0
    }

    /// The probability with these stored bits; `None` if they are invalid.
    pub fn from_bits(bits: u64) -> Option<Probability> {
        let small = bits.min(!bits);
        let valid = small == 0 || (f64::MIN_POSITIVE.to_bits()..=HALF).contains(&small);
        valid.then_some(Probability(bits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_the_order_of_probabilities() {
        let rising = [
            Probability::ZERO,
            Probability::new(1e-300, 1.0),
            Probability::new(0.25, 0.75),
            Probability::new(0.5, 0.5),
            Probability::new(0.75, 0.25),
            Probability::new(1.0, 1e-17),
            Probability::new(1.0, 1e-300),
            Probability::ONE,
        ];
        assert!(rising.is_sorted_by(|a, b| a < b));
        for chance in rising {
            assert_eq!(Probability::from_bits(chance.to_bits()), Some(chance));
            let (p, q) = chance.sides();
            assert_eq!(Probability::new(p, q), chance);
        }
    }

    #[test]
    fn what_is_not_zero_stays_so() {
        let tiny = Probability::new(1e-320, 1.0);
        assert!(tiny > Probability::ZERO);
        assert!(Probability::new(1.0, 1e-320) < Probability::ONE);
    }

    #[test]
    fn shortfalls_keep_their_precision() {
        let (a, b) = (Probability::new(1.0, 3e-20), Probability::new(1.0, 1e-20));
        let near = |found: f64| (found - 2e-20).abs() < 1e-33;
        assert!(near(a.short_of(b)));
        let small = |p: f64| Probability::new(p, 1.0);
        assert!(near(small(1e-20).short_of(small(3e-20))));
        assert_eq!(Probability::ZERO.short_of(Probability::ONE), 1.0);
        assert!(!a.is_near(b, 1e-9));
        assert!(!Probability::ONE.is_near(a, 1e-9));
    }
}
