//! A hash for positions: tables of them are what the searches spend their time on.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// Multiplies and folds. Positions come from the rules, not from an enemy.
#[derive(Clone, Copy, Debug, Default)]
pub struct PositionHasher(u64);

impl Hasher for PositionHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u64(&mut self, number: u64) {
        // An odd constant with well mixed bits: 2^64 over the golden ratio.
        let product =
            u128::from(self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    fn write_u128(&mut self, number: u128) {
        self.write_u64(number as u64);
        self.write_u64((number >> 64) as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// A map from positions.
pub type PositionMap<K, V> = HashMap<K, V, BuildHasherDefault<PositionHasher>>;

/// A set of positions.
pub type PositionSet<K> = HashSet<K, BuildHasherDefault<PositionHasher>>;
