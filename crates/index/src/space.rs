//! Where every board of a game has its bit.
//!
//! # The fold
//! The states of a game are closed under the symmetries of the board, so a fraction of them
//! determines the rest. Kept here are the boards whose first row is not smaller than its
//! mirror image and whose first half has at least the sum of the last (of three rows: whose
//! first row has at least the sum of the last). Such a board is called *folded*.
//! Every board has a folded image, and no tie is broken: a board with several folded images
//! has a bit for each. On squares the mirror in the diagonal is left alone, because without
//! it rows stay rows: a pass can then move whole rows of the table at once.
//!
//! # The table
//! Boards with more columns than rows are turned first. The upper rows (two of four, one
//! of three or fewer) are the *top*, the rest the *bottom*. In a layer, the boards with a
//! given sum of the top form a block; in a block, each top has a row of bits, one bit for
//! each bottom with the remaining sum, rounded up to whole words. Of three rows, bottoms
//! are ordered by the sum of their last row, so those that a folded board can have come
//! first.
//!
//! # Walls
//! Tiles that slide and never merge would enter as exponents of their own: [`Rows`] would list
//! and slide rows with them, and sums would leave them out. Everything here is built from
//! those rows.

mod place;

use tilebase_game::{Board, Rules, Shape, Spawn, TooLarge};

pub use place::Place;

use crate::half::Halves;
use crate::layer::Block;
use crate::row::{RowInfo, Rows};
use crate::tables::{Bottoms, Tops};

/// All tables of a shape and its tiles. They take time and memory: build them once for a run.
pub struct Space {
    /// The rules on the upright shape.
    pub rules: Rules,
    /// The game's shape; wide ones are turned upright inside.
    pub shape: Shape,
    /// The largest exponent of a state.
    pub largest: u8,
    /// How new tiles fall.
    pub spawn: Spawn,
    /// Rows of the top.
    pub top_rows: usize,
    /// Rows of the bottom.
    pub bottom_rows: usize,
    /// All rows and their ranks.
    pub rows: Rows,
    /// All tops, with the tops that slide to each.
    pub tops: Tops,
    /// All bottoms, with what slides and spawns make of each.
    pub bottoms: Bottoms,
}

/// Rows of the top and of the bottom of an upright shape with `rows` rows.
pub fn cut(rows: u8) -> (usize, usize) {
    let top = if rows == 4 { 2 } else { 1 };
    (top, usize::from(rows) - top)
}

/// The shape turned so that it has at least as many rows as columns.
pub fn upright(shape: Shape) -> Shape {
    if shape.rows() >= shape.cols() {
        shape
    } else {
        shape.transposed()
    }
}

impl Space {
    /// The tables for states with tiles up to an exponent below 15.
    pub fn new(shape: Shape, largest: u8, spawn: Spawn) -> Result<Space, TooLarge> {
        let tall = upright(shape);
        let rules = Rules::new(tall)?;
        let rows = Rows::new(tall.cols(), largest)?;
        let (top_rows, bottom_rows) = cut(tall.rows());
        let tops = Halves::tops(&rows, top_rows);
        let bottoms = Halves::bottoms(&rows, bottom_rows);
        let mut space = Space {
            rules,
            shape,
            largest,
            spawn,
            top_rows,
            bottom_rows,
            rows,
            tops: Tops {
                halves: tops,
                sources: Vec::new(),
                first_source: Vec::new(),
            },
            bottoms: Bottoms::empty(bottoms, largest),
        };
        space.list_sources();
        space.fill_bottoms();
        Ok(space)
    }

    /// Whether the shape has all eight symmetries.
    #[inline]
    pub fn is_square(&self) -> bool {
        self.shape.is_square()
    }

    /// The upright board with this top and this bottom.
    #[inline]
    pub fn board(&self, top: u32, bottom: u32) -> Board {
        Board::from_bits(u64::from(top) << 32 | u64::from(bottom) << (32 - 16 * self.top_rows))
    }

    /// The top of a row of a block.
    #[inline]
    pub fn top(&self, block: &Block, row: usize) -> u32 {
        self.tops.halves.list()[self.tops.halves.group(block.top_units).start + row]
    }

    /// The bottoms of a block, by rank.
    #[inline]
    pub fn bottom_group(&self, block: &Block) -> &[u32] {
        &self.bottoms.halves.list()[self.bottoms.halves.group(block.bottom_units)]
    }

    /// A board of the game's shape, turned upright.
    #[inline]
    pub fn upright(&self, board: Board) -> Board {
        if self.shape.rows() >= self.shape.cols() {
            board
        } else {
            board.transposed()
        }
    }

    /// An upright board, turned back to the game's shape.
    #[inline]
    pub fn in_shape(&self, board: Board) -> Board {
        // A transposition undoes itself.
        self.upright(board)
    }

    /// Rank of a top, which must be folded, in its group.
    #[inline]
    pub fn top_rank(&self, a: RowInfo, b: RowInfo, mirrored: bool) -> u32 {
        let units = a.units() + b.units();
        self.tops
            .halves
            .rank(units, a, a.folded_rank(), b, b.rank(mirrored))
    }

    /// Rank of a bottom in its group.
    #[inline]
    pub fn bottom_rank(&self, half: u32) -> u32 {
        let (c, d) = self.infos(half);
        let units = c.units() + d.units();
        let (lead, other) = if self.bottom_rows == 2 {
            (d, c)
        } else {
            (c, d)
        };
        let (lead_rank, other_rank) = (lead.rank(false), other.rank(false));
        self.bottoms
            .halves
            .rank(units, lead, lead_rank, other, other_rank)
    }

    /// How many bottoms of a sum a folded board with a top of a sum can have, and how many
    /// of them are lighter than the top: the others tie with it.
    pub fn bottoms_under(&self, top_units: usize, bottom_units: usize) -> (usize, usize) {
        let bottoms = &self.bottoms.halves;
        let all = bottoms.group(bottom_units).len();
        match (self.top_rows, self.bottom_rows) {
            (1, 2) => (
                bottoms.below(bottom_units, top_units + 1),
                bottoms.below(bottom_units, top_units),
            ),
            (_, 0) => (all, 0),
            _ => match top_units.cmp(&bottom_units) {
                std::cmp::Ordering::Greater => (all, all),
                std::cmp::Ordering::Equal => (all, 0),
                std::cmp::Ordering::Less => (0, 0),
            },
        }
    }

    /// The bits of the rows that are weighed against the top: all of the bottom, or the
    /// last of three rows.
    pub fn weighed(&self) -> u64 {
        match (self.top_rows, self.bottom_rows) {
            (1, 2) => self.board(0, 0xffff).bits(),
            _ => self.board(0, u32::MAX).bits(),
        }
    }

    /// The rows of a half.
    #[inline]
    pub fn infos(&self, half: u32) -> (RowInfo, RowInfo) {
        (
            self.rows.info((half >> 16) as u16),
            self.rows.info(half as u16),
        )
    }
}
