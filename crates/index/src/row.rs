//! Single rows: their weights, and their place among the rows of the same weight.

use tilebase_game::{Board, Move, Rules, Shape, Symmetry, TooLarge};

/// What ranking needs to know of a row, in one word.
///
/// A row's rank is its place among all rows of the same weight: the sum of its tiles in units
/// of 2, the smallest tile, and what its walls weigh, see [`Cut`](crate::Cut).
#[derive(Clone, Copy)]
pub struct RowInfo(u64);

impl RowInfo {
    const UNITS: u32 = 0;
    const RANK: u32 = 18;
    const MIRROR_RANK: u32 = 26;
    const FOLDED_RANK: u32 = 34;
    const COUNT: u32 = 42;
    const LESS: u32 = 50;
    const PALINDROME: u32 = 51;
    const NUMBER: u32 = 52;
    /// The largest weight.
    const MOST: usize = (1 << Self::RANK) - 1;

    #[inline]
    fn byte(self, at: u32) -> u32 {
        (self.0 >> at & 0xff) as u32
    }

    /// The weight.
    #[inline]
    pub fn units(self) -> usize {
        self.0 as usize & Self::MOST
    }

    /// The number of the weight among all weights that rows have, in order.
    #[inline]
    pub fn number(self) -> usize {
        (self.0 >> Self::NUMBER) as usize
    }

    /// Rank among the rows of the same weight.
    #[inline]
    pub fn rank(self, mirrored: bool) -> u32 {
        // A shift that depends on data instead of a branch that does.
        self.byte(Self::RANK + u32::from(mirrored) * (Self::MIRROR_RANK - Self::RANK))
    }

    /// Rank of the larger of the row and its mirror image, among such rows alone.
    #[inline]
    pub fn folded_rank(self) -> u32 {
        self.byte(Self::FOLDED_RANK)
    }

    /// Number of rows with the same weight; 0 for a row that is not listed.
    #[inline]
    pub fn count(self) -> u32 {
        self.byte(Self::COUNT)
    }

    /// Whether the row reads smaller than its mirror image.
    #[inline]
    pub fn is_less(self) -> bool {
        self.0 >> Self::LESS & 1 == 1
    }

    /// Whether the row is its own mirror image.
    #[inline]
    pub fn is_palindrome(self) -> bool {
        self.0 >> Self::PALINDROME & 1 == 1
    }
}

/// The rows of some columns that boards of a game have.
pub struct Rows {
    /// Bits of a row below its last cell: tables leave them out, to be small and close
    /// together.
    gap: u32,
    info: Vec<RowInfo>,
    /// Weights of the first and the last half of the cells, in the upper and the lower half.
    sides: Vec<u64>,
    by_units: Vec<Vec<u16>>,
    /// The weights that rows have.
    weights: Vec<usize>,
    mirrored: Vec<u16>,
    /// Rows after a slide left, right, and whether they are listed.
    slid: [Vec<(u16, bool)>; 2],
}

impl Rows {
    /// The rows of `cols` columns (at most 4) that `admit` accepts, with their weights. Unless
    /// boards are `folded`, no row counts as smaller than its mirror image.
    pub fn new(
        cols: u8,
        admit: impl Fn(u16) -> bool,
        weight: impl Fn(u16) -> usize,
        folded: bool,
    ) -> Result<Rows, TooLarge> {
        let rules = Rules::new(Shape::new(1, cols).unwrap_or(Shape::SINGLE))?;
        let frame = 1usize << 16;
        let mut rows = Rows {
            gap: 16 - 4 * u32::from(cols),
            info: vec![RowInfo(0); frame >> (16 - 4 * u32::from(cols))],
            sides: vec![0; frame >> (16 - 4 * u32::from(cols))],
            by_units: Vec::new(),
            weights: Vec::new(),
            mirrored: vec![0; frame],
            slid: [vec![(0, false); frame], vec![(0, false); frame]],
        };
        let outside = (1u16 << (4 * (4 - u32::from(cols)))).wrapping_sub(1);
        let outside = if cols == 4 { 0 } else { outside };
        for row in (0..=u16::MAX).filter(|&row| row & outside == 0 && admit(row)) {
            let board = Board::from_bits(u64::from(row) << 48);
            let units = weight(row);
            debug_assert!(units <= RowInfo::MOST);
            if rows.by_units.len() <= units {
                rows.by_units.resize(units + 1, Vec::new());
            }
            rows.by_units[units].push(row);
            let cell = |col: u8| weight(row & 0xf000 >> (4 * col));
            rows.sides[usize::from(row) >> rows.gap] = sides(cell, cols);
            rows.mirrored[usize::from(row)] = rules.image(board, Symmetry::Mirror).row(0);
            for (slid, m) in rows.slid.iter_mut().zip([Move::Left, Move::Right]) {
                let after = rules.slide(board, m).row(0);
                slid[usize::from(row)] = (after, admit(after));
            }
        }
        let listed = |units: &usize| !rows.by_units[*units].is_empty();
        rows.weights = (0..rows.by_units.len()).filter(listed).collect();
        debug_assert!(rows.weights.len() < 1 << 12);
        for number in 0..rows.weights.len() {
            rows.rank_group(number, folded);
        }
        Ok(rows)
    }

    /// Ranks the rows of a weight. Rows are listed in order, so that ranks compare like rows.
    fn rank_group(&mut self, number: usize, fold: bool) {
        let units = self.weights[number];
        let group = &self.by_units[units];
        let mirror = |row: u16| {
            if fold {
                self.mirrored[usize::from(row)]
            } else {
                row
            }
        };
        let mut folded = 0u64;
        let mut folded_rank = vec![0u64; group.len()];
        for (rank, &row) in folded_rank.iter_mut().zip(group) {
            if row >= mirror(row) {
                *rank = folded;
                folded += 1;
            }
        }
        for (rank, &row) in group.iter().enumerate() {
            let mirror = mirror(row);
            let mirror_rank = group.partition_point(|&other| other < mirror);
            self.info[usize::from(row) >> self.gap] = RowInfo(
                (units as u64) << RowInfo::UNITS
                    | (rank as u64) << RowInfo::RANK
                    | (mirror_rank as u64) << RowInfo::MIRROR_RANK
                    | folded_rank[rank.max(mirror_rank)] << RowInfo::FOLDED_RANK
                    | (group.len() as u64) << RowInfo::COUNT
                    | u64::from(row < mirror) << RowInfo::LESS
                    | u64::from(fold && row == mirror) << RowInfo::PALINDROME
                    | (number as u64) << RowInfo::NUMBER,
            );
        }
    }

    /// What ranking needs to know of a row.
    #[inline]
    pub fn info(&self, row: u16) -> RowInfo {
        self.info[usize::from(row) >> self.gap]
    }

    /// What ranking needs to know of all rows, each at its number without the gap.
    #[cfg(not(target_family = "wasm"))]
    pub fn infos(&self) -> Vec<u64> {
        self.info.iter().map(|info| info.0).collect()
    }

    /// Bits of a row below its last cell.
    #[cfg(not(target_family = "wasm"))]
    pub fn gap(&self) -> u32 {
        self.gap
    }

    /// Weights of the first and the last half of a row's cells, in the upper and
    /// the lower 32 bits. A cell in the middle is in both.
    #[inline]
    pub fn sides(&self, row: u16) -> u64 {
        self.sides[usize::from(row) >> self.gap]
    }

    /// The same of all rows, each at its number without the gap.
    #[cfg(not(target_family = "wasm"))]
    pub fn all_sides(&self) -> &[u64] {
        &self.sides
    }

    /// The rows with a weight, in order.
    pub fn with_units(&self, units: usize) -> &[u16] {
        self.by_units.get(units).map_or(&[], Vec::as_slice)
    }

    /// The weights that rows have, in order.
    pub fn weights(&self) -> &[usize] {
        &self.weights
    }

    /// The largest weight.
    pub fn max_units(&self) -> usize {
        self.by_units.len().saturating_sub(1)
    }

    /// The row read backwards.
    pub fn mirrored(&self, row: u16) -> u16 {
        self.mirrored[usize::from(row)]
    }

    /// The row after a slide to the left or right, if it is listed: no tile grows too large, and
    /// no wall leaves its place.
    pub fn slid(&self, row: u16, m: Move) -> Option<u16> {
        let (after, listed) = self.slid[usize::from(m == Move::Right)][usize::from(row)];
        listed.then_some(after)
    }
}

/// Weights of the first and the last half of a row's cells, given the weight of each.
fn sides(cell: impl Fn(u8) -> usize, cols: u8) -> u64 {
    let half = cols.div_ceil(2);
    let first: usize = (0..half).map(&cell).sum();
    let last: usize = (cols - half..cols).map(&cell).sum();
    (first as u64) << 32 | last as u64
}
