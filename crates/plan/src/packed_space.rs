//! Boards of at most 4×4 cells in one machine word.

use tilebase_game::{Board, Grid, MAX_PACKED_EXPONENT, Move, Rules, Shape};

use crate::smoothness::line_roughness;
use crate::state_space::StateSpace;
use crate::tile::Tile;

/// The game on packed boards.
pub struct PackedSpace {
    rules: Rules,
}

impl PackedSpace {
    /// The game on a shape and to a goal, if packed boards can hold them.
    ///
    /// The goal is below the largest tile, so that no slide before it needs a larger one.
    pub fn new(shape: Shape, goal: u8) -> Option<PackedSpace> {
        let rules = Rules::new(shape).ok()?;
        (goal <= MAX_PACKED_EXPONENT).then_some(PackedSpace { rules })
    }

    fn place(cell_bit: u32, cols: u16) -> u16 {
        let place = (60 - cell_bit as u16) / 4;
        place / 4 * cols + place % 4
    }

    fn bit(&self, cell: u16) -> u32 {
        let cols = u16::from(self.rules.shape().cols());
        u32::from(60 - 16 * (cell / cols) - 4 * (cell % cols))
    }
}

impl StateSpace for PackedSpace {
    type State = Board;
    type Key = u64;

    fn state(&self, grid: &Grid) -> Board {
        grid.pack().unwrap_or(Board::EMPTY)
    }

    fn grid(&self, state: &Board) -> Grid {
        state.unpack(self.rules.shape())
    }

    #[inline]
    fn key(&self, state: &Board) -> u64 {
        state.bits()
    }

    #[inline]
    fn canonical_key(&self, state: &Board) -> u64 {
        self.rules.canonical(*state).bits()
    }

    #[inline]
    fn slide(&self, state: &Board, m: Move) -> Option<Board> {
        let after = self.rules.slide(*state, m);
        (after != *state).then_some(after)
    }

    #[inline]
    fn put(&self, state: &mut Board, cell: u16, exponent: u8) {
        *state = Board::from_bits(state.bits() | u64::from(exponent) << self.bit(cell));
    }

    #[inline]
    fn empty(&self, state: &Board) -> u32 {
        self.rules.empty_cells(*state).count_ones()
    }

    #[inline]
    fn nth_empty(&self, state: &Board, n: u32) -> Option<u16> {
        let mut cells = self.rules.empty_cells(*state);
        for _ in 0..n {
            cells &= !(1 << 63u32.checked_sub(cells.leading_zeros())?);
        }
        let bit = 63u32.checked_sub(cells.leading_zeros())?;
        Some(PackedSpace::place(bit, self.rules.shape().cols().into()))
    }

    fn choices(&self, state: &Board, cells: &mut Vec<u16>) {
        cells.clear();
        cells.extend((0..self.empty(state)).filter_map(|n| self.nth_empty(state, n)));
    }

    fn lists_all_choices(&self) -> bool {
        true
    }

    #[inline]
    fn reaches(&self, state: &Board, exponent: u8) -> bool {
        state.reaches(exponent)
    }

    fn tiles(&self, state: &Board, tiles: &mut Vec<Tile>) {
        tiles.clear();
        let mut rest = state.bits();
        while rest != 0 {
            let place = rest.leading_zeros() / 4;
            let bit = 60 - 4 * place;
            let exponent = (rest >> bit) as u8 & 15;
            tiles.push(Tile::new((place / 4) as u8, (place % 4) as u8, exponent));
            rest &= !(15 << bit);
        }
    }

    #[inline]
    fn roughness(&self, state: &Board) -> u64 {
        let turned = state.transposed();
        let value = |r| line_roughness(state.row(r)) + line_roughness(turned.row(r));
        (0..4).map(value).sum()
    }

    fn state_bytes(&self, _: &Board) -> usize {
        size_of::<Board>()
    }
}
