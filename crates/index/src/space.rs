//! Where every board of a game has its bit.
//!
//! # The fold
//! The states of a game are closed under the symmetries of the board, so a part of them
//! tells the whole. The part kept here is the boards whose first row is not smaller than
//! its mirror image and whose first half has at least the sum of the last (of three rows:
//! whose first row has at least the sum of the last). Such a board is called *folded*.
//! Every board has a folded image, and no tie is broken: a board with several folded images
//! has a bit for each. On squares the mirror in the diagonal is left alone, because without
//! it rows stay rows: whole rows of the table can then be moved at once (see the `slide`
//! and `spawn` modules).
//!
//! # The table
//! Boards with more columns than rows are turned first. The upper rows (two of four, one
//! of three or fewer) are the *top*, the rest the *bottom*. In a layer, the boards with a
//! given sum of the top form a block; in a block, each top has a row of bits, one bit for
//! each bottom with the remaining sum, rounded up to whole words. Of three rows, bottoms
//! are ordered by the sum of their last row, so those that a folded board can have come
//! first.

use std::hint::select_unpredictable;

use tilebase_game::{Board, Rules, Shape, Spawn, TooLarge};

use crate::half::Halves;
use crate::layer::Block;
use crate::row::{RowInfo, Rows};
use crate::tables::{Bottoms, Tops};

/// The bit of a board in its layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Sum of the top, in units of 2.
    pub top_units: usize,
    /// Rank of the top.
    pub row: usize,
    /// Rank of the bottom.
    pub bit: usize,
}

/// All tables of a shape and its tiles.
pub struct Space {
    /// The rules on the shape that stands upright.
    pub rules: Rules,
    /// The shape as asked for; wide ones are turned inside.
    pub shape: Shape,
    /// The largest exponent of a state.
    pub largest: u8,
    pub spawn: Spawn,
    pub top_rows: usize,
    pub bottom_rows: usize,
    pub rows: Rows,
    pub tops: Tops,
    pub bottoms: Bottoms,
}

/// How many rows the top and the bottom of a shape with so many rows have.
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
    pub fn is_square(&self) -> bool {
        self.shape.is_square()
    }

    /// The upright board of a top and a bottom.
    #[inline]
    pub fn board(&self, top: u32, bottom: u32) -> Board {
        Board::from_bits(u64::from(top) << 32 | u64::from(bottom) << (32 - 16 * self.top_rows))
    }

    /// The top of a row of a block.
    pub fn top(&self, block: &Block, row: usize) -> u32 {
        self.tops.halves.list()[self.tops.halves.group(block.top_units).start + row]
    }

    /// The bottoms of a block, by rank.
    pub fn bottom_group(&self, block: &Block) -> &[u32] {
        &self.bottoms.halves.list()[self.bottoms.halves.group(block.bottom_units)]
    }

    /// The board as the user knows it: turned back if the shape is wide.
    pub fn shown(&self, board: Board) -> Board {
        if self.shape.rows() >= self.shape.cols() {
            board
        } else {
            board.transposed()
        }
    }

    /// Rank of a top, which must be folded, in its group.
    pub fn top_rank(&self, a: RowInfo, b: RowInfo, mirrored: bool) -> u32 {
        let units = a.units() + b.units();
        self.tops
            .halves
            .rank(units, a, a.folded_rank(), b, b.rank(mirrored))
    }

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
    pub fn infos(&self, half: u32) -> (RowInfo, RowInfo) {
        (
            self.rows.info((half >> 16) as u16),
            self.rows.info(half as u16),
        )
    }

    /// Calls `visit` with the place of every folded image of a board under mirrors and
    /// flips.
    #[inline]
    pub fn places(&self, board: Board, mut visit: impl FnMut(Place)) {
        let info = |row: u8| self.rows.info(board.row(row));
        let (a, empty) = (info(0), self.rows.info(0));
        // The heavier side goes on top. No processor could predict which that is, so the
        // rows change places without a branch; ties are few.
        let swap = |swap: bool, x: RowInfo, y: RowInfo| {
            (
                select_unpredictable(swap, y, x),
                select_unpredictable(swap, x, y),
            )
        };
        match (self.top_rows, self.bottom_rows) {
            (2, _) => {
                let (b, c, d) = (info(1), info(2), info(3));
                let (upper, lower) = (a.units() + b.units(), c.units() + d.units());
                let ((a, d), (b, c)) = (swap(lower > upper, a, d), swap(lower > upper, b, c));
                self.mirrors([a, b, c, d], &mut visit);
                if upper == lower {
                    self.mirrors([d, c, b, a], &mut visit);
                }
            }
            (_, 2) => {
                let (b, c) = (info(1), info(2));
                let tie = a.units() == c.units();
                let (a, c) = swap(c.units() > a.units(), a, c);
                self.mirrors([a, empty, b, c], &mut visit);
                if tie {
                    self.mirrors([c, empty, b, a], &mut visit);
                }
            }
            (_, 1) => {
                let b = info(1);
                let tie = a.units() == b.units();
                let (a, b) = swap(b.units() > a.units(), a, b);
                self.mirrors([a, empty, b, empty], &mut visit);
                if tie {
                    self.mirrors([b, empty, a, empty], &mut visit);
                }
            }
            _ => self.mirrors([a, empty, empty, empty], &mut visit),
        }
    }

    /// Calls `visit` with the place of a board, given as the rows of its top and its bottom,
    /// or of its mirror image, or of both where the first row is a palindrome.
    #[inline(always)]
    fn mirrors(&self, [a, b, c, d]: [RowInfo; 4], visit: &mut impl FnMut(Place)) {
        let (lead, other) = if self.bottom_rows == 2 {
            (d, c)
        } else {
            (c, d)
        };
        let mut one = |mirrored: bool| {
            let units = c.units() + d.units();
            let (lead_rank, other_rank) = (lead.rank(mirrored), other.rank(mirrored));
            let bit = self
                .bottoms
                .halves
                .rank(units, lead, lead_rank, other, other_rank);
            visit(Place {
                top_units: a.units() + b.units(),
                row: self.top_rank(a, b, mirrored) as usize,
                bit: bit as usize,
            });
        };
        one(a.is_less());
        if a.is_palindrome() {
            one(true);
        }
    }

    /// The place of the canonical image of a board.
    ///
    /// The canonical image is the one with the largest sum in its first half, then the
    /// largest reading. Unless two sides tie, the rows' sums and orders alone tell which it
    /// is, and it need not be made.
    #[inline]
    pub fn canonical_place(&self, board: Board) -> Option<Place> {
        let [top, bottom, left, right] = self.side_sums(board);
        let (upright, across) = (top.max(bottom), left.max(right));
        let turn = across > upright;
        let tie = (upright == across) | select_unpredictable(turn, left == right, top == bottom);
        if tie && self.bottom_rows + self.top_rows > 1 {
            return self.own_place(self.rules.canonical(board));
        }
        let last = select_unpredictable(turn, right > left, bottom > top);
        let rows = self.rows_of(select_unpredictable(turn, board.transposed(), board));
        let [a, b, c, d] = rows;
        // From here on the rows stand as in the table: top, then bottom, in two rows each.
        let empty = self.rows.info(0);
        let pick = |x: RowInfo, y: RowInfo| select_unpredictable(last, y, x);
        let [a, b, c, d] = match (self.top_rows, self.bottom_rows) {
            (2, _) => [pick(a, d), pick(b, c), pick(c, b), pick(d, a)],
            (_, 2) => [pick(a, c), empty, b, pick(c, a)],
            (_, 1) => [pick(a, b), empty, pick(b, a), empty],
            _ => [a, empty, empty, empty],
        };
        // The first row that differs from its mirror image decides.
        let decides =
            |x: RowInfo, then: bool| select_unpredictable(x.is_palindrome(), then, x.is_less());
        let mirrored = decides(a, decides(b, decides(c, d.is_less())));
        let (lead, other) = if self.bottom_rows == 2 {
            (d, c)
        } else {
            (c, d)
        };
        let bit = self.bottoms.halves.rank(
            c.units() + d.units(),
            lead,
            lead.rank(mirrored),
            other,
            other.rank(mirrored),
        );
        Some(Place {
            top_units: a.units() + b.units(),
            row: self.top_rank(a, b, mirrored) as usize,
            bit: bit as usize,
        })
    }

    /// Whether the first half of a folded board is heavier than all other sides; `None` if
    /// sums and the first row do not settle whether the board is canonical.
    #[inline]
    pub fn leads_alone(&self, board: Board) -> Option<bool> {
        let [top, bottom, left, right] = self.side_sums(board);
        let across = left.max(right);
        if across > top {
            return Some(false);
        }
        let first = self.rows.info(board.row(0));
        (across < top && bottom < top && !first.is_palindrome()).then_some(true)
    }

    #[inline]
    fn rows_of(&self, board: Board) -> [RowInfo; 4] {
        [0, 1, 2, 3].map(|row| self.rows.info(board.row(row)))
    }

    /// Sums of the halves: upper, lower, and of squares left and right. A row or column in
    /// the middle is in both of its halves.
    #[inline]
    fn side_sums(&self, board: Board) -> [u32; 4] {
        let rows = [0, 1, 2, 3].map(|row| self.rows.sides(board.row(row)));
        let [a, b, c, d] = [0, 1, 2, 3].map(|row| self.rows.info(board.row(row)).units() as u32);
        let [top, bottom] = match self.top_rows + self.bottom_rows {
            4 => [a + b, c + d],
            3 => [a + b, b + c],
            2 => [a, b],
            _ => [a, a],
        };
        if !self.is_square() {
            return [top, bottom, 0, 0];
        }
        let sides: u64 = rows.iter().sum();
        [top, bottom, (sides >> 32) as u32, sides as u32]
    }

    /// The place of a board that is folded itself.
    pub fn own_place(&self, board: Board) -> Option<Place> {
        let top = (board.bits() >> 32) as u32
            & if self.top_rows == 2 {
                u32::MAX
            } else {
                !0xffff
            };
        let bottom = (board.bits() >> (32 - 16 * self.top_rows)) as u32;
        let bottom = if self.bottom_rows == 2 {
            bottom
        } else {
            bottom & !0xffff
        };
        let (a, b) = self.infos(top);
        (!a.is_less()).then(|| Place {
            top_units: a.units() + b.units(),
            row: self.top_rank(a, b, false) as usize,
            bit: self.bottom_rank(bottom) as usize,
        })
    }

    /// Calls `visit` with the place of every folded image of a board under all symmetries of
    /// the shape.
    pub fn closed_places(&self, board: Board, mut visit: impl FnMut(Place)) {
        self.places(board, &mut visit);
        if self.is_square() {
            self.places(board.transposed(), &mut visit);
        }
    }
}
