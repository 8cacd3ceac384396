//! Smaller tiles in place of large ones, for evaluations that do not know large tiles.
//!
//! All tiles above the largest exponent that no tile has are halved. Equal tiles stay equal,
//! different ones stay different and in order, so slides and merges stay the same until a merge
//! fills the gap.

use crate::board::Board;
use crate::grid::Grid;

impl Board {
    /// The board with large tiles halved until none is above the exponent `largest`, or no gap
    /// is left.
    ///
    /// ```
    /// use tilebase_game::{Board, Shape};
    ///
    /// let shape: Shape = "2x2".parse().unwrap();
    /// let board = Board::parse("16384,4096/2,.", shape).unwrap();
    /// let halved = Board::parse("8192,4096/2,.", shape).unwrap();
    /// assert_eq!(board.halved(13), halved);
    /// ```
    #[inline]
    #[must_use]
    pub fn halved(self, largest: u8) -> Board {
        let mut board = self;
        while board.reaches(largest + 1) {
            let bits = board.bits();
            let present = (0..16).fold(0u32, |set, cell| set | 1 << (bits >> (4 * cell) & 15));
            // All below the largest that are missing; 0 stands for empty cells.
            let top = 31 - present.leading_zeros();
            let missing = !present & ((1 << top) - 2);
            if missing == 0 {
                break;
            }
            let missing = 31 - missing.leading_zeros();
            // In bytes, a sum above 127 marks the exponents above the missing one.
            const LOW: u64 = 0x0f0f_0f0f_0f0f_0f0f;
            const ONES: u64 = 0x0101_0101_0101_0101;
            let larger = |cells: u64| (cells + ONES * u64::from(127 - missing)) >> 7 & ONES;
            board = Board::from_bits(bits - larger(bits & LOW) - (larger(bits >> 4 & LOW) << 4));
        }
        board
    }
}

impl Grid {
    /// The grid as a packed board whose slides are exact, with large tiles halved as often as
    /// that takes. `None` if halving does not help.
    pub fn pack_halved(&self) -> Option<Board> {
        let mut grid = self.clone();
        loop {
            let fits = grid.pack().filter(|board| board.slides_exactly());
            if fits.is_some() {
                return fits;
            }
            let mut below = (1..grid.max_exponent()).rev();
            let missing = below.find(|e| !grid.exponents().contains(e))?;
            let halve = |&e: &u8| if e > missing { e - 1 } else { e };
            let halved: Vec<u8> = grid.exponents().iter().map(halve).collect();
            grid = Grid::from_exponents(grid.shape(), &halved)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rng, Rules, Shape};

    #[test]
    fn both_kinds_of_boards_are_halved_alike() {
        let shape: Shape = "4x4".parse().unwrap();
        let rules = Rules::new(shape).unwrap();
        let mut rng = Rng::new(11);
        for _ in 0..2000 {
            let exponents: Vec<u8> = (0..16).map(|_| rng.below(16) as u8).collect();
            let grid = Grid::from_exponents(shape, &exponents).unwrap();
            let board = grid.pack().unwrap();
            let Some(halved) = grid.pack_halved() else {
                continue;
            };
            assert_eq!(rules.legal_moves(halved), grid.legal_moves(), "{grid}");
            // Two tiles of 32768 do not slide exactly; one halving makes them 16384.
            let expected = match board.slides_exactly() {
                true => board,
                false => board.halved(14),
            };
            assert_eq!(halved, expected, "{grid}");
        }
    }

    #[test]
    fn large_tiles_are_halved_without_changing_what_merges() {
        let shape: Shape = "4x4".parse().unwrap();
        let cases = [
            // Nothing to do.
            ("0x1234000000000000", "0x1234000000000000"),
            // Two 32768 could merge into a tile that has no packed form. Tiles below the
            // largest gap stay.
            ("0xffd0100000000000", "0xeed0100000000000"),
        ];
        for (from, to) in cases {
            let grid = Grid::parse(from, Some(shape)).unwrap();
            let board = grid.pack_halved().unwrap();
            assert_eq!(board.hex(shape), to, "{from}");
            let rules = Rules::new(shape).unwrap();
            assert_eq!(rules.legal_moves(board), grid.legal_moves(), "{from}");
        }
        // A 65536 fits no packed board as it is.
        let mut exponents = [0; 16];
        exponents[0] = 16;
        exponents[5] = 15;
        let grid = Grid::from_exponents(shape, &exponents).unwrap();
        assert_eq!(grid.pack_halved().unwrap().hex(shape), "0xf0000e0000000000");
    }
}
