//! Exact probabilities.

use std::fmt;

/// A probability as a fraction in lowest terms.
///
/// ```
/// use tilebase_model::Fraction;
///
/// let fraction = Fraction::new(18, 40);
/// assert_eq!(fraction.to_string(), "9/20");
/// assert_eq!(fraction.to_f64(), 0.45);
/// assert_eq!(Fraction::new(3, 3).to_string(), "1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    numerator: u128,
    denominator: u128,
}

impl Fraction {
    /// One.
    pub const ONE: Fraction = Fraction {
        numerator: 1,
        denominator: 1,
    };
    /// Zero.
    pub const ZERO: Fraction = Fraction {
        numerator: 0,
        denominator: 1,
    };

    /// The fraction in lowest terms; zero if the denominator is 0.
    pub fn new(numerator: u128, denominator: u128) -> Fraction {
        match divisor(numerator, denominator) {
            _ if denominator == 0 => Fraction::ZERO,
            common => Fraction {
                numerator: numerator / common,
                denominator: denominator / common,
            },
        }
    }

    /// The numerator in lowest terms.
    pub const fn numerator(self) -> u128 {
        self.numerator
    }

    /// The denominator in lowest terms.
    pub const fn denominator(self) -> u128 {
        self.denominator
    }

    /// The nearest float, or one next to it.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// The product, if it fits.
    pub(crate) fn checked_mul(self, other: Fraction) -> Option<Fraction> {
        let one = Fraction::new(self.numerator, other.denominator);
        let two = Fraction::new(other.numerator, self.denominator);
        Some(Fraction {
            numerator: one.numerator.checked_mul(two.numerator)?,
            denominator: one.denominator.checked_mul(two.denominator)?,
        })
    }

    /// The sum, if it fits.
    pub(crate) fn checked_add(self, other: Fraction) -> Option<Fraction> {
        let common = divisor(self.denominator, other.denominator);
        let factor = other.denominator / common;
        let left = self.numerator.checked_mul(factor)?;
        let right = other.numerator.checked_mul(self.denominator / common)?;
        let denominator = self.denominator.checked_mul(factor)?;
        Some(Fraction::new(left.checked_add(right)?, denominator))
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator == 1 {
            return self.numerator.fmt(f);
        }
        write!(f, "{}/{}", self.numerator, self.denominator)
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
        assert_eq!(third.checked_add(half), Some(Fraction::new(5, 6)));
        assert_eq!(third.checked_mul(half), Some(Fraction::new(1, 6)));
        assert_eq!(Fraction::ZERO.checked_add(half), Some(half));
        assert_eq!(Fraction::ZERO.checked_mul(half), Some(Fraction::ZERO));
        assert_eq!(Fraction::new(1, 0), Fraction::ZERO);
        let tiny = Fraction::new(1, u128::MAX);
        assert_eq!(tiny.checked_mul(half), None);
        assert_eq!(tiny.checked_mul(Fraction::ONE), Some(tiny));
    }
}
