//! Single rows: their sums, and their place among the rows of the same sum.

use tilebase_game::{Board, Move, Rules, Shape, Symmetry, TooLarge};

/// What ranking needs to know of a row, in one word.
///
/// A row's rank is its place among all rows of the same sum. Sums are counted in units of
/// 2, the smallest tile.
#[derive(Clone, Copy)]
pub struct RowInfo(u64);

impl RowInfo {
    const UNITS: u32 = 0;
    const RANK: u32 = 20;
    const MIRROR_RANK: u32 = 28;
    const FOLDED_RANK: u32 = 36;
    const COUNT: u32 = 44;
    const LESS: u32 = 52;
    const PALINDROME: u32 = 53;

    #[inline]
    fn byte(self, at: u32) -> u32 {
        (self.0 >> at & 0xff) as u32
    }

    /// Sum of the tiles, in units of 2.
    #[inline]
    pub fn units(self) -> usize {
        (self.0 >> Self::UNITS & 0xf_ffff) as usize
    }

    /// Rank among the rows of the same sum.
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

    /// Number of rows with the same sum.
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

/// All rows of some columns with tiles up to a largest exponent.
pub struct Rows {
    /// Bits of a row below its last cell: tables leave them out, to be small and close
    /// together.
    gap: u32,
    info: Vec<RowInfo>,
    /// Sums of the first and the last half of the cells, in the upper and the lower half.
    sides: Vec<u64>,
    by_units: Vec<Vec<u16>>,
    mirrored: Vec<u16>,
    /// Rows after a slide left, right; the row outside all shapes if a tile grows too large.
    slid: [Vec<u16>; 2],
}

/// A row that no state has, for one that does not exist.
const NO_ROW: u16 = u16::MAX;

impl Rows {
    /// The rows of `cols` columns (at most 4) with exponents up to `largest` (below 15).
    pub fn new(cols: u8, largest: u8) -> Result<Rows, TooLarge> {
        let rules = Rules::new(Shape::new(1, cols).unwrap_or(Shape::SINGLE))?;
        let frame = 1usize << 16;
        let mut rows = Rows {
            gap: 16 - 4 * u32::from(cols),
            info: vec![RowInfo(0); frame >> (16 - 4 * u32::from(cols))],
            sides: vec![0; frame >> (16 - 4 * u32::from(cols))],
            by_units: Vec::new(),
            mirrored: vec![NO_ROW; frame],
            slid: [vec![NO_ROW; frame], vec![NO_ROW; frame]],
        };
        let outside = (1u16 << (4 * (4 - u32::from(cols)))).wrapping_sub(1);
        let outside = if cols == 4 { 0 } else { outside };
        for row in (0..NO_ROW).filter(|row| row & outside == 0) {
            let board = Board::from_bits(u64::from(row) << 48);
            if board.reaches(largest + 1) {
                continue;
            }
            let units = board.sum() as usize / 2;
            if rows.by_units.len() <= units {
                rows.by_units.resize(units + 1, Vec::new());
            }
            rows.by_units[units].push(row);
            rows.sides[usize::from(row) >> rows.gap] = sides(row, cols);
            rows.mirrored[usize::from(row)] = rules.image(board, Symmetry::Mirror).row(0);
            for (slid, m) in rows.slid.iter_mut().zip([Move::Left, Move::Right]) {
                let after = rules.slide(board, m);
                if !after.reaches(largest + 1) {
                    slid[usize::from(row)] = after.row(0);
                }
            }
        }
        for units in 0..rows.by_units.len() {
            rows.rank_group(units);
        }
        Ok(rows)
    }

    /// Ranks the rows of a sum. Rows are listed in order, so that ranks compare like rows.
    fn rank_group(&mut self, units: usize) {
        let group = &self.by_units[units];
        let mut folded = 0u64;
        let mut folded_rank = vec![0u64; group.len()];
        for (rank, &row) in folded_rank.iter_mut().zip(group) {
            if row >= self.mirrored[usize::from(row)] {
                *rank = folded;
                folded += 1;
            }
        }
        for (rank, &row) in group.iter().enumerate() {
            let mirror = self.mirrored[usize::from(row)];
            let mirror_rank = group.partition_point(|&other| other < mirror);
            self.info[usize::from(row) >> self.gap] = RowInfo(
                (units as u64) << RowInfo::UNITS
                    | (rank as u64) << RowInfo::RANK
                    | (mirror_rank as u64) << RowInfo::MIRROR_RANK
                    | folded_rank[rank.max(mirror_rank)] << RowInfo::FOLDED_RANK
                    | (group.len() as u64) << RowInfo::COUNT
                    | u64::from(row < mirror) << RowInfo::LESS
                    | u64::from(row == mirror) << RowInfo::PALINDROME,
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

    /// Sums of the first and the last half of a row's cells, in units of 2, in the upper and
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

    /// The rows with a sum, in order.
    pub fn with_units(&self, units: usize) -> &[u16] {
        self.by_units.get(units).map_or(&[], Vec::as_slice)
    }

    /// The largest sum, in units.
    pub fn max_units(&self) -> usize {
        self.by_units.len().saturating_sub(1)
    }

    /// The row read backwards.
    pub fn mirrored(&self, row: u16) -> u16 {
        self.mirrored[usize::from(row)]
    }

    /// The row after a slide to the left or right, if no tile grows past the largest.
    pub fn slid(&self, row: u16, m: Move) -> Option<u16> {
        let after = self.slid[usize::from(m == Move::Right)][usize::from(row)];
        (after != NO_ROW).then_some(after)
    }
}

/// Sums of the first and the last half of a row's cells.
fn sides(row: u16, cols: u8) -> u64 {
    let units = |col: u8| match row >> (12 - 4 * u32::from(col)) & 15 {
        0 => 0,
        exponent => 1u64 << (exponent - 1),
    };
    let half = cols.div_ceil(2);
    let first: u64 = (0..half).map(units).sum();
    let last: u64 = (cols - half..cols).map(units).sum();
    first << 32 | last
}
