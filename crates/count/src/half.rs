//! Half boards, listed by their sum and ranked without a search.

use crate::row::{RowInfo, Rows};

/// Half boards of no, one or two rows, grouped by sum and ranked within their group.
///
/// A half is two rows in 32 bits, the first in the upper 16; of a single row the second is
/// empty. In its group it comes after all halves whose first row has a smaller sum, so
/// its rank is a table entry, a product and a sum: no table of all halves is needed.
pub(crate) struct Halves {
    list: Vec<u32>,
    /// Where each group begins in the list; one more entry for the end.
    first: Vec<usize>,
    /// How many halves of a group come before the first row with a sum.
    before: Vec<u32>,
    row_units: usize,
}

impl Halves {
    /// The halves of `count` rows. If `folded`, those only whose first row is not smaller
    /// than its mirror image.
    pub fn new(rows: &Rows, count: usize, folded: bool) -> Halves {
        let row_units = if count == 0 { 0 } else { rows.max_units() };
        let max_units = row_units * count;
        let mut halves = Halves {
            list: Vec::new(),
            first: vec![0],
            before: vec![0; (max_units + 1) * (row_units + 1)],
            row_units,
        };
        for units in 0..=max_units {
            let begin = halves.list.len();
            for first in 0..=units.min(row_units) {
                halves.before[units * (row_units + 1) + first] = (halves.list.len() - begin) as u32;
                let second = units - first;
                if count < 2 && second > 0 {
                    continue;
                }
                for &a in rows.with_units(first) {
                    if folded && rows.info(a).is_less() || count == 0 && a != 0 {
                        continue;
                    }
                    let half = |b: &u16| u32::from(a) << 16 | u32::from(*b);
                    halves.list.extend(rows.with_units(second).iter().map(half));
                }
            }
            halves.first.push(halves.list.len());
        }
        halves
    }

    /// Rank within its group of a half with rows `a` and `b`, `units` its sum and `a_rank`
    /// the first row's rank (the folded one if the halves are).
    #[inline]
    pub fn rank(&self, units: usize, a: RowInfo, a_rank: u32, b: RowInfo, b_rank: u32) -> u32 {
        self.before[units * (self.row_units + 1) + a.units()] + a_rank * b.count() + b_rank
    }

    /// The largest sum, in units.
    pub fn max_units(&self) -> usize {
        self.first.len() - 2
    }

    /// Where the group with a sum lies in the list.
    #[inline]
    pub fn group(&self, units: usize) -> std::ops::Range<usize> {
        match self.first.get(units..units + 2) {
            Some(range) => range[0]..range[1],
            None => 0..0,
        }
    }

    /// All halves, group by group.
    #[inline]
    pub fn list(&self) -> &[u32] {
        &self.list
    }
}
