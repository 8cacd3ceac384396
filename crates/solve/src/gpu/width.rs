//! Bits of a value.

use tilebase_game::Variant;
use tilebase_table::{Objective, ValueKind};

use crate::plan::precision;

/// The number of bits that the GPU stores for a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// The same values as on the processor, bit by bit.
    Bits64,
    /// Half the memory, and half the digits.
    Bits32,
}

impl Width {
    /// Bytes of a value.
    pub fn bytes(self) -> u64 {
        match self {
            Width::Bits64 => 8,
            Width::Bits32 => 4,
        }
    }

    /// The largest relative error of values after a number of layers.
    pub(super) fn bound(self, variant: &Variant, objective: Objective, layers: usize) -> f64 {
        let (bound, _) = precision(variant.shape(), layers);
        // Sums have 64 bits. Then a probability is rounded once, and a tagged number, which
        // gives up two bits, after every mean and after every move.
        let epsilon = f64::from(f32::EPSILON) / 2.0;
        let roundings = match objective.value_kind() {
            ValueKind::WinProbability => 1.0,
            _ => 14.0,
        };
        match self {
            Width::Bits64 => bound,
            Width::Bits32 => bound + 1.001 * roundings * epsilon * layers as f64,
        }
    }

    /// The bits of a value as the processor stores it.
    pub(super) fn widened(self, objective: Objective, bits: u64) -> u64 {
        let half = bits as u32;
        let wide = |half: u32| f64::from(f32::from_bits(half)).to_bits();
        match (self, objective.value_kind()) {
            (Width::Bits64, _) => bits,
            (Width::Bits32, ValueKind::WinProbability) if half <= 0.5f32.to_bits() => wide(half),
            (Width::Bits32, ValueKind::WinProbability) => !wide(!half),
            (Width::Bits32, _) => wide(half & !3) | u64::from(half & 3),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_values_keep_what_is_sure() {
        let widened = |bits: u32| Width::Bits32.widened(Objective::Win, bits.into());
        // A sure loss, a sure win, one half.
        assert_eq!(widened(0), 0);
        assert_eq!(widened(u32::MAX), u64::MAX);
        assert_eq!(widened(0.5f32.to_bits()), 0.5f64.to_bits());
        assert_eq!(Width::Bits64.widened(Objective::Win, 7), 7);
        let tagged = 3.0f32.to_bits() | 2;
        let wide = Width::Bits32.widened(Objective::Score, tagged.into());
        assert_eq!(wide, 3.0f64.to_bits() | 2);
    }
}
