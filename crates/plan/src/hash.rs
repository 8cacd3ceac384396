//! The set of positions seen in one step of a search.

use std::hash::{Hash, Hasher};

use tilebase_util::hash::FastHasher;

/// A set that is emptied at no cost: what was inserted before has an old stamp.
pub struct ClosedSet<K> {
    slots: Vec<(K, u32)>,
    stamp: u32,
    filled: usize,
}

impl<K: Copy + Eq + Hash + Default> ClosedSet<K> {
    /// An empty set.
    pub fn new() -> ClosedSet<K> {
        ClosedSet {
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
        let mut hasher = FastHasher::default();
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
