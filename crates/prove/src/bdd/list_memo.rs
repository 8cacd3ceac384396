//! Results by lists of pairs, for a pass that looks up far more than it allocates.

use std::hash::{Hash, Hasher};

use tilebase_util::hash::FastHasher;

/// A table from lists to results. Lists lie one after another in one vector.
pub(crate) struct ListMemo<P, R> {
    /// One more than the number of an entry, or 0; as many as a power of two.
    slots: Vec<u32>,
    entries: Vec<Entry<R>>,
    lists: Vec<P>,
}

struct Entry<R> {
    hash: u64,
    start: usize,
    result: R,
}

impl<P: Copy + Eq + Hash, R> ListMemo<P, R> {
    pub(crate) fn new() -> ListMemo<P, R> {
        ListMemo {
            slots: vec![0; 1 << 10],
            entries: Vec::new(),
            lists: Vec::new(),
        }
    }

    /// The hash of a list, to be given with it.
    pub(crate) fn hash(list: &[P]) -> u64 {
        let mut hasher = FastHasher::default();
        list.iter().for_each(|pair| pair.hash(&mut hasher));
        hasher.finish()
    }

    pub(crate) fn get(&self, hash: u64, list: &[P]) -> Option<&R> {
        let mut slot = self.slot(hash);
        loop {
            let entry = (self.slots[slot] as usize).checked_sub(1)?;
            let found = &self.entries[entry];
            if found.hash == hash && self.list(entry) == list {
                return Some(&found.result);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// Adds a result for a list that has none.
    pub(crate) fn insert(&mut self, hash: u64, list: &[P], result: R) {
        self.entries.push(Entry {
            hash,
            start: self.lists.len(),
            result,
        });
        self.lists.extend_from_slice(list);
        if 2 * self.entries.len() > self.slots.len() {
            self.slots = vec![0; 4 * self.slots.len()];
            for entry in 0..self.entries.len() {
                self.place(entry);
            }
        } else {
            self.place(self.entries.len() - 1);
        }
    }

    /// Bytes that the table takes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.slots[..])
            + self.entries.capacity() * size_of::<Entry<R>>()
            + self.lists.capacity() * size_of::<P>()
    }

    /// Takes all results out.
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = R> {
        self.slots.fill(0);
        self.lists.clear();
        self.entries.drain(..).map(|entry| entry.result)
    }

    fn place(&mut self, entry: usize) {
        let mut slot = self.slot(self.entries[entry].hash);
        while self.slots[slot] != 0 {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = entry as u32 + 1;
    }

    /// The high bits of these hashes are the good ones.
    fn slot(&self, hash: u64) -> usize {
        (hash >> (64 - self.slots.len().trailing_zeros())) as usize
    }

    fn list(&self, entry: usize) -> &[P] {
        let end = self
            .entries
            .get(entry + 1)
            .map_or(self.lists.len(), |next| next.start);
        &self.lists[self.entries[entry].start..end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_found_again() {
        let mut memo = ListMemo::new();
        for number in 0..20_000u32 {
            let list: Vec<u32> = (0..number % 7)
                .map(|at| number / 7 + at)
                .chain([number])
                .collect();
            let hash = ListMemo::<u32, u32>::hash(&list);
            assert_eq!(memo.get(hash, &list), None);
            memo.insert(hash, &list, number);
            assert_eq!(memo.get(hash, &list), Some(&number));
        }
        assert!(memo.drain().eq(0..20_000));
        assert_eq!(memo.get(ListMemo::<u32, u32>::hash(&[0]), &[0]), None);
    }
}
