//! Slides of packed boards of one shape.

use std::fmt;

use crate::board::Board;
use crate::moves::{Move, MoveSet};
use crate::row::{SCORE_UNIT, SLIDES};
use crate::shape::Shape;

/// The rules on one shape of at most 4×4 cells.
///
/// Holds what a [`Board`] leaves out, so that one word is all a position costs.
/// The methods are grouped by topic: slides here, symmetry in
/// [`Symmetry`](crate::Symmetry)'s module, spawns in [`Spawn`](crate::Spawn)'s.
///
/// ```
/// use tilebase_game::{Board, Move, Rules, Shape};
///
/// let shape: Shape = "3x3".parse().unwrap();
/// let rules = Rules::new(shape).unwrap();
/// let board = Board::parse("2,2,4/.,.,./.,.,.", shape).unwrap();
/// let after = rules.slide(board, Move::Right);
/// assert_eq!(after, Board::parse(".,4,4/.,.,./.,.,.", shape).unwrap());
/// assert_eq!(rules.score(board, Move::Right), 4);
/// assert!(!rules.is_legal(board, Move::Up));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    shape: Shape,
    /// Bits from the shape's right side to the frame's.
    right_gap: u32,
    /// Bits from the shape's lower side to the frame's, and so from the right side of the
    /// transposed shape to the frame's.
    lower_gap: u32,
    /// The lowest bit of every cell's nibble.
    cells: u64,
}

/// A shape that does not fit a packed board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge(pub Shape);

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "shape {} is too large: at most 4x4", self.0)
    }
}

impl std::error::Error for TooLarge {}

impl Rules {
    /// The rules on a shape, if it fits a packed board.
    pub const fn new(shape: Shape) -> Result<Rules, TooLarge> {
        if shape.rows() > 4 || shape.cols() > 4 {
            return Err(TooLarge(shape));
        }
        let mut cells = 0;
        let mut row = 0;
        while row < shape.rows() {
            let mut col = 0;
            while col < shape.cols() {
                cells |= 1 << Board::nibble(row, col);
                col += 1;
            }
            row += 1;
        }
        Ok(Rules {
            shape,
            right_gap: 4 * (4 - shape.cols() as u32),
            lower_gap: 4 * (4 - shape.rows() as u32),
            cells,
        })
    }

    /// The shape that these rules are for.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    pub(crate) const fn right_gap(&self) -> u32 {
        self.right_gap
    }

    pub(crate) const fn lower_gap(&self) -> u32 {
        self.lower_gap
    }

    /// The board after a slide; the same board if the slide is not legal.
    ///
    /// Exact as long as [`Board::slides_exactly`] holds.
    #[inline]
    pub fn slide(&self, board: Board, m: Move) -> Board {
        match m {
            Move::Left => left(board),
            Move::Right => right(board, self.right_gap),
            Move::Up => left(board.transposed()).transposed(),
            Move::Down => right(board.transposed(), self.lower_gap).transposed(),
        }
    }

    /// The boards after all four slides, in the order of [`Move::ALL`].
    #[inline]
    pub fn slides(&self, board: Board) -> [Board; 4] {
        let turned = board.transposed();
        [
            left(board),
            right(board, self.right_gap),
            left(turned).transposed(),
            right(turned, self.lower_gap).transposed(),
        ]
    }

    /// The score of a slide: the sum of the tiles that it makes by merging.
    #[inline]
    pub fn score(&self, board: Board, m: Move) -> u32 {
        let lines = match m {
            Move::Left | Move::Right => board,
            Move::Up | Move::Down => board.transposed(),
        };
        SCORE_UNIT
            * (0..4)
                .map(|r| u32::from(SLIDES.score[usize::from(lines.row(r))]))
                .sum::<u32>()
    }

    /// Whether a slide changes the board.
    #[inline]
    pub fn is_legal(&self, board: Board, m: Move) -> bool {
        self.slide(board, m) != board
    }

    /// The moves that change the board.
    pub fn legal_moves(&self, board: Board) -> MoveSet {
        Move::ALL
            .into_iter()
            .zip(self.slides(board))
            .filter(|&(_, after)| after != board)
            .map(|(m, _)| m)
            .collect()
    }

    /// The lowest bit of the nibble of every empty cell of the shape.
    #[inline]
    pub const fn empty_cells(&self, board: Board) -> u64 {
        self.cells & !board.occupied()
    }

    /// Whether no slide changes the board.
    ///
    /// The empty board is lost too: nothing on it can slide.
    #[inline]
    pub fn is_lost(&self, board: Board) -> bool {
        let bits = board.bits();
        // A cell that is occupied and equal to the one before it can merge with it.
        let across = Board::from_bits(bits ^ bits << 4).occupied();
        let down = Board::from_bits(bits ^ bits << 16).occupied();
        let inside_row = self.cells & 0xfff0_fff0_fff0_fff0 & self.cells << 4;
        let inside_col = self.cells & self.cells << 16;
        if self.empty_cells(board) != 0 {
            // A tile beside an empty cell can always move towards it.
            return bits == 0;
        }
        (!across & inside_row) | (!down & inside_col) == 0
    }
}

#[inline]
fn left(board: Board) -> Board {
    slide_rows(board, &SLIDES.left)
}

/// Slides a shape right whose right side is `gap` bits from the frame's.
#[inline]
fn right(board: Board, gap: u32) -> Board {
    Board::from_bits(slide_rows(Board::from_bits(board.bits() >> gap), &SLIDES.right).bits() << gap)
}

#[inline]
fn slide_rows(board: Board, table: &[u16; 1 << 16]) -> Board {
    let row = |r| u64::from(table[usize::from(board.row(r))]);
    Board::from_bits(row(0) << 48 | row(1) << 32 | row(2) << 16 | row(3))
}
