//! Half boards, listed by their sum and ranked without a search.

use crate::row::{RowInfo, Rows};

/// Half boards of no, one or two rows, grouped by sum and ranked within their group.
///
/// A half is two rows in 32 bits, the first in the upper 16; of a single row the second is
/// empty. One of the rows leads: in its group a half comes after all halves whose leading
/// row has a smaller sum. So its rank is a table entry, a product and a sum, and no table of
/// all halves is needed.
pub struct Halves {
    list: Vec<u32>,
    /// Where each group begins in the list; one more entry for the end.
    first: Vec<usize>,
    /// How many halves of a group come before those whose leading row has a sum.
    before: Vec<u32>,
    row_units: usize,
}

impl Halves {
    /// Tops of `count` rows, led by their first row, which is not smaller than its mirror
    /// image.
    pub fn tops(rows: &Rows, count: usize) -> Halves {
        Halves::new(
            rows,
            count,
            |lead, other| u32::from(lead) << 16 | u32::from(other),
            true,
        )
    }

    /// Bottoms of `count` rows, led by their last row.
    pub fn bottoms(rows: &Rows, count: usize) -> Halves {
        let half = |lead, other| match count {
            2 => u32::from(other) << 16 | u32::from(lead),
            _ => u32::from(lead) << 16,
        };
        Halves::new(rows, count, half, false)
    }

    fn new(rows: &Rows, count: usize, half: impl Fn(u16, u16) -> u32, folded: bool) -> Halves {
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
            for lead in 0..=row_units {
                halves.before[units * (row_units + 1) + lead] = (halves.list.len() - begin) as u32;
                let Some(rest) = units.checked_sub(lead) else {
                    continue;
                };
                if count < 2 && rest > 0 {
                    continue;
                }
                for &a in rows.with_units(lead) {
                    if !(folded && rows.info(a).is_less()) {
                        let others = rows.with_units(rest).iter();
                        halves.list.extend(others.map(|&b| half(a, b)));
                    }
                }
            }
            halves.first.push(halves.list.len());
        }
        halves
    }

    /// Rank within its group of a half, `units` its sum, `lead_rank` the leading row's rank
    /// (the folded one for tops).
    #[inline]
    pub fn rank(
        &self,
        units: usize,
        lead: RowInfo,
        lead_rank: u32,
        other: RowInfo,
        other_rank: u32,
    ) -> u32 {
        self.before[units * (self.row_units + 1) + lead.units()]
            + lead_rank * other.count()
            + other_rank
    }

    /// How many halves of a group have a leading row with a sum below `lead`.
    pub fn below(&self, units: usize, lead: usize) -> usize {
        match lead {
            lead if lead > self.row_units => self.group(units).len(),
            lead => self
                .before
                .get(units * (self.row_units + 1) + lead)
                .map_or(0, |&n| n as usize),
        }
    }

    /// The table of [`Halves::rank`], with [`Halves::width`] entries for each sum.
    #[cfg(not(target_family = "wasm"))]
    pub fn before(&self) -> &[u32] {
        &self.before
    }

    /// Entries of that table for each sum.
    #[cfg(not(target_family = "wasm"))]
    pub fn width(&self) -> usize {
        self.row_units + 1
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
