//! One board to stand for its whole symmetry class.
//!
//! # The choice
//! Of all images of a board, the canonical one has the **largest sum in its first half**,
//! and among those it **reads largest**. The first half of a board with at least as many
//! rows as columns is its upper rows (of an odd number, the middle row too) and it reads
//! row by row from the top; a board with more columns than rows is treated as its
//! transposed: the first half is its left columns and it reads column by column.
//!
//! Why not simply the smallest number? Because sets of boards are stored by rank: a layer
//! of boards with sum s falls into blocks by the first half's sum t, and in each block a
//! board's rank is (rank of the first half) × (number of second halves) + (rank of the
//! second half). With this choice t ≥ s − t, so half of the blocks are empty, and the
//! first half is never smaller than its mirror image, so half of the first halves are
//! missing: three quarters of the room is not needed, without any cost in the ranking.
//! Published lists use the smallest number, which [`Rules::smallest`] gives.
//!
//! A game whose formation leaves fewer symmetries has no such sums to compare: of the images
//! that are left, the canonical one reads largest.

use std::hint::select_unpredictable;

use crate::board::Board;
use crate::grid::Grid;
use crate::moves::MoveSet;
use crate::rules::Rules;
use crate::symmetry::{Symmetry, flipped, mirrored};

/// Which board stands for a symmetry class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Representative {
    /// Every board for itself: no reduction.
    Itself,
    /// The canonical image, see [`Rules::canonical`].
    #[default]
    Canonical,
    /// The image with the smallest number, see [`Rules::smallest`].
    Smallest,
}

/// Classes of boards.
impl Rules {
    /// The canonical board of the class: largest sum in the first half, then largest reading.
    ///
    /// ```
    /// use tilebase_game::{Board, Rules, Shape};
    ///
    /// let shape: Shape = "2x2".parse().unwrap();
    /// let rules = Rules::new(shape).unwrap();
    /// let board = Board::parse(".,2/8,4", shape).unwrap();
    /// assert_eq!(rules.canonical(board).hex(shape), "0x3201");
    /// assert_eq!(rules.smallest(board).hex(shape), "0x0132");
    /// ```
    #[inline]
    pub fn canonical(&self, board: Board) -> Board {
        let shape = self.shape();
        if !self.is_symmetric() {
            return match self.has_no_symmetry() {
                true => board,
                false => self.largest_image(board),
            };
        }
        match (shape.rows(), shape.cols()) {
            // The gaps as constants save a tenth where most of the work is done.
            (4, 4) => upright(board, Some(board.transposed()), quarters(board), 0, 0),
            (rows, cols) if rows == cols => {
                let turned = board.transposed();
                let [top, bottom] = halves(board, rows);
                let [left, right] = halves(turned, rows);
                let sums = [top, bottom, left, right];
                let gap = self.right_gap();
                upright(board, Some(turned), sums, gap, gap)
            }
            (rows, cols) if rows > cols => {
                let [top, bottom] = halves(board, rows);
                let sums = [top, bottom, 0, 0];
                upright(board, None, sums, self.right_gap(), self.lower_gap())
            }
            (_, cols) => {
                let turned = board.transposed();
                let [left, right] = halves(turned, cols);
                let sums = [left, right, 0, 0];
                upright(turned, None, sums, self.lower_gap(), self.right_gap()).transposed()
            }
        }
    }

    /// The image that reads largest.
    fn largest_image(&self, board: Board) -> Board {
        self.images(board).fold(board, Board::max)
    }

    /// The canonical board together with a symmetry that leads to it from `board`.
    pub fn canonical_with(&self, board: Board) -> (Board, Symmetry) {
        let canonical = self.canonical(board);
        let symmetry = self
            .symmetries()
            .find(|&symmetry| self.image(board, symmetry) == canonical)
            .unwrap_or(Symmetry::Identity);
        (canonical, symmetry)
    }

    /// The image whose hex digits form the smallest number, as published lists use it.
    pub fn smallest(&self, board: Board) -> Board {
        self.images(board).fold(board, Board::min)
    }

    /// The board that stands for the class of `board`.
    pub fn representative(&self, board: Board, of: Representative) -> Board {
        match of {
            Representative::Itself => board,
            Representative::Canonical => self.canonical(board),
            Representative::Smallest => self.smallest(board),
        }
    }

    /// The distinct afterstates of a state, each with the moves that lead to it.
    ///
    /// With a reduction, moves whose afterstates are images of each other are one entry:
    /// these are the equivalent actions of the state.
    ///
    /// ```
    /// use tilebase_game::{Board, Representative, Rules, Shape};
    ///
    /// let shape: Shape = "2x2".parse().unwrap();
    /// let rules = Rules::new(shape).unwrap();
    /// let board = Board::parse(".,2/2,.", shape).unwrap();
    /// let after = rules.afterstates(board, Representative::Canonical);
    /// assert_eq!(after.len(), 1);
    /// assert_eq!(after[0].moves.to_string(), "LRUD");
    /// assert_eq!(rules.afterstates(board, Representative::Itself).len(), 4);
    /// ```
    pub fn afterstates(&self, board: Board, of: Representative) -> Afterstates {
        let mut found = Afterstates::default();
        for (m, after) in crate::Move::ALL.into_iter().zip(self.slides(board)) {
            if after == board {
                continue;
            }
            let after = self.representative(after, of);
            let known = found.items[..found.len]
                .iter()
                .position(|item| item.board == after);
            let at = known.unwrap_or_else(|| {
                found.items[found.len].board = after;
                found.len += 1;
                found.len - 1
            });
            found.items[at].moves.insert(m);
        }
        found
    }
}

/// The sums of the upper, lower, left and right half of the 4×4 frame.
#[inline]
fn quarters(board: Board) -> [u32; 4] {
    let pair = board.pair_sums();
    let (top_left, top_right) = (pair[0] + pair[2], pair[1] + pair[3]);
    let (low_left, low_right) = (pair[4] + pair[6], pair[5] + pair[7]);
    [
        top_left + top_right,
        low_left + low_right,
        top_left + low_left,
        top_right + low_right,
    ]
}

/// The sums of the first and the last half of some rows; a middle row counts to both.
#[inline]
fn halves(board: Board, rows: u8) -> [u32; 2] {
    let pair = board.pair_sums();
    let row = |r: usize| pair[2 * r] + pair[2 * r + 1];
    match rows {
        1 => [row(0), row(0)],
        2 => [row(0), row(1)],
        3 => [row(0) + row(1), row(1) + row(2)],
        _ => [row(0) + row(1), row(2) + row(3)],
    }
}

/// The canonical image of a board with at least as many rows as columns: which side comes
/// first is decided by the sums of the halves (upper, lower, left, right), which of two
/// mirror images by reading.
///
/// No processor could predict the winning side, so it is chosen without a branch; only
/// the few boards with two sides of the same largest sum take the long way.
#[inline(always)]
fn upright(
    board: Board,
    turned: Option<Board>,
    [top, bottom, left, right]: [u32; 4],
    right_gap: u32,
    lower_gap: u32,
) -> Board {
    let reading = |side: Board| side.max(mirrored(side, right_gap));
    let flip = |side: Board| flipped(side, lower_gap);
    let Some(turned) = turned else {
        if top == bottom {
            return reading(board).max(reading(flip(board)));
        }
        return reading(select_unpredictable(bottom > top, flip(board), board));
    };
    let upright = top.max(bottom);
    let across = left.max(right);
    let largest = upright.max(across);
    let sides = [top, bottom, left, right].map(|sum| u8::from(sum == largest));
    if sides.iter().sum::<u8>() > 1 {
        return [board, flip(board), turned, flip(turned)]
            .into_iter()
            .zip(sides)
            .filter(|&(_, largest)| largest == 1)
            .fold(Board::EMPTY, |best, (side, _)| best.max(reading(side)));
    }
    let side = select_unpredictable(across > upright, turned, board);
    let last = (bottom == largest) | (right == largest);
    reading(select_unpredictable(last, flip(side), side))
}

/// A board after a slide, and the moves that lead to it or to an image of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Afterstate {
    /// The representative of the afterstate.
    pub board: Board,
    /// The moves that lead to it.
    pub moves: MoveSet,
}

/// The at most four distinct afterstates of a state; a slice in all but name.
#[derive(Clone, Copy, Debug, Default)]
pub struct Afterstates {
    items: [Afterstate; 4],
    len: usize,
}

impl std::ops::Deref for Afterstates {
    type Target = [Afterstate];

    fn deref(&self) -> &[Afterstate] {
        &self.items[..self.len]
    }
}

impl Grid {
    /// The canonical grid of the class, by the same choice as [`Rules::canonical`].
    #[must_use]
    pub fn canonical(&self) -> Grid {
        self.best_image(|image| {
            let shape = image.shape();
            let upright = if shape.rows() >= shape.cols() {
                image
            } else {
                image.image(Symmetry::Transpose)
            };
            let half = usize::from(upright.shape().rows().div_ceil(2));
            let sum: u128 = upright.rows().take(half).map(Grid::line_sum).sum();
            std::cmp::Reverse((sum, upright))
        })
    }

    /// The image that reads smallest row by row.
    #[must_use]
    pub fn smallest(&self) -> Grid {
        self.best_image(|image| image)
    }

    fn best_image<K: Ord>(&self, key: impl Fn(Grid) -> K) -> Grid {
        Symmetry::of(self.shape())
            .iter()
            .map(|&symmetry| self.image(symmetry))
            .min_by_key(|image| key(image.clone()))
            .unwrap_or_else(|| self.clone())
    }
}
