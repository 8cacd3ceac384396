//! Slides of packed boards of one shape.

use std::fmt;

use crate::board::{Board, MAX_PACKED_EXPONENT};
use crate::cell_set::CellSet;
use crate::formation::Formation;
use crate::moves::{Move, MoveSet};
use crate::row::{SCORE_UNIT, SLIDES};
use crate::shape::Shape;
use crate::symmetry::Symmetry;
use crate::variant::Variant;

/// The rules on one shape of at most 4×4 cells.
///
/// Holds what a [`Board`] leaves out, so that one word is all a position costs.
/// The methods are grouped by topic: slides here, symmetry in
/// [`Symmetry`]'s module, spawns in [`Spawn`](crate::Spawn)'s.
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
    /// Number of walls.
    walls: u8,
    /// The cells that walls must cover, all of one mask; the first `masks` of them.
    mask_bits: [u64; Formation::MOST_MASKS],
    /// The same, transposed.
    turned_masks: [u64; Formation::MOST_MASKS],
    masks: u8,
    /// The largest exponent that a slide may make.
    most: u8,
    /// The symmetries of the game: bit i for the i-th of [`Symmetry::ALL`].
    symmetries: u8,
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
            walls: 0,
            mask_bits: [0; Formation::MOST_MASKS],
            turned_masks: [0; Formation::MOST_MASKS],
            masks: 0,
            most: MAX_PACKED_EXPONENT,
            symmetries: if shape.is_square() { 0xff } else { 0x0f },
        })
    }

    /// The rules of a variant: those of its shape, and of its formation if it has one.
    pub fn of(variant: &Variant) -> Result<Rules, TooLarge> {
        let rules = Rules::new(variant.shape())?;
        Ok(match variant.formation() {
            None => rules,
            Some(formation) => rules.with_formation(formation, variant.target()),
        })
    }

    /// These rules with walls. A slide that is not allowed leaves the board as it is.
    #[must_use]
    pub fn with_formation(mut self, formation: &Formation, target: Option<u8>) -> Rules {
        // If the target counts on every cell, the first one wins, and there is no second one.
        let everywhere = formation.goal() == CellSet::all(self.shape);
        self.most = target
            .filter(|_| !everywhere)
            .unwrap_or(MAX_PACKED_EXPONENT);
        self.walls = formation.walls();
        self.masks = formation.masks().len() as u8;
        let turned = self.turned_masks.iter_mut();
        for ((bits, turned), mask) in self.mask_bits.iter_mut().zip(turned).zip(formation.masks()) {
            *bits = mask.board().bits();
            *turned = mask.board().transposed().bits();
        }
        let symmetries = formation.symmetries(self.shape);
        self.symmetries = symmetries.fold(0, |set, symmetry| set | 1 << symmetry as u8);
        self
    }

    /// Number of walls.
    pub const fn walls(&self) -> u8 {
        self.walls
    }

    /// The masks: a slide is allowed if walls then cover all cells of one of them, each given as
    /// a board with a wall on every cell. None if every slide is allowed.
    pub fn masks(&self) -> &[u64] {
        &self.mask_bits[..usize::from(self.masks)]
    }

    /// The largest exponent that a slide may make.
    pub const fn most_exponent(&self) -> u8 {
        self.most
    }

    /// Whether every slide that changes a board is allowed.
    pub const fn allows_all(&self) -> bool {
        !self.is_restricted()
    }

    /// Whether walls cover a mask, or there is none.
    #[inline]
    pub fn keeps(&self, board: Board) -> bool {
        self.masks == 0 || self.masks().iter().any(|mask| board.bits() & mask == *mask)
    }

    /// All boards with nothing but walls from which play can start.
    pub fn wall_placements(&self) -> Vec<Board> {
        let masks = match self.masks() {
            [] => vec![CellSet::EMPTY],
            masks => masks
                .iter()
                .map(|&bits| CellSet::walls(Board::from_bits(bits)))
                .collect(),
        };
        let walls = u32::from(self.walls);
        let sets = masks
            .iter()
            .flat_map(|mask| mask.extended_to(walls, self.shape));
        let mut boards: Vec<Board> = sets.map(CellSet::board).collect();
        boards.sort_unstable();
        boards.dedup();
        boards
    }

    /// The symmetries of the game: those of the shape that leave its masks and goal as they are.
    pub fn symmetries(&self) -> impl Iterator<Item = Symmetry> + use<> {
        let set = self.symmetries;
        Symmetry::ALL
            .into_iter()
            .filter(move |&symmetry| set >> symmetry as u8 & 1 == 1)
    }

    /// Whether the game has a symmetry.
    #[inline]
    pub const fn has_symmetry(&self, symmetry: Symmetry) -> bool {
        self.symmetries >> symmetry as u8 & 1 == 1
    }

    /// Whether the game has no symmetry but the identity.
    #[inline]
    pub const fn has_no_symmetry(&self) -> bool {
        self.symmetries == 1
    }

    /// Whether the game has all symmetries of its shape.
    #[inline]
    pub const fn is_symmetric(&self) -> bool {
        self.symmetries == if self.shape.is_square() { 0xff } else { 0x0f }
    }

    /// The sum of the tiles' values; walls count nothing.
    #[inline]
    pub fn sum(&self, board: Board) -> u32 {
        // Every board of a formation has all its walls.
        board.sum() - (u32::from(self.walls) << MAX_PACKED_EXPONENT)
    }

    /// The tiles of a board, without its walls.
    #[inline]
    pub fn tiles(&self, board: Board) -> Board {
        match self.walls {
            0 => board,
            _ => board.without_walls(),
        }
    }

    /// Exponent of the largest tile that is not a wall, 0 if there is none.
    pub fn max_exponent(&self, board: Board) -> u8 {
        self.tiles(board).max_exponent()
    }

    /// The board itself in place of one that a slide may not lead to.
    #[inline]
    fn allowed(&self, board: Board, after: Board) -> Board {
        if self.keeps(after) && !self.goes_beyond(after) {
            after
        } else {
            board
        }
    }

    /// Whether a board has a tile above the largest that a slide may make.
    #[inline]
    fn goes_beyond(&self, board: Board) -> bool {
        self.most < MAX_PACKED_EXPONENT && board.without_walls().reaches(self.most + 1)
    }

    /// Whether some slides that change a board are not allowed.
    #[inline]
    const fn is_restricted(&self) -> bool {
        self.masks > 0 || self.most < MAX_PACKED_EXPONENT
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
        self.allowed(board, self.slide_any(board, m))
    }

    /// The board after a slide, whether a formation allows it or not.
    #[inline]
    pub fn slide_any(&self, board: Board, m: Move) -> Board {
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
        let slides = [
            left(board),
            right(board, self.right_gap),
            left(turned).transposed(),
            right(turned, self.lower_gap).transposed(),
        ];
        if !self.is_restricted() {
            return slides;
        }
        slides.map(|after| self.allowed(board, after))
    }

    /// The boards after slides up and down.
    #[inline(always)]
    pub fn vertical_slides(&self, board: Board) -> [Board; 2] {
        let turned = board.transposed();
        // Where few slides are allowed, turning the others back would be in vain.
        let masks = &self.turned_masks[..usize::from(self.masks)];
        let keeps = |after: Board| {
            masks.is_empty() || masks.iter().any(|mask| after.bits() & mask == *mask)
        };
        let back = |after: Board| {
            if keeps(after) && !self.goes_beyond(after) {
                after.transposed()
            } else {
                board
            }
        };
        [back(left(turned)), back(right(turned, self.lower_gap))]
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
        if self.is_restricted() {
            // The first slides settle it for nearly all boards.
            return Move::ALL.into_iter().all(|m| !self.is_legal(board, m));
        }
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
        let pairs = (!across & inside_row) | (!down & inside_col);
        if self.walls == 0 {
            return pairs == 0;
        }
        // Walls do not merge with each other.
        let walls = bits & bits >> 1 & bits >> 2 & bits >> 3 & self.cells;
        pairs & !walls == 0
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
