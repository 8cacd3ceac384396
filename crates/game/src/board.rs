//! Boards of at most 4×4 cells in one machine word.

use crate::row;

/// The largest exponent a packed board can hold: the 32768 tile.
pub const MAX_PACKED_EXPONENT: u8 = 15;

/// A position of at most 4×4 cells, four bits a cell: 0 for empty, e for the tile 2^e.
///
/// ```text
///        column  0   1   2   3
///   row 0      60  56  52  48      the lowest bit of each cell's nibble
///   row 1      44  40  36  32
///   row 2      28  24  20  16
///   row 3      12   8   4   0
/// ```
///
/// Every shape sits in the top left corner of this 4×4 frame; cells outside the shape
/// are 0. So one set of row tables, one transposition and one mirror serve all shapes,
/// and [`Rules`](crate::Rules) adds the shift that brings the shape back to its corner.
/// A board does not know its shape: `Rules` does.
///
/// ```
/// use tilebase_game::{Board, Move, Rules, Shape};
///
/// let shape: Shape = "2x2".parse().unwrap();
/// let rules = Rules::new(shape).unwrap();
/// let board = Board::parse("2,2/.,4", shape).unwrap();
/// assert_eq!(rules.slide(board, Move::Left).hex(shape), "0x2020");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board(u64);

const LOW_BITS: u64 = 0x1111_1111_1111_1111;

impl Board {
    /// The board without a tile.
    pub const EMPTY: Board = Board(0);

    /// The board with these bits, laid out as drawn above.
    pub const fn from_bits(bits: u64) -> Board {
        Board(bits)
    }

    /// The bits, laid out as drawn above.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Where in the word the nibble of a cell of the 4×4 frame begins.
    pub(crate) const fn nibble(row: u8, col: u8) -> u32 {
        60 - 16 * row as u32 - 4 * col as u32
    }

    /// Exponent of the tile in a cell of the 4×4 frame (0: empty; `row` and `col` below 4).
    pub const fn get(self, row: u8, col: u8) -> u8 {
        (self.0 >> Board::nibble(row, col) & 15) as u8
    }

    /// The board with one cell of the 4×4 frame set to an exponent of at most 15.
    #[must_use]
    pub const fn with(self, row: u8, col: u8, exponent: u8) -> Board {
        let at = Board::nibble(row, col);
        Board(self.0 & !(15 << at) | (exponent as u64 & 15) << at)
    }

    /// Row 0 to 3 as sixteen bits, its first cell in the highest four.
    pub const fn row(self, row: u8) -> u16 {
        (self.0 >> (48 - 16 * row as u32)) as u16
    }

    /// Sum of the tiles' values.
    pub fn sum(self) -> u32 {
        self.pair_sums().iter().sum()
    }

    /// The sums of the eight pairs of neighbouring cells, two in each row of the frame.
    #[inline]
    pub(crate) fn pair_sums(self) -> [u32; 8] {
        self.0
            .to_be_bytes()
            .map(|pair| row::PAIR_SUM[usize::from(pair)])
    }

    /// Exponent of the largest tile, 0 on the empty board.
    pub fn max_exponent(self) -> u8 {
        (1..=MAX_PACKED_EXPONENT)
            .rev()
            .find(|&exponent| self.reaches(exponent))
            .unwrap_or(0)
    }

    /// Whether some tile has at least this exponent (so: whether a game to it is won).
    ///
    /// No packed board reaches an exponent above 15.
    pub const fn reaches(self, exponent: u8) -> bool {
        if exponent > MAX_PACKED_EXPONENT {
            return false;
        }
        if exponent == 0 {
            return true;
        }
        // Adding 16 - exponent to every nibble, spread over bytes, carries where it is reached.
        const EVERY_OTHER: u64 = 0x0f0f_0f0f_0f0f_0f0f;
        let add = (16 - exponent as u64) * 0x0101_0101_0101_0101;
        let low = (self.0 & EVERY_OTHER) + add;
        let high = (self.0 >> 4 & EVERY_OTHER) + add;
        (low | high) & 0x1010_1010_1010_1010 != 0
    }

    /// Whether slides of this board are exact: at most one tile is a 32768.
    ///
    /// Two of them might meet, and a 65536 has no packed form; [`Rules`](crate::Rules)
    /// then leaves the pair apart. No shape but 4x4 can ever get there by play, and
    /// [`Grid`](crate::Grid) has no such limit.
    pub const fn slides_exactly(self) -> bool {
        let full = self.0 & self.0 >> 1 & self.0 >> 2 & self.0 >> 3 & LOW_BITS;
        full.count_ones() <= 1
    }

    /// The nibbles of the walls: all bits of every cell with the largest exponent.
    #[inline]
    pub const fn walls(self) -> u64 {
        let full = self.0 & self.0 >> 1 & self.0 >> 2 & self.0 >> 3 & LOW_BITS;
        full * 15
    }

    /// The board without its walls.
    #[inline]
    #[must_use]
    pub const fn without_walls(self) -> Board {
        Board(self.0 & !self.walls())
    }

    /// The lowest bit of the nibble of every cell of the 4×4 frame that holds a tile.
    pub const fn occupied(self) -> u64 {
        (self.0 | self.0 >> 1 | self.0 >> 2 | self.0 >> 3) & LOW_BITS
    }

    /// Rows become columns.
    #[must_use]
    pub const fn transposed(self) -> Board {
        let b = swap(self.0, 12, 0x0000_f0f0_0000_f0f0);
        Board(swap(b, 24, 0x0000_0000_ff00_ff00))
    }

    /// The eight images of the 4×4 frame, the board itself first. On a 4×4 board these are
    /// its images; a smaller shape leaves its corner.
    #[inline]
    pub const fn frame_images(self) -> [Board; 8] {
        let (mirrored, turned) = (self.mirrored_frame(), self.transposed());
        let turned_mirrored = turned.mirrored_frame();
        [
            self,
            mirrored,
            self.flipped_frame(),
            mirrored.flipped_frame(),
            turned,
            turned_mirrored,
            turned.flipped_frame(),
            turned_mirrored.flipped_frame(),
        ]
    }

    /// The 4×4 frame mirrored left to right.
    pub(crate) const fn mirrored_frame(self) -> Board {
        let b = swap(self.0, 4, 0x0f0f_0f0f_0f0f_0f0f);
        Board(swap(b, 8, 0x00ff_00ff_00ff_00ff))
    }

    /// The 4×4 frame flipped top to bottom.
    pub(crate) const fn flipped_frame(self) -> Board {
        Board(swap(self.0, 16, 0x0000_ffff_0000_ffff).rotate_left(32))
    }
}

/// Exchanges the bits under `mask` with those `distance` above them (a delta swap).
const fn swap(bits: u64, distance: u32, mask: u64) -> u64 {
    let differ = (bits ^ bits >> distance) & mask;
    bits ^ differ ^ differ << distance
}
