//! Sets of positions.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// Multiplies and folds. Positions come from the rules, not from an enemy.
#[derive(Clone, Copy, Debug, Default)]
pub struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        // An odd constant with well mixed bits: 2^64 over the golden ratio.
        let product =
            u128::from(self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    #[inline]
    fn write_u128(&mut self, number: u128) {
        self.write_u64(number as u64 ^ (number >> 64) as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

/// A map from keys of positions.
pub type KeyMap<K, V> = HashMap<K, V, BuildHasherDefault<KeyHasher>>;

/// A set that is emptied at no cost: what was inserted before has an old stamp.
pub struct Seen<K> {
    slots: Vec<(K, u32)>,
    stamp: u32,
    filled: usize,
}

impl<K: Copy + Eq + Hash + Default> Seen<K> {
    /// An empty set.
    pub fn new() -> Seen<K> {
        Seen {
            slots: vec![(K::default(), 0); 64],
            stamp: 1,
            filled: 0,
        }
    }

    /// Empties the set.
    pub fn clear(&mut self) {
        self.filled = 0;
        match self.stamp.checked_add(1) {
            Some(stamp) => self.stamp = stamp,
            None => {
                self.slots.fill((K::default(), 0));
                self.stamp = 1;
            }
        }
    }

    /// Bytes that the set takes.
    pub fn bytes(&self) -> usize {
        self.slots.len() * size_of::<(K, u32)>()
    }

    /// Adds a key; tells whether it is new.
    #[inline]
    pub fn insert(&mut self, key: K) -> bool {
        if 2 * self.filled >= self.slots.len() {
            self.grow();
        }
        let mut at = self.place(key);
        loop {
            let slot = &mut self.slots[at];
            if slot.1 != self.stamp {
                *slot = (key, self.stamp);
                self.filled += 1;
                return true;
            }
            if slot.0 == key {
                return false;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    #[inline]
    fn place(&self, key: K) -> usize {
        let mut hasher = KeyHasher::default();
        key.hash(&mut hasher);
        hasher.finish() as usize & (self.slots.len() - 1)
    }

    fn grow(&mut self) {
        let larger = vec![(K::default(), 0); 2 * self.slots.len()];
        let (old, stamp) = (std::mem::replace(&mut self.slots, larger), self.stamp);
        self.filled = 0;
        for (key, _) in old.into_iter().filter(|&(_, of)| of == stamp) {
            self.insert(key);
        }
    }
}
