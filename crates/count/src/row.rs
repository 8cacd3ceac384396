//! Single rows: their sums, and their place among the rows of the same sum.

use tilebase_game::{Board, Move, Rules, Shape, TooLarge};

/// What ranking needs to know of a row, in one word.
///
/// A row's rank is its place among all rows of the same sum. Sums are counted in units of
/// 2, the smallest tile.
#[derive(Clone, Copy)]
pub(crate) struct RowInfo(u64);

impl RowInfo {
    const UNITS: u32 = 0;
    const RANK: u32 = 20;
    const MIRROR_RANK: u32 = 28;
    const FOLDED_RANK: u32 = 36;
    const COUNT: u32 = 44;
    const LESS: u32 = 52;
    const PALINDROME: u32 = 53;

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
        self.byte(if mirrored { Self::MIRROR_RANK } else { Self::RANK })
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
pub(crate) struct Rows {
    rules: Rules,
    largest: u8,
    info: Vec<RowInfo>,
    by_units: Vec<Vec<u16>>,
}

impl Rows {
    /// The rows of `cols` columns (at most 4) with exponents up to `largest` (below 15).
    pub fn new(cols: u8, largest: u8) -> Result<Rows, TooLarge> {
        let shape = Shape::new(1, cols).unwrap_or(Shape::SINGLE);
        let rules = Rules::new(shape)?;
        let frame = 1u32 << 16;
        let outside = (1u32 << (4 * (4 - u32::from(cols)))) - 1;
        let mut rows = Rows {
            rules,
            largest,
            info: vec![RowInfo(0); frame as usize],
            by_units: Vec::new(),
        };
        for bits in 0..frame {
            let row = bits as u16;
            if bits & outside == 0 && !board(row).reaches(largest + 1) {
                let units = board(row).sum() as usize / 2;
                if rows.by_units.len() <= units {
                    rows.by_units.resize(units + 1, Vec::new());
                }
                rows.by_units[units].push(row);
            }
        }
        for units in 0..rows.by_units.len() {
            let group = rows.by_units[units].clone();
            let mut folded = 0u64;
            let mut folded_rank = vec![0u64; group.len()];
            for (rank, &row) in group.iter().enumerate() {
                if row >= rows.mirrored(row) {
                    folded_rank[rank] = folded;
                    folded += 1;
                }
            }
            for (rank, &row) in group.iter().enumerate() {
                let mirror = rows.mirrored(row);
                // Rows are listed in order, so that ranks compare like the rows.
                let mirror_rank = group.partition_point(|&other| other < mirror);
                rows.info[usize::from(row)] = RowInfo(
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
        Ok(rows)
    }

    /// What ranking needs to know of a row.
    #[inline]
    pub fn info(&self, row: u16) -> RowInfo {
        self.info[usize::from(row)]
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
        self.rules
            .image(board(row), tilebase_game::Symmetry::Mirror)
            .row(0)
    }

    /// The row after a slide to the left or right, if no tile grows past the largest.
    pub fn slid(&self, row: u16, m: Move) -> Option<u16> {
        let after = self.rules.slide(board(row), m);
        (!after.reaches(self.largest + 1)).then(|| after.row(0))
    }
}

fn board(row: u16) -> Board {
    Board::from_bits(u64::from(row) << 48)
}
