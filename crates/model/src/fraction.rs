//! Probabilities as exact fractions.

use std::fmt;

/// A probability: `part` of `whole`, in lowest terms.
///
/// ```
/// use tilebase_model::Fraction;
///
/// let chance = Fraction::new(18, 40);
/// assert_eq!(chance.to_string(), "9/20");
/// assert_eq!(chance.to_f64(), 0.45);
/// assert_eq!(Fraction::new(3, 3).to_string(), "1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    part: u128,
    whole: u128,
}

impl Fraction {
    /// What is certain.
    pub const ONE: Fraction = Fraction { part: 1, whole: 1 };
    /// What never happens.
    pub const ZERO: Fraction = Fraction { part: 0, whole: 1 };

    /// `part` of `whole`; nothing if the whole is 0.
    pub fn new(part: u128, whole: u128) -> Fraction {
        match divisor(part, whole) {
            _ if whole == 0 => Fraction::ZERO,
            common => Fraction {
                part: part / common,
                whole: whole / common,
            },
        }
    }

    /// The numerator in lowest terms.
    pub const fn part(self) -> u128 {
        self.part
    }

    /// The denominator in lowest terms.
    pub const fn whole(self) -> u128 {
        self.whole
    }

    /// The nearest number, or one beside it.
    pub fn to_f64(self) -> f64 {
        self.part as f64 / self.whole as f64
    }

    /// The chance that both of two independent things happen, if 128 bits can tell it.
    pub(crate) fn and(self, other: Fraction) -> Option<Fraction> {
        let one = Fraction::new(self.part, other.whole);
        let two = Fraction::new(other.part, self.whole);
        Some(Fraction {
            part: one.part.checked_mul(two.part)?,
            whole: one.whole.checked_mul(two.whole)?,
        })
    }

    /// The chance that one of two things happens that exclude each other, if 128 bits can
    /// tell it.
    pub(crate) fn or(self, other: Fraction) -> Option<Fraction> {
        let common = divisor(self.whole, other.whole);
        let stretch = other.whole / common;
        let left = self.part.checked_mul(stretch)?;
        let right = other.part.checked_mul(self.whole / common)?;
        let whole = self.whole.checked_mul(stretch)?;
        Some(Fraction::new(left.checked_add(right)?, whole))
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.whole == 1 {
            return self.part.fmt(f);
        }
        write!(f, "{}/{}", self.part, self.whole)
    }
}

/// The greatest common divisor; the other number if one is 0.
pub(crate) fn divisor(a: u128, b: u128) -> u128 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_products() {
        let third = Fraction::new(1, 3);
        let half = Fraction::new(2, 4);
        assert_eq!(third.or(half), Some(Fraction::new(5, 6)));
        assert_eq!(third.and(half), Some(Fraction::new(1, 6)));
        assert_eq!(Fraction::ZERO.or(half), Some(half));
        assert_eq!(Fraction::ZERO.and(half), Some(Fraction::ZERO));
        assert_eq!(Fraction::new(1, 0), Fraction::ZERO);
        let tiny = Fraction::new(1, u128::MAX);
        assert_eq!(tiny.and(half), None);
        assert_eq!(tiny.and(Fraction::ONE), Some(tiny));
    }
}
