//! A fast hasher for keys that no enemy chooses, such as boards.
//!
//! The searches spend much of their time in maps of positions. The standard library's SipHash
//! resists keys made to collide, which costs several times as much and protects against nothing
//! here: positions come from the rules.
//!
//! ```
//! use tilebase_util::hash::FastMap;
//!
//! let mut visits: FastMap<u64, u32> = FastMap::default();
//! *visits.entry(0x0132).or_default() += 1;
//! assert_eq!(visits[&0x0132], 1);
//! ```

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A [`HashMap`] that uses [`FastHasher`].
pub type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<FastHasher>>;

/// A [`HashSet`] that uses [`FastHasher`].
pub type FastSet<K> = HashSet<K, BuildHasherDefault<FastHasher>>;

/// Multiplies each number by a 128-bit constant and folds the product. All bits of the result
/// depend on all bits of the key.
#[derive(Clone, Copy, Debug, Default)]
pub struct FastHasher(u64);

impl Hasher for FastHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for &word in words {
            self.write_u64(u64::from_le_bytes(word));
        }
        for &byte in rest {
            self.write_u64(byte.into());
        }
    }

    #[inline]
    fn write_u8(&mut self, number: u8) {
        self.write_u64(number.into());
    }

    #[inline]
    fn write_u16(&mut self, number: u16) {
        self.write_u64(number.into());
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        // 2^128 over the golden ratio: odd, with well mixed bits.
        let product =
            u128::from(self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    #[inline]
    fn write_u128(&mut self, number: u128) {
        self.write_u64(number as u64);
        self.write_u64((number >> 64) as u64);
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use std::hash::BuildHasher;

    use super::*;

    fn hash<T: std::hash::Hash>(key: T) -> u64 {
        BuildHasherDefault::<FastHasher>::default().hash_one(key)
    }

    #[test]
    fn small_and_large_keys_spread_over_low_and_high_bits() {
        // Hash tables take their slot from the low bits, and their tag from the high ones.
        for shift in [0, 4, 12, 32, 48] {
            let mut low = vec![0u32; 256];
            let mut high = vec![0u32; 256];
            for key in 0..65_536u64 {
                let hash = hash(key << shift);
                low[(hash & 255) as usize] += 1;
                high[(hash >> 56) as usize] += 1;
            }
            // 256 are expected in each.
            for slots in [low, high] {
                assert!(slots.iter().all(|n| (128..512).contains(n)), "{slots:?}");
            }
        }
    }

    #[test]
    fn both_halves_of_a_wide_key_count() {
        assert_ne!(hash(1u128), hash(1u128 << 64));
        assert_ne!(hash(5u128 << 64 | 5), hash(7u128 << 64 | 7));
    }

    #[test]
    fn bytes_are_read_to_the_end() {
        let mut seen = FastSet::default();
        for length in 0..40 {
            assert!(seen.insert(hash(vec![1u8; length])), "{length}");
        }
    }
}
