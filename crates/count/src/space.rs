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

use tilebase_game::{Board, Move, Rules, Shape, Spawn, TooLarge};

use crate::half::Halves;
use crate::layer::Block;
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
    Turn {
        slide: Move::Left,
        mirrored: false,
    },
    Turn {
        slide: Move::Left,
        mirrored: true,
    },
    Turn {
        slide: Move::Right,
        mirrored: false,
    },
    Turn {
        slide: Move::Right,
        mirrored: true,
    },
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
pub(crate) struct Space {
    /// The rules on the shape that stands upright.
    pub rules: Rules,
    /// The shape as asked for; wide ones are turned inside.
    pub shape: Shape,
    /// The largest exponent of a state.
    pub largest: u8,
    pub spawn: Spawn,
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

    fn bottom_rank(&self, half: u32) -> u32 {
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

    /// A half with each of its rows changed; `None` if one cannot be.
    fn each_row(half: u32, change: impl Fn(u16) -> Option<u16>) -> Option<u32> {
        let (a, b) = (change((half >> 16) as u16)?, change(half as u16)?);
        Some(u32::from(a) << 16 | u32::from(b))
    }

    fn turn(&self, half: u32, turn: Turn) -> Option<u32> {
        let slid = Space::each_row(half, |row| self.rows.slid(row, turn.slide))?;
        if turn.mirrored {
            self.mirrored(slid)
        } else {
            Some(slid)
        }
    }

    fn mirrored(&self, half: u32) -> Option<u32> {
        Space::each_row(half, |row| Some(self.rows.mirrored(row)))
    }

    /// Calls `visit` with the place of every folded image of a board under mirrors and
    /// flips.
    #[inline]
    pub fn places(&self, board: Board, mut visit: impl FnMut(Place)) {
        let info: [RowInfo; 4] = std::array::from_fn(|r| self.rows.info(board.row(r as u8)));
        let [a, b, c, d] = info;
        let empty = self.rows.info(0);
        match (self.top_rows, self.bottom_rows) {
            (2, _) => {
                let (upper, lower) = (a.units() + b.units(), c.units() + d.units());
                if upper >= lower {
                    self.mirrors([a, b, c, d], &mut visit);
                }
                if lower >= upper {
                    self.mirrors([d, c, b, a], &mut visit);
                }
            }
            (_, 2) => {
                if a.units() >= c.units() {
                    self.mirrors([a, empty, b, c], &mut visit);
                }
                if c.units() >= a.units() {
                    self.mirrors([c, empty, b, a], &mut visit);
                }
            }
            (_, 1) => {
                if a.units() >= b.units() {
                    self.mirrors([a, empty, b, empty], &mut visit);
                }
                if b.units() >= a.units() {
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
        let mut tables =
            Bottoms::empty(Halves::bottoms(&self.rows, self.bottom_rows), self.largest);
        let cells: Vec<u32> = (0..self.bottom_rows as u32)
            .flat_map(|r| {
                (0..u32::from(self.rules.shape().cols())).map(move |c| 28 - 16 * r - 4 * c)
            })
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
        let width = 4 * u32::from(self.rules.shape().cols());
        let row_is_stuck = |row: u32| {
            let cells = |skip: u32| {
                (skip..width)
                    .step_by(4)
                    .map(move |at| row >> (12 - at) & 15)
            };
            cells(0).all(|e| e > 0) && cells(0).zip(cells(4)).all(|(a, b)| a != b)
        };
        let (a, b) = (half >> 16, half & 0xffff);
        let apart = |shift: u32| (a ^ b) >> shift & 15 != 0;
        match rows {
            0 => true,
            1 => row_is_stuck(a),
            _ => {
                let mut columns = (0..width).step_by(4);
                row_is_stuck(a) && row_is_stuck(b) && columns.all(|at| apart(12 - at))
            }
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
