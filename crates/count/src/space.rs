//! Where every board of a game has its bit.
//!
//! # The fold
//! The states of a game are closed under the symmetries of the board, so a part of them
//! tells the whole. The part kept here is the boards whose first row is not smaller than
//! its mirror image and, where the number of rows is even, whose upper half has at least
//! the sum of the lower. Such a board is called *folded*. Every board has a folded image,
//! and no tie is broken: a board with several folded images has a bit for each. On squares
//! the mirror in the diagonal is left alone, because without it rows stay rows: whole rows
//! of the table can then be moved at once (see the `slide` and `spawn` modules).
//!
//! # The table
//! Boards with more columns than rows are turned first. The upper rows (two of four, one
//! of three or fewer) are the *top*, the rest the *bottom*. In a layer, the boards with a
//! given sum of the top form a block; in a block, each top has a row of bits, one bit for
//! each bottom with the remaining sum, rounded up to whole words.

use tilebase_game::{Board, Move, Rules, Shape, Spawn, Symmetry, TooLarge};

use crate::half::Halves;
use crate::row::{RowInfo, Rows};

/// No half: the slide makes a target tile.
pub(crate) const NONE: u32 = u32::MAX;

/// How a board with a slid top finds its folded row.
#[derive(Clone, Copy)]
pub(crate) struct Turn {
    pub slide: Move,
    pub mirrored: bool,
}

/// Slides to the left and right, each with and without a mirror after it.
pub(crate) const TURNS: [Turn; 4] = [
    Turn { slide: Move::Left, mirrored: false },
    Turn { slide: Move::Left, mirrored: true },
    Turn { slide: Move::Right, mirrored: false },
    Turn { slide: Move::Right, mirrored: true },
];

/// The bit of a board in its layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Sum of the top, in units of 2.
    pub top_units: usize,
    /// Rank of the top.
    pub row: usize,
    /// Rank of the bottom.
    pub bit: usize,
}

/// What is known of each top.
pub(crate) struct Tops {
    pub halves: Halves,
    /// For each top and turn, the tops that slide to it: rank × 2, plus 1 where the top
    /// itself is not changed by the slide.
    pub sources: Vec<u32>,
    /// Where the sources of top i and turn j begin: at 4i + j.
    pub first_source: Vec<u32>,
}

/// What is known of each bottom. Lists run parallel to the list of halves; bit sets are by
/// group, each in whole words.
pub(crate) struct Bottoms {
    pub halves: Halves,
    /// Where the bit sets of a group begin.
    pub first_word: Vec<usize>,
    /// Rank of the mirror image.
    pub mirror: Vec<u32>,
    /// Rank after each turn, or [`NONE`].
    pub turned: [Vec<u32>; 4],
    /// Bottoms that a slide left, a slide right does not change.
    pub unmoved: [Vec<u64>; 2],
    /// Full bottoms without a pair of equal neighbours.
    pub stuck: Vec<u64>,
    /// Bottoms whose largest exponent is at most the index.
    pub up_to: Vec<Vec<u64>>,
    /// Ranks of the bottoms with one more tile of exponent 1, 2; see `first_drop`.
    pub drops: [Vec<u32>; 2],
    /// Where the drops of a bottom begin.
    pub first_drop: [Vec<u32>; 2],
}

/// All tables of a shape and its tiles.
#[allow(missing_docs)]
pub struct Space {
    /// The rules on the shape that stands upright.
    pub rules: Rules,
    /// The shape as asked for; wide ones are turned inside.
    pub shape: Shape,
    /// The largest exponent of a state.
    pub largest: u8,
    pub spawn: Spawn,
    /// Whether the upper half must have at least the lower's sum.
    pub folded: bool,
    top_rows: usize,
    bottom_rows: usize,
    pub rows: Rows,
    pub tops: Tops,
    pub bottoms: Bottoms,
}

/// How many rows the top and the bottom of a shape with so many rows have.
pub(crate) fn cut(rows: u8) -> (usize, usize) {
    let top = if rows == 4 { 2 } else { 1 };
    (top, usize::from(rows) - top)
}

/// The shape turned so that it has at least as many rows as columns.
pub(crate) fn upright(shape: Shape) -> Shape {
    if shape.rows() >= shape.cols() { shape } else { shape.transposed() }
}

impl Space {
    /// The tables for states with tiles up to an exponent below 15.
    pub fn new(shape: Shape, largest: u8, spawn: Spawn) -> Result<Space, TooLarge> {
        let tall = upright(shape);
        let rules = Rules::new(tall)?;
        let rows = Rows::new(tall.cols(), largest)?;
        let (top_rows, bottom_rows) = cut(tall.rows());
        let tops = Halves::new(&rows, top_rows, true);
        let bottoms = Halves::new(&rows, bottom_rows, false);
        let mut space = Space {
            rules,
            shape,
            largest,
            spawn,
            folded: tall.rows().is_multiple_of(2),
            top_rows,
            bottom_rows,
            rows,
            tops: Tops { halves: tops, sources: Vec::new(), first_source: Vec::new() },
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

    /// The board as the user knows it: turned back if the shape is wide.
    pub fn shown(&self, board: Board) -> Board {
        if self.shape.rows() >= self.shape.cols() { board } else { board.transposed() }
    }

    /// Rank of a top, which must be folded, in its group.
    pub fn top_rank(&self, a: RowInfo, b: RowInfo, mirrored: bool) -> u32 {
        let units = a.units() + b.units();
        self.tops.halves.rank(units, a, a.folded_rank(), b, b.rank(mirrored))
    }

    fn bottom_rank(&self, half: u32) -> u32 {
        let (a, b) = self.infos(half);
        self.bottoms.halves.rank(a.units() + b.units(), a, a.rank(false), b, b.rank(false))
    }

    /// The rows of a half.
    pub fn infos(&self, half: u32) -> (RowInfo, RowInfo) {
        (self.rows.info((half >> 16) as u16), self.rows.info(half as u16))
    }

    /// A half with each of its rows changed; `None` if one cannot be.
    fn each_row(half: u32, change: impl Fn(u16) -> Option<u16>) -> Option<u32> {
        let (a, b) = (change((half >> 16) as u16)?, change(half as u16)?);
        Some(u32::from(a) << 16 | u32::from(b))
    }

    fn turn(&self, half: u32, turn: Turn) -> Option<u32> {
        let slid = Space::each_row(half, |row| self.rows.slid(row, turn.slide))?;
        if turn.mirrored { self.mirrored(slid) } else { Some(slid) }
    }

    fn mirrored(&self, half: u32) -> Option<u32> {
        Space::each_row(half, |row| Some(self.rows.mirrored(row)))
    }

    /// Calls `visit` with the place of every folded image of a board under mirrors and
    /// flips.
    #[inline]
    pub fn places(&self, board: Board, mut visit: impl FnMut(Place)) {
        let info: [RowInfo; 4] = std::array::from_fn(|r| self.rows.info(board.row(r as u8)));
        let height = self.top_rows + self.bottom_rows;
        let empty = self.rows.info(0);
        for flipped in [false, true] {
            let row = |i: usize| {
                if i >= height {
                    empty
                } else {
                    info[if flipped { height - 1 - i } else { i }]
                }
            };
            let (a, b, c, d) = match (self.top_rows, self.bottom_rows) {
                (2, _) => (row(0), row(1), row(2), row(3)),
                _ => (row(0), empty, row(1), row(2)),
            };
            let top_units = a.units() + b.units();
            let bottom_units = c.units() + d.units();
            if self.folded && top_units < bottom_units {
                continue;
            }
            let mut visit = |mirrored: bool| {
                let bottoms = &self.bottoms.halves;
                visit(Place {
                    top_units,
                    row: self.top_rank(a, b, mirrored) as usize,
                    bit: bottoms.rank(bottom_units, c, c.rank(mirrored), d, d.rank(mirrored)) as usize,
                });
            };
            if !a.is_less() {
                visit(false);
            }
            if a.is_less() || a.is_palindrome() {
                visit(true);
            }
        }
    }

    /// Lists, for each top and turn, the tops that it comes from.
    fn list_sources(&mut self) {
        let halves = &self.tops.halves;
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for units in 0..=halves.max_units() {
            let group = halves.group(units);
            for (rank, &top) in halves.list()[group.clone()].iter().enumerate() {
                for (number, &turn) in TURNS.iter().enumerate() {
                    let Some(after) = self.turn(top, turn) else {
                        continue;
                    };
                    let (a, b) = self.infos(after);
                    if !a.is_less() {
                        let to = group.start as u32 + self.top_rank(a, b, false);
                        let slid = Space::each_row(top, |row| self.rows.slid(row, turn.slide));
                        let unmoved = u32::from(slid == Some(top));
                        pairs.push((4 * to + number as u32, 2 * rank as u32 + unmoved));
                    }
                }
            }
        }
        pairs.sort_unstable();
        let keys = 4 * halves.list().len() as u32;
        let mut at = 0;
        for key in 0..=keys {
            while at < pairs.len() && pairs[at].0 < key {
                at += 1;
            }
            self.tops.first_source.push(at as u32);
        }
        self.tops.sources = pairs.into_iter().map(|(_, source)| source).collect();
    }

    /// Fills the tables of bottoms.
    fn fill_bottoms(&mut self) {
        let mut tables = Bottoms::empty(Halves::new(&self.rows, self.bottom_rows, false), self.largest);
        let cells: Vec<u32> = (0..self.bottom_rows as u32)
            .flat_map(|r| (0..u32::from(self.rules.shape().cols())).map(move |c| 28 - 16 * r - 4 * c))
            .collect();
        for units in 0..=tables.halves.max_units() {
            let group = tables.halves.group(units);
            tables.first_word.push(tables.stuck.len());
            let end = tables.stuck.len() + group.len().div_ceil(64);
            tables.stuck.resize(end, 0);
            tables.unmoved.iter_mut().for_each(|set| set.resize(end, 0));
            tables.up_to.iter_mut().for_each(|set| set.resize(end, 0));
            for (rank, at) in group.clone().enumerate() {
                let half = tables.halves.list()[at];
                let word = tables.first_word[units] + rank / 64;
                let bit = 1u64 << (rank % 64);
                let rank_of = |half: Option<u32>| half.map_or(NONE, |half| self.bottom_rank(half));
                tables.mirror.push(rank_of(self.mirrored(half)));
                for (number, &turn) in TURNS.iter().enumerate() {
                    tables.turned[number].push(rank_of(self.turn(half, turn)));
                }
                for (number, m) in [Move::Left, Move::Right].into_iter().enumerate() {
                    if Space::each_row(half, |row| self.rows.slid(row, m)) == Some(half) {
                        tables.unmoved[number][word] |= bit;
                    }
                }
                if self.is_stuck(half) {
                    tables.stuck[word] |= bit;
                }
                let largest = cells.iter().map(|&at| half >> at & 15).max().unwrap_or(0);
                for set in &mut tables.up_to[largest as usize..] {
                    set[word] |= bit;
                }
                for (number, drops) in tables.drops.iter_mut().enumerate() {
                    tables.first_drop[number].push(drops.len() as u32);
                    let exponent = number as u32 + 1;
                    if self.spawn.weight(exponent as u8) > 0 {
                        for &at in cells.iter().filter(|&&at| half >> at & 15 == 0) {
                            drops.push(self.bottom_rank(half | exponent << at));
                        }
                    }
                }
            }
        }
        for (first, drops) in tables.first_drop.iter_mut().zip(&tables.drops) {
            first.push(drops.len() as u32);
        }
        self.bottoms = tables;
    }

    /// Whether a bottom is full and has no two equal neighbours.
    fn is_stuck(&self, bottom: u32) -> bool {
        self.half_is_stuck(self.bottom_rows, bottom)
    }

    /// Whether a top is full and has no two equal neighbours.
    pub fn top_is_stuck(&self, top: u32) -> bool {
        self.half_is_stuck(self.top_rows, top)
    }

    fn half_is_stuck(&self, rows: usize, half: u32) -> bool {
        let shape = Shape::new(rows as u8, self.rules.shape().cols());
        shape.and_then(|shape| Rules::new(shape).ok()).is_none_or(|rules| {
            let board = Board::from_bits(u64::from(half) << 32);
            rules.is_lost(board) && rules.empty_cells(board) == 0
        })
    }

    /// Places of an upright board and, on squares, of its mirror image in the diagonal.
    pub fn all_places(&self, board: Board, mut visit: impl FnMut(Place)) {
        self.places(board, &mut visit);
        if self.is_square() {
            self.places(self.rules.image(board, Symmetry::Transpose), &mut visit);
        }
    }
}

impl Bottoms {
    fn empty(halves: Halves, largest: u8) -> Bottoms {
        Bottoms {
            halves,
            first_word: Vec::new(),
            mirror: Vec::new(),
            turned: Default::default(),
            unmoved: Default::default(),
            stuck: Vec::new(),
            up_to: vec![Vec::new(); usize::from(largest) + 1],
            drops: Default::default(),
            first_drop: Default::default(),
        }
    }

    /// Words that a set of the group's bottoms takes.
    #[inline]
    pub fn words(&self, units: usize) -> usize {
        self.halves.group(units).len().div_ceil(64)
    }

    /// A group's part of a bit set.
    #[inline]
    pub fn part<'a>(&self, set: &'a [u64], units: usize) -> &'a [u64] {
        let first = self.first_word[units];
        &set[first..first + self.words(units)]
    }
}
