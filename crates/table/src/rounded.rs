//! Values in 16 bits.
//!
//! A probability has 12 significant bits of the smaller of p and 1−p, stored so that codes are ordered
//! like probabilities: 0 is a sure loss, the largest code a sure win, and nothing else is. An expected
//! return has 10 significant bits, and its category in two more.
//!
//! Means and maxima do not enlarge the error: a value that is computed from rounded ones has the same
//! bound. So tables can leave layers out, see [`Content::Rounded`](crate::Content::Rounded).

use crate::probability::Probability;

/// Bits of a code after the exponent.
const MANTISSA: u32 = 11;
/// The smallest probability with all significant bits is 2 to the power of −`LEAST`.
const LEAST: i32 = 15;
/// Bound on the error of a rounded probability, relative to the smaller of p and 1−p. Where that is
/// below 2^−15, up to 2^−26 may be added.
pub const PROBABILITY_ERROR: f64 = 1.0 / (1u64 << (MANTISSA + 1)) as f64;

/// Bound on the relative error of a rounded expected return that is at least 2^−8.
pub const RETURN_ERROR: f64 = 1.0 / (1u64 << 10) as f64;

/// The code of a probability.
pub fn round_probability(probability: Probability) -> u16 {
    let (p, q) = probability.sides();
    if p <= q { code(p) } else { !code(q) }
}

/// The probability of a code.
pub fn probability_of(rounded: u16) -> Probability {
    let small = number(rounded.min(!rounded));
    if rounded <= !rounded {
        Probability::new(small, 1.0 - small)
    } else {
        Probability::new(1.0 - small, small)
    }
}

/// The code of a number up to 1/2; a positive number never becomes 0.
fn code(number: f64) -> u16 {
    if number <= 0.0 {
        return 0;
    }
    float_code(number, LEAST, MANTISSA).max(1)
}

fn number(code: u16) -> f64 {
    float_of(code, LEAST, MANTISSA)
}

/// A number as a small float: exponents from −`least` up, and below it multiples of the smallest step.
/// Rounded to nearest, so the code of the next power of two follows by itself.
pub(crate) fn float_code(number: f64, least: i32, mantissa: u32) -> u16 {
    let exponent = (number.to_bits() >> 52) as i32 - 1023;
    let exponent = exponent.max(-least);
    let steps = number * power_of_two(mantissa as i32 - exponent);
    let above = (exponent + least) as u32;
    // The leading bit of a normal number adds one to the exponent.
    (steps.round_ties_even() as u32 + (above << mantissa)) as u16
}

/// A power of two, which `powi` takes longer for.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// The number of a code.
pub(crate) fn float_of(code: u16, least: i32, mantissa: u32) -> f64 {
    let field = u32::from(code) >> mantissa;
    let rest = f64::from(u32::from(code) & ((1 << mantissa) - 1));
    if field == 0 {
        return rest * power_of_two(-least - mantissa as i32);
    }
    let one = f64::from(1u32 << mantissa);
    (one + rest) * power_of_two(field as i32 - 1 - least - mantissa as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_ordered_like_probabilities_and_read_back() {
        let mut last = None;
        let half = code(0.5);
        for rounded in (0..=half).chain(!half..=u16::MAX) {
            let probability = probability_of(rounded);
            // One half has two codes, of which the first is used.
            let expected = if rounded == !half { half } else { rounded };
            assert_eq!(round_probability(probability), expected);
            assert!(last.is_none_or(|last| last <= probability), "{rounded}");
            last = Some(probability);
        }
        assert_eq!(probability_of(0), Probability::ZERO);
        assert_eq!(probability_of(u16::MAX), Probability::ONE);
    }

    /// What a code of a small probability counts.
    const STEP: f64 = 1.0 / (1u64 << (LEAST as u32 + MANTISSA)) as f64;

    #[test]
    fn errors_are_within_the_bound_and_certainty_is_kept() {
        let mut small = 0.5;
        while small > 1e-12 {
            for probability in [
                Probability::new(small, 1.0 - small),
                Probability::new(1.0 - small, small),
            ] {
                let rounded = probability_of(round_probability(probability));
                let error = (rounded.p() - probability.p()).abs();
                let bound = PROBABILITY_ERROR * small.max(2f64.powi(-LEAST));
                assert!(error <= bound.max(STEP), "{small}: {error}");
                assert!(rounded > Probability::ZERO && rounded < Probability::ONE);
            }
            small *= 0.99937;
        }
    }
}
