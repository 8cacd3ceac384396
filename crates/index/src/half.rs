//! Half boards, listed by their weight and ranked without a search.

use crate::row::{RowInfo, Rows};

/// Half boards of no, one or two rows, grouped by weight and ranked within their group.
///
/// A half is two rows in 32 bits, the first in the upper 16; of a single row the second is
/// empty. One of the rows leads: in its group a half comes after all halves whose leading
/// row weighs less. So its rank is a table entry, a product and a sum, and no table of
/// all halves is needed.
#[derive(Default)]
pub struct Halves {
    list: Vec<u32>,
    /// Where each group begins in the list; one more entry for the end.
    first: Vec<usize>,
    /// How many halves of a group come before those whose leading row has a weight, by the
    /// number of the weight.
    before: Vec<u32>,
    /// The weights that leading rows have.
    leads: Vec<usize>,
}

impl Halves {
    /// Tops of `count` rows, led by their first row, which is not smaller than its mirror
    /// image if boards are folded. Only groups that `admit` accepts are listed.
    pub fn tops(lead: &Rows, other: &Rows, count: usize, admit: impl Fn(usize) -> bool) -> Halves {
        let half = |lead, other| u32::from(lead) << 16 | u32::from(other);
        Halves::new([lead, other], count, half, true, admit)
    }

    /// Bottoms of `count` rows, led by their last row.
    pub fn bottoms(
        first: &Rows,
        second: &Rows,
        count: usize,
        admit: impl Fn(usize) -> bool,
    ) -> Halves {
        let half = |lead, other| match count {
            2 => u32::from(other) << 16 | u32::from(lead),
            _ => u32::from(lead) << 16,
        };
        let rows = if count == 2 {
            [second, first]
        } else {
            [first, second]
        };
        Halves::new(rows, count, half, false, admit)
    }

    fn new(
        [lead, other]: [&Rows; 2],
        count: usize,
        half: impl Fn(u16, u16) -> u32,
        folded: bool,
        admit: impl Fn(usize) -> bool,
    ) -> Halves {
        let leads = if count == 0 {
            vec![0]
        } else {
            lead.weights().to_vec()
        };
        let others = if count < 2 { 0 } else { other.max_units() };
        let max_units = leads.last().map_or(0, |most| most + others);
        let mut halves = Halves {
            list: Vec::new(),
            first: vec![0],
            before: Vec::with_capacity((max_units + 1) * leads.len()),
            leads,
        };
        for units in 0..=max_units {
            let begin = halves.list.len();
            for &weight in &halves.leads {
                halves.before.push((halves.list.len() - begin) as u32);
                let rest = match units.checked_sub(weight) {
                    Some(0) if count == 0 => {
                        halves.list.push(0);
                        continue;
                    }
                    Some(rest) if count == 2 || rest == 0 => rest,
                    _ => continue,
                };
                if !admit(units) {
                    continue;
                }
                let rows = if count == 2 {
                    other.with_units(rest)
                } else {
                    &[0]
                };
                for &a in lead.with_units(weight) {
                    if !(folded && lead.info(a).is_less()) {
                        halves.list.extend(rows.iter().map(|&b| half(a, b)));
                    }
                }
            }
            halves.first.push(halves.list.len());
        }
        halves
    }

    /// Rank within its group of a half, `units` its weight, `lead_rank` the leading row's rank
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
        self.before[units * self.leads.len() + lead.number()]
            + lead_rank * other.count()
            + other_rank
    }

    /// How many halves of a group have a leading row that weighs less than `lead`.
    pub fn below(&self, units: usize, lead: usize) -> usize {
        match self.leads.partition_point(|&weight| weight < lead) {
            number if number == self.leads.len() => self.group(units).len(),
            number => self
                .before
                .get(units * self.leads.len() + number)
                .map_or(0, |&n| n as usize),
        }
    }

    /// The table of [`Halves::rank`], with [`Halves::width`] entries for each weight.
    #[cfg(not(target_family = "wasm"))]
    pub fn before(&self) -> &[u32] {
        &self.before
    }

    /// Entries of that table for each weight.
    #[cfg(not(target_family = "wasm"))]
    pub fn width(&self) -> usize {
        self.leads.len()
    }

    /// The largest weight.
    pub fn max_units(&self) -> usize {
        self.first.len() - 2
    }

    /// Where the group with a weight lies in the list.
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
