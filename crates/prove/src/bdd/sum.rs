//! The sweep by tile sums: a slide keeps the sum and a drop adds to it, so each sum takes
//! one step back from the sums above it.

use std::collections::BTreeMap;

use crate::bdd::diagrams::BoardMemo;
use crate::bdd::error::BddError;
use crate::bdd::kind::DiagramKind;
use crate::bdd::sweep::{Sweeper, WinningSets};

/// Sweeps from the largest sum down to 0. Returns whether the empty board is won.
pub(crate) fn sweep<K: DiagramKind>(sweeper: &mut Sweeper<'_, K>) -> Result<bool, BddError> {
    let diagrams = sweeper.diagrams;
    let mut known = BoardMemo::new(diagrams);
    // What is left of the sum when a cell has been read; no larger than the rest can hold.
    let cells = diagrams.layout.cells();
    let most = 1 << (diagrams.layout.values() - 1);
    let step = |&left: &u32, place: usize, value: u8| {
        let left = left.checked_sub(if value == 0 { 0 } else { 1 << value })?;
        (left <= (cells - place - 1) as u32 * most).then_some(left)
    };
    // With drops of 4 alone only multiples of 4 can arise.
    let drops = sweeper.contest.drops().exponents();
    let unit = if sweeper.options.strong {
        2
    } else {
        1 << drops[0]
    };
    let mut sum = first_sum(sweeper) / unit * unit;
    let mut later: BTreeMap<u32, K> = BTreeMap::new();
    loop {
        let line = format!("sum {sum}");
        let begun = sweeper.begin(&line)?;
        let boards = diagrams.boards_with(sum, &step, &mut known)?;
        let part = if sweeper.options.constrain {
            boards.and(&sweeper.care)?
        } else {
            boards
        };
        let after = |exponent: u8| {
            let set = later.get(&(sum + (1 << exponent)));
            set.cloned().unwrap_or_else(|| diagrams.empty())
        };
        let drop = sweeper.dropper_to_move(&part, after)?;
        let slide = sweeper.slider_to_move(&part, &drop, &[])?;
        later.insert(sum, slide.clone());
        later.retain(|&known, _| known <= sum + 2);
        sweeper.done(
            line,
            1,
            begun,
            &WinningSets {
                slide,
                drop: drop.clone(),
            },
        );
        if sum == 0 {
            return sweeper.holds_empty(&drop);
        }
        sum -= unit;
    }
}

/// The largest sum: of boards full of the largest tile, or, where only boards count that
/// can arise, of those on which the i-th smallest cell has at most the tile 2^i (or twice
/// that where 4s are dropped).
fn first_sum<K: DiagramKind>(sweeper: &Sweeper<'_, K>) -> u32 {
    let layout = &sweeper.diagrams.layout;
    let largest = u32::from(layout.values()) - 1;
    let drop = u32::from(sweeper.contest.drops().largest());
    (0..layout.cells() as u32)
        .map(|smaller| {
            let exponent = if sweeper.options.strong {
                largest
            } else {
                largest.min(smaller + drop)
            };
            1u32 << exponent
        })
        .sum()
}
