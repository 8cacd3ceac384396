//! The places of a board and its images.

use std::hint::select_unpredictable;

use tilebase_game::Board;

use super::Space;
use crate::row::RowInfo;

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

/// Finding places.
impl Space {
    /// Calls `visit` with the place of every folded image of a board under mirrors and
    /// flips.
    #[inline]
    pub fn places(&self, board: Board, mut visit: impl FnMut(Place)) {
        if !self.cut.folded {
            self.own_place(board).into_iter().for_each(visit);
            return;
        }
        let info = |row: u8| self.rows[0].info(board.row(row));
        let (a, empty) = (info(0), self.rows[0].info(0));
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
    /// largest reading. Unless two sides tie, the rows' sums and orders decide which it is,
    /// and it need not be built.
    #[inline]
    pub fn canonical_place(&self, board: Board) -> Option<Place> {
        if !self.cut.folded {
            return self.own_place(self.rules.canonical(board));
        }
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
        let empty = self.rows[0].info(0);
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
        let first = self.rows[0].info(board.row(0));
        (across < top && bottom < top && !first.is_palindrome()).then_some(true)
    }

    #[inline]
    fn rows_of(&self, board: Board) -> [RowInfo; 4] {
        [0, 1, 2, 3].map(|row| self.rows[0].info(board.row(row)))
    }

    /// Sums of the halves: upper, lower, and of squares left and right. A row or column in
    /// the middle is in both of its halves.
    #[inline]
    fn side_sums(&self, board: Board) -> [u32; 4] {
        let rows = [0, 1, 2, 3].map(|row| self.rows[0].sides(board.row(row)));
        let [a, b, c, d] = [0, 1, 2, 3].map(|row| self.rows[0].info(board.row(row)).units() as u32);
        let [top, bottom] = match self.top_rows + self.bottom_rows {
            4 => [a + b, c + d],
            3 => [a + b, b + c],
            2 => [a, b],
            _ => [a, a],
        };
        if !self.is_closed_across() {
            return [top, bottom, 0, 0];
        }
        let sides: u64 = rows.iter().sum();
        [top, bottom, (sides >> 32) as u32, sides as u32]
    }

    /// The place of a board that is folded itself.
    #[inline(always)]
    pub fn own_place(&self, board: Board) -> Option<Place> {
        let info = |role: usize| {
            let (shift, bits) = self.roles[role];
            self.rows[role].info((board.bits() >> shift) as u16 & bits)
        };
        let [a, b, c, d] = [info(0), info(1), info(2), info(3)];
        let (lead, other) = if self.bottom_rows == 2 {
            (d, c)
        } else {
            (c, d)
        };
        // Rows that are not listed have no board.
        let listed = a.count().min(b.count()).min(c.count().min(d.count())) > 0;
        (listed && !a.is_less()).then(|| Place {
            top_units: a.units() + b.units(),
            row: self.top_rank(a, b, false) as usize,
            bit: self.bottoms.halves.rank(
                c.units() + d.units(),
                lead,
                lead.rank(false),
                other,
                other.rank(false),
            ) as usize,
        })
    }

    /// Calls `visit` with the place of every folded image of a board under all symmetries of
    /// the shape.
    #[inline]
    pub fn closed_places(&self, board: Board, mut visit: impl FnMut(Place)) {
        if !self.cut.folded {
            for image in self.rules.images(board) {
                self.places(image, &mut visit);
            }
            return;
        }
        self.places(board, &mut visit);
        if self.is_closed_across() {
            self.places(board.transposed(), &mut visit);
        }
    }
}
