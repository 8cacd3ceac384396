//! What a search has seen already.

use tilebase_game::Board;

/// Worths of boards before a tile falls, by how much deeper they were looked at. Of two
/// that fall into one place the later stays.
pub(crate) struct TranspositionTable {
    places: Box<[Place]>,
    /// The search that places must be of.
    search: u32,
}

#[derive(Clone, Copy, Default)]
struct Place {
    board: Board,
    worth: f64,
    positions: u32,
    search_and_depth: u32,
}

impl TranspositionTable {
    /// A memory of 2^bits places; none at all for 0.
    pub fn new(bits: u32) -> TranspositionTable {
        let len = if bits == 0 { 0 } else { 1 << bits };
        TranspositionTable {
            places: vec![Place::default(); len].into_boxed_slice(),
            search: 0,
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.search = (self.search + 1) & 0xff_ffff;
        if self.search == 0 {
            // Tags come round: places of long ago must not pass for new ones.
            self.places.fill(Place::default());
            self.search = 1;
        }
    }

    /// The worth of a board at a depth, and how many positions that took.
    #[inline]
    pub fn get(&self, board: Board, depth: u8) -> Option<(f64, u64)> {
        let place = self.places.get(self.at(board, depth))?;
        let same = place.board == board && place.search_and_depth == self.tag(depth);
        same.then_some((place.worth, u64::from(place.positions)))
    }

    /// Keeps a worth.
    #[inline]
    pub fn put(&mut self, board: Board, depth: u8, worth: f64, positions: u64) {
        let (at, search_and_depth) = (self.at(board, depth), self.tag(depth));
        if let Some(place) = self.places.get_mut(at) {
            *place = Place {
                board,
                worth,
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
    fn at(&self, board: Board, depth: u8) -> usize {
        let mixed = (board.bits() ^ u64::from(depth)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // The product's high bits depend on all bits of the board.
        ((mixed >> 32) as usize) & self.places.len().wrapping_sub(1)
    }
}
