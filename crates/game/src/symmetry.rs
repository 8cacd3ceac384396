//! The ways to turn and mirror a board, and what they do to moves.

use crate::board::Board;
use crate::grid::Grid;
use crate::moves::{Move, MoveSet};
use crate::rules::Rules;
use crate::shape::Shape;

/// An element of the symmetry group of the square.
///
/// The first four keep every shape; all eight keep squares. Each is a transposition or
/// not, then a mirror left to right or not, then a flip top to bottom or not.
///
/// ```
/// use tilebase_game::{Move, Symmetry};
///
/// assert_eq!(Symmetry::Mirror.apply_to_move(Move::Left), Move::Right);
/// assert_eq!(Symmetry::Rotate90.apply_to_move(Move::Left), Move::Up);
/// assert_eq!(Symmetry::Rotate90.inverse(), Symmetry::Rotate270);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symmetry {
    /// Nothing moves.
    Identity,
    /// Left and right change places.
    Mirror,
    /// Top and bottom change places.
    Flip,
    /// Half a turn.
    Rotate180,
    /// Rows become columns: a mirror in the diagonal through the top left corner.
    Transpose,
    /// A quarter turn clockwise.
    Rotate90,
    /// A quarter turn counterclockwise.
    Rotate270,
    /// A mirror in the diagonal through the top right corner.
    AntiTranspose,
}

impl Symmetry {
    /// All eight, those that keep every shape first. The position of an element spells its
    /// parts in binary: 1 for the mirror, 2 for the flip, 4 for the transposition.
    pub const ALL: [Symmetry; 8] = [
        Symmetry::Identity,
        Symmetry::Mirror,
        Symmetry::Flip,
        Symmetry::Rotate180,
        Symmetry::Transpose,
        Symmetry::Rotate90,
        Symmetry::Rotate270,
        Symmetry::AntiTranspose,
    ];

    /// The symmetries that map a shape to itself: 8 for squares, 4 for other rectangles.
    pub fn of(shape: Shape) -> &'static [Symmetry] {
        &Symmetry::ALL[..if shape.is_square() { 8 } else { 4 }]
    }

    const fn mirrors(self) -> bool {
        self as u8 & 1 != 0
    }

    const fn flips(self) -> bool {
        self as u8 & 2 != 0
    }

    const fn transposes(self) -> bool {
        self as u8 & 4 != 0
    }

    /// The symmetry that undoes this one.
    pub const fn inverse(self) -> Symmetry {
        match self {
            Symmetry::Rotate90 => Symmetry::Rotate270,
            Symmetry::Rotate270 => Symmetry::Rotate90,
            own => own,
        }
    }

    /// The move on the image that does what `m` does on the original:
    /// `image(slide(board, m)) == slide(image(board), self.apply_to_move(m))`.
    pub const fn apply_to_move(self, m: Move) -> Move {
        let m = match (m, self.transposes()) {
            (m, false) => m,
            (Move::Left, true) => Move::Up,
            (Move::Up, true) => Move::Left,
            (Move::Right, true) => Move::Down,
            (Move::Down, true) => Move::Right,
        };
        match m {
            Move::Left if self.mirrors() => Move::Right,
            Move::Right if self.mirrors() => Move::Left,
            Move::Up if self.flips() => Move::Down,
            Move::Down if self.flips() => Move::Up,
            m => m,
        }
    }

    /// The image of every move of a set.
    pub fn apply_to_moves(self, moves: MoveSet) -> MoveSet {
        moves.iter().map(|m| self.apply_to_move(m)).collect()
    }

    /// The shape of the image of a board of this shape.
    pub const fn apply_to_shape(self, shape: Shape) -> Shape {
        if self.transposes() {
            shape.transposed()
        } else {
            shape
        }
    }

    /// Where in the image a cell of a board of this shape lies: (row, column).
    pub const fn apply_to_cell(self, shape: Shape, row: u8, col: u8) -> (u8, u8) {
        let (row, col) = if self.transposes() {
            (col, row)
        } else {
            (row, col)
        };
        let image = self.apply_to_shape(shape);
        (
            if self.flips() {
                image.rows() - 1 - row
            } else {
                row
            },
            if self.mirrors() {
                image.cols() - 1 - col
            } else {
                col
            },
        )
    }
}

impl Grid {
    /// The grid turned or mirrored.
    #[must_use]
    pub fn image(&self, symmetry: Symmetry) -> Grid {
        let mut image = Grid::empty(symmetry.apply_to_shape(self.shape()));
        for row in 0..self.shape().rows() {
            for col in 0..self.shape().cols() {
                let (to_row, to_col) = symmetry.apply_to_cell(self.shape(), row, col);
                image.set(to_row, to_col, self.get(row, col));
            }
        }
        image
    }
}

/// Symmetry of packed boards.
impl Rules {
    /// The board turned or mirrored, for a symmetry of these rules' shape
    /// (see [`Symmetry::of`]; on other shapes a transposing one gives a board of the
    /// transposed shape).
    pub fn image(&self, board: Board, symmetry: Symmetry) -> Board {
        let (board, right_gap, lower_gap) = if symmetry.transposes() {
            (board.transposed(), self.lower_gap(), self.right_gap())
        } else {
            (board, self.right_gap(), self.lower_gap())
        };
        let board = if symmetry.mirrors() {
            mirrored(board, right_gap)
        } else {
            board
        };
        if symmetry.flips() {
            flipped(board, lower_gap)
        } else {
            board
        }
    }

    /// All images of a board under the symmetries of the game, the board itself first; a
    /// symmetrical board appears more than once.
    pub fn images(&self, board: Board) -> impl Iterator<Item = Board> {
        self.symmetries()
            .map(move |symmetry| self.image(board, symmetry))
    }
}

/// Mirrors a shape whose right side is `right_gap` bits from the frame's.
#[inline]
pub(crate) const fn mirrored(board: Board, right_gap: u32) -> Board {
    Board::from_bits(board.mirrored_frame().bits() << right_gap)
}

/// Flips a shape whose transposed right side is `lower_gap` bits from the frame's.
#[inline]
pub(crate) const fn flipped(board: Board, lower_gap: u32) -> Board {
    Board::from_bits(board.flipped_frame().bits() << (4 * lower_gap))
}
