//! The transposition table: values of afterstates that the search has seen already.

use tilebase_game::Board;

/// Values of afterstates by board and remaining depth. A new entry replaces the old one in its
/// slot.
pub(crate) struct TranspositionTable {
    entries: Box<[Entry]>,
    /// Number of the current search. Entries of earlier searches do not count.
    search: u32,
}

#[derive(Clone, Copy, Default)]
struct Entry {
    board: Board,
    value: f64,
    positions: u32,
    search_and_depth: u32,
}

impl TranspositionTable {
    /// A table of 2^bits entries; with 0 bits it stores nothing.
    pub fn new(bits: u32) -> TranspositionTable {
        let len = if bits == 0 { 0 } else { 1 << bits };
        TranspositionTable {
            entries: vec![Entry::default(); len].into_boxed_slice(),
            search: 0,
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.search = (self.search + 1) & 0xff_ffff;
        if self.search == 0 {
            // Tags wrap around: old entries must not pass for new ones.
            self.entries.fill(Entry::default());
            self.search = 1;
        }
    }

    /// The value of an afterstate at a depth, and how many positions that search saw.
    #[inline]
    pub fn get(&self, board: Board, depth: u8) -> Option<(f64, u64)> {
        let entry = self.entries.get(self.slot(board, depth))?;
        let same = entry.board == board && entry.search_and_depth == self.tag(depth);
        same.then_some((entry.value, u64::from(entry.positions)))
    }

    /// Stores a value.
    #[inline]
    pub fn put(&mut self, board: Board, depth: u8, value: f64, positions: u64) {
        let (slot, search_and_depth) = (self.slot(board, depth), self.tag(depth));
        if let Some(entry) = self.entries.get_mut(slot) {
            *entry = Entry {
                board,
                value,
                positions: positions.try_into().unwrap_or(u32::MAX),
                search_and_depth,
            };
        }
    }

    #[inline]
    fn tag(&self, depth: u8) -> u32 {
        self.search << 8 | u32::from(depth)
    }

    #[inline]
    fn slot(&self, board: Board, depth: u8) -> usize {
        let mixed = (board.bits() ^ u64::from(depth)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // The product's high bits depend on all bits of the board.
        ((mixed >> 32) as usize) & self.entries.len().wrapping_sub(1)
    }
}
