//! What is known of positions: one word each, shared by all threads.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Slots of the smallest table.
const LEAST: usize = 1 << 16;

/// Positions that are settled, by open addressing: a slot holds twice the position's number,
/// plus 1 if Slider wins.
///
/// Slots are filled once and never change, so that threads need no locks: whoever finds a
/// slot filled finds a whole answer. The number 0, the empty board, is not kept.
pub struct ProofTable {
    slots: Vec<AtomicU64>,
    /// Bits to drop from a hash.
    shift: u32,
    filled: AtomicUsize,
}

impl ProofTable {
    /// An empty table.
    pub fn new() -> ProofTable {
        ProofTable::with_slots(LEAST)
    }

    /// `slots` is a power of two from 2 on.
    fn with_slots(slots: usize) -> ProofTable {
        ProofTable {
            slots: std::iter::repeat_with(AtomicU64::default)
                .take(slots)
                .collect(),
            shift: 64 - slots.trailing_zeros(),
            filled: AtomicUsize::new(0),
        }
    }

    /// Settled positions.
    pub fn len(&self) -> usize {
        self.filled.load(Ordering::Relaxed)
    }

    /// Whether the table should grow before more is put in.
    #[inline]
    pub fn is_crowded(&self) -> bool {
        // Two thirds full, with room for what other threads put in meanwhile.
        self.len() > self.slots.len() / 3 * 2
    }

    /// Bytes that the table takes.
    pub fn bytes(&self) -> u64 {
        8 * self.slots.len() as u64
    }

    /// A table of twice as many slots with the same positions.
    pub fn grown(&self) -> ProofTable {
        let table = ProofTable::with_slots(2 * self.slots.len());
        table.take_from(self, |_| true);
        table
    }

    /// A table of the same size with the positions that Slider wins.
    pub fn wins(&self) -> ProofTable {
        let table = ProofTable::with_slots(self.slots.len());
        table.take_from(self, |win| win);
        table
    }

    fn take_from(&self, other: &ProofTable, keep: impl Fn(bool) -> bool) {
        for slot in &other.slots {
            let entry = slot.load(Ordering::Relaxed);
            if entry != 0 && keep(entry & 1 == 1) {
                self.put(entry >> 1, entry & 1 == 1);
            }
        }
    }

    /// Whether Slider wins the position with a number, if that is settled.
    #[inline]
    pub fn get(&self, number: u64) -> Option<bool> {
        let mut at = self.start(number);
        loop {
            let entry = self.slots[at].load(Ordering::Relaxed);
            if entry >> 1 == number {
                return Some(entry & 1 == 1);
            }
            if entry == 0 {
                return None;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// Puts a settled position in. There must be a free slot.
    pub fn put(&self, number: u64, win: bool) {
        let entry = number << 1 | u64::from(win);
        let mut at = self.start(number);
        loop {
            let slot = &self.slots[at];
            match slot.compare_exchange(0, entry, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => {
                    self.filled.fetch_add(1, Ordering::Relaxed);
                    return;
                }
                Err(found) if found >> 1 == number => return,
                Err(_) => at = (at + 1) & (self.slots.len() - 1),
            }
        }
    }

    /// Fibonacci hashing: the high bits of a product with the golden ratio.
    #[inline]
    fn start(&self, number: u64) -> usize {
        let folded = number ^ number >> 32;
        (folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_is_found_also_after_growth() {
        let mut table = ProofTable::new();
        for number in 1..200_000u64 {
            if table.is_crowded() {
                table = table.grown();
            }
            table.put(number * number, number % 3 == 0);
        }
        assert_eq!(table.len(), 199_999);
        for number in 1..200_000u64 {
            assert_eq!(table.get(number * number), Some(number % 3 == 0));
        }
        assert_eq!(table.get(2), None);
        let wins = table.wins();
        assert_eq!(wins.len(), 66_666);
        assert_eq!((wins.get(9), wins.get(16)), (Some(true), None));
    }
}
