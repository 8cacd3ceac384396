//! Where every board of a game has its bit.
//!
//! # The fold
//! The states of a game are closed under the symmetries of the board, so a fraction of them
//! determines the rest. Kept here are the boards whose first row is not smaller than its
//! mirror image and whose first half has at least the weight of the last (of three rows: whose
//! first row has at least the weight of the last). Such a board is called *folded*.
//! Every board has a folded image, and no tie is broken: a board with several folded images
//! has a bit for each. On squares the mirror in the diagonal is left alone, because without
//! it rows stay rows: a pass can then move whole rows of the table at once.
//!
//! # The table
//! Boards with more columns than rows are turned first. The upper rows (two of four, one
//! of three or fewer) are the *top*, the rest the *bottom*. In a layer, the boards with a
//! given weight of the top form a block; in a block, each top has a row of bits, one bit for
//! each bottom with the remaining weight, rounded up to whole words. Of three rows, bottoms
//! are ordered by the weight of their last row, so those that a folded board can have come
//! first.
//!
//! # Walls
//! A wall is an exponent of its own that slides and never merges. It weighs more than all tiles of
//! a half, so that a group of halves has equally many walls. A formation that has not all
//! symmetries of its shape is not folded; its rows are paired so that the halves are even, and
//! each row of the board lists only what can stand there. [`Cut`] says more.

mod place;

use std::sync::Arc;

use tilebase_game::{Board, Rules, Shape, Spawn, Variant};

pub use place::Place;

use crate::allowed::AllowedSlides;
use crate::cut::Cut;
use crate::error::IndexError;
use crate::half::Halves;
use crate::layer::Block;
use crate::row::{RowInfo, Rows};
use crate::tables::{Bottoms, Masks, Tops};

/// All tables of a game. They take time and memory: build them once for a run.
pub struct Space {
    /// How boards are turned, cut and weighed.
    pub cut: Cut,
    /// The rules on the boards as they are kept.
    pub rules: Rules,
    /// The game's shape; boards may be turned inside.
    pub shape: Shape,
    /// The largest exponent of a state.
    pub largest: u8,
    /// How new tiles fall.
    pub spawn: Spawn,
    /// Rows of the top.
    pub top_rows: usize,
    /// Rows of the bottom.
    pub bottom_rows: usize,
    /// Where the row of each role begins in a board's bits, and the bits of a row, none if there
    /// is no such row.
    roles: [(u32, u16); 4],
    /// Whether the top is the upper rows and the bottom the lower ones.
    natural: bool,
    /// The rows of each role and their ranks; all the same in folded games.
    pub rows: [Arc<Rows>; 4],
    /// All tops, with the tops that slide to each.
    pub tops: Tops,
    /// All bottoms, with what slides and spawns make of each.
    pub bottoms: Bottoms,
    /// The masks that afterstates must keep, if the rows of halves do not ensure it.
    pub masks: Option<Masks>,
    /// Which slides to the left and right are allowed, in games without symmetry.
    pub allowed: Option<AllowedSlides>,
}

impl Space {
    /// The tables of a game.
    pub fn new(variant: &Variant) -> Result<Space, IndexError> {
        let cut = Cut::new(variant)?;
        let first = Arc::new(cut.rows(0)?);
        let rows = if cut.folded {
            [first.clone(), first.clone(), first.clone(), first]
        } else {
            let [b, c, d] = [cut.rows(1)?, cut.rows(2)?, cut.rows(3)?].map(Arc::new);
            [first, b, c, d]
        };
        let tops = Halves::tops(&rows[0], &rows[1], cut.top_rows, |weight| {
            cut.admits_half(weight, true)
        });
        let bottoms = Halves::bottoms(&rows[2], &rows[3], cut.bottom_rows, |weight| {
            cut.admits_half(weight, false)
        });
        let mut space = Space {
            rules: cut.rules,
            shape: variant.shape(),
            largest: cut.largest,
            spawn: variant.spawn(),
            top_rows: cut.top_rows,
            bottom_rows: cut.bottom_rows,
            roles: cut.order.map(|row| match row {
                None => (0, 0),
                Some(row) => (48 - 16 * u32::from(row), u16::MAX),
            }),
            natural: cut.order.iter().flatten().is_sorted(),
            rows,
            tops: Tops {
                halves: tops,
                sources: Vec::new(),
                first_source: Vec::new(),
            },
            bottoms: Bottoms::empty(bottoms, cut.largest),
            masks: None,
            allowed: None,
            cut,
        };
        space.list_sources();
        space.fill_bottoms();
        space.masks = Masks::new(&space);
        if !space.cut.folded && space.rules.has_no_symmetry() {
            space.allowed = Some(AllowedSlides::new(&space));
        }
        Ok(space)
    }

    /// Whether the boards are closed under the mirror in the diagonal.
    #[inline]
    pub fn is_closed_across(&self) -> bool {
        self.cut.is_closed_across()
    }

    /// The board with this top and this bottom.
    #[inline]
    pub fn board(&self, top: u32, bottom: u32) -> Board {
        if self.natural {
            return Board::from_bits(
                u64::from(top) << 32 | u64::from(bottom) << (32 - 16 * self.top_rows),
            );
        }
        let rows = [top >> 16, top & 0xffff, bottom >> 16, bottom & 0xffff];
        let placed = rows.iter().zip(&self.roles);
        Board::from_bits(placed.fold(0, |bits, (&row, role)| bits | u64::from(row) << role.0))
    }

    /// Whether the board after an allowed slide is an afterstate: it is not won.
    #[inline]
    pub fn is_afterstate(&self, board: Board) -> bool {
        match self.cut.walls {
            0 => !board.reaches(self.largest + 1),
            _ => !self.cut.variant.is_won(board),
        }
    }

    /// Where the row of each role begins in a board's bits, and the bits of a row, none if there
    /// is no such row.
    pub fn roles(&self) -> [(u32, u16); 4] {
        self.roles
    }

    /// Whether the top is the upper rows and the bottom the lower ones.
    #[cfg(not(target_family = "wasm"))]
    pub fn is_natural(&self) -> bool {
        self.natural
    }

    /// The top and the bottom of a board.
    pub fn halves_of(&self, board: Board) -> (u32, u32) {
        let [a, b, c, d] = self
            .roles
            .map(|(shift, bits)| u32::from((board.bits() >> shift) as u16 & bits));
        (a << 16 | b, c << 16 | d)
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

    /// A board of the game, turned as it is kept.
    #[inline]
    pub fn upright(&self, board: Board) -> Board {
        self.cut.keep(board)
    }

    /// A kept board, turned back.
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
        let (c, d) = self.bottom_infos(half);
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

    /// How many bottoms of a weight a folded board with a top of a weight can have, and how many
    /// of them are lighter than the top: the others tie with it. If boards are not folded, all
    /// bottoms, none of which counts as lighter.
    pub fn bottoms_under(&self, top_units: usize, bottom_units: usize) -> (usize, usize) {
        let bottoms = &self.bottoms.halves;
        let all = bottoms.group(bottom_units).len();
        if !self.cut.folded {
            return (all, 0);
        }
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

    /// The rows of a top.
    #[inline]
    pub fn top_infos(&self, half: u32) -> (RowInfo, RowInfo) {
        (
            self.rows[0].info((half >> 16) as u16),
            self.rows[1].info(half as u16),
        )
    }

    /// The rows of a bottom.
    #[inline]
    pub fn bottom_infos(&self, half: u32) -> (RowInfo, RowInfo) {
        (
            self.rows[2].info((half >> 16) as u16),
            self.rows[3].info(half as u16),
        )
    }

    /// Whether the first row of a top is its own mirror image, so that boards with it have two
    /// folded images; if boards are not folded, all are of that kind.
    #[inline]
    pub fn counts_once(&self, top: u32) -> bool {
        !self.cut.folded || self.top_infos(top).0.is_palindrome()
    }
}
