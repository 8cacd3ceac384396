//! Tiles without places.

use crate::lower_bound::goal::BoundGoal;

/// Room for every exponent up to the largest target; a bag may hold a tile of it.
const EXPONENTS: usize = BoundGoal::MAX_TARGET as usize + 1;

/// Tiles of which only the values matter, ordered by their sum first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Bag {
    sum: u32,
    counts: [u16; EXPONENTS],
}

impl Bag {
    /// No tiles.
    pub(crate) const EMPTY: Bag = Bag {
        sum: 0,
        counts: [0; EXPONENTS],
    };

    /// How many tiles have this exponent.
    pub(crate) fn count(&self, exponent: u8) -> u16 {
        self.counts.get(usize::from(exponent)).copied().unwrap_or(0)
    }

    /// The bag with one more tile. Exponents go up to [`BoundGoal::MAX_TARGET`]; a tile beyond
    /// that changes nothing.
    pub(crate) fn with(mut self, exponent: u8) -> Bag {
        if let Some(count) = self.counts.get_mut(usize::from(exponent)) {
            *count += 1;
            self.sum += 1 << exponent;
        }
        self
    }

    /// All pairs merged at once, every tile at most once. Tiles of the largest exponent
    /// stay as they are: no goal is beyond them.
    pub(crate) fn merged(&self) -> Bag {
        let mut merged = *self;
        for exponent in 1..EXPONENTS - 1 {
            // The number before this move: a tile that has just been made does not merge.
            let pairs = self.counts[exponent] / 2;
            merged.counts[exponent] -= 2 * pairs;
            merged.counts[exponent + 1] += pairs;
        }
        merged
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_merge_at_once_and_only_once() {
        for (tiles, expected) in [
            (&[1][..], &[1][..]),
            (&[1, 1], &[2]),
            (&[1, 1, 1], &[1, 2]),
            (&[1, 1, 1, 1], &[2, 2]),
            (&[1, 1, 2], &[2, 2]),
            (&[1, 1, 2, 3], &[2, 2, 3]),
            (&[1, 1, 1, 2, 2], &[1, 2, 3]),
            (&[2, 2, 2, 3, 3], &[2, 3, 4]),
        ] {
            let bag = |tiles: &[u8]| tiles.iter().fold(Bag::EMPTY, |bag, &e| bag.with(e));
            assert_eq!(bag(tiles).merged(), bag(expected), "{tiles:?}");
        }
    }

    #[test]
    fn out_of_range_is_harmless() {
        assert_eq!(Bag::EMPTY.with(21), Bag::EMPTY);
        assert_eq!(Bag::EMPTY.count(21), 0);
        let full = Bag::EMPTY.with(20).with(20);
        assert_eq!(full.merged(), full);
    }
}
