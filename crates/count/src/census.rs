//! How many boards of a layer there are up to symmetry.
//!
//! By the lemma of Burnside the number of classes is the mean, over all symmetries, of the
//! number of boards that the symmetry leaves as they are. For the identity that is the
//! number of all boards, which the bits of the folded ones give, each weighted by the
//! images that folding leaves out. For the others it is few boards: they are listed, cell by
//! cell, and looked up. So no board need be tested for being the canonical one.

use rayon::prelude::*;
use tilebase_game::{Board, Shape, Symmetry};

use crate::layer::{Block, Layer, for_each_bit};
use crate::space::Space;

/// Numbers of boards by the exponent of their largest tile.
pub type ByLargest = [u64; 16];

/// Adds two counts.
pub(crate) fn add(mut a: ByLargest, b: ByLargest) -> ByLargest {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
    a
}

/// The number of symmetry classes in a layer.
pub(crate) fn classes(space: &Space, layer: &Layer) -> ByLargest {
    let shape = space.rules.shape();
    let symmetries = Symmetry::of(shape);
    let mut total = all_boards(space, layer);
    for &symmetry in &symmetries[1..] {
        total = add(total, unchanged_boards(space, layer, shape, symmetry));
    }
    total.map(|boards| boards / symmetries.len() as u64)
}

/// How many boards a folded one stands for under mirrors and flips, ties aside.
fn weight(space: &Space, block: &Block, top: u32) -> u64 {
    let mirror = if space.infos(top).0.is_palindrome() { 1 } else { 2 };
    let flip = if space.folded && block.top_units != block.bottom_units { 2 } else { 1 };
    mirror * flip
}

/// The number of all boards, folded or not.
fn all_boards(space: &Space, layer: &Layer) -> ByLargest {
    layer.fold_rows(
        |_| true,
        || [0; 16],
        |sum, block, row, words| {
            let top = space.tops.halves.list()[space.tops.halves.group(block.top_units).start + row];
            let weight = weight(space, block, top);
            let own = space.board(top, 0).max_exponent();
            let mut below = 0;
            for exponent in own..=space.largest {
                let up_to = &space.bottoms.up_to[usize::from(exponent)];
                let up_to = space.bottoms.part(up_to, block.bottom_units);
                let pairs = words.iter().zip(up_to);
                let boards: u64 = pairs.map(|(w, m)| u64::from((w & m).count_ones())).sum();
                sum[usize::from(exponent)] += weight * (boards - below);
                below = boards;
            }
        },
        add,
    )
}

/// The number of boards in the layer that a symmetry leaves as they are.
fn unchanged_boards(space: &Space, layer: &Layer, shape: Shape, symmetry: Symmetry) -> ByLargest {
    let mut orbits = orbits(shape, symmetry);
    // Heavy orbits first: their sums are bound soonest.
    orbits.sort_by_key(|&(cells, _)| std::cmp::Reverse(cells));
    let listing = Listing { space, layer, orbits };
    let empty = (Board::EMPTY, 0, layer.layout.units as u32);
    if listing.orbits.len() < 6 {
        let mut found = [0; 16];
        listing.list(empty, &mut found);
        return found;
    }
    // The first orbits' tiles make the tasks.
    let mut tasks = vec![empty];
    for _ in 0..2 {
        tasks = tasks.into_iter().flat_map(|task| listing.next(task)).collect();
    }
    tasks
        .into_par_iter()
        .map(|task| {
            let mut found = [0; 16];
            listing.list(task, &mut found);
            found
        })
        .reduce(|| [0; 16], add)
}

/// The sets of cells that a symmetry exchanges: how many cells, and the lowest bit of each.
fn orbits(shape: Shape, symmetry: Symmetry) -> Vec<(u32, u64)> {
    let mut seen = 0u64;
    let mut orbits = Vec::new();
    for row in 0..shape.rows() {
        for col in 0..shape.cols() {
            let (mut r, mut c) = (row, col);
            let mut cells = 0u64;
            loop {
                let bit = Board::EMPTY.with(r, c, 1).bits();
                if cells & bit != 0 {
                    break;
                }
                cells |= bit;
                (r, c) = symmetry.apply_to_cell(shape, r, c);
            }
            if seen & cells == 0 {
                orbits.push((cells.count_ones(), cells));
            }
            seen |= cells;
        }
    }
    orbits
}

/// Lists the boards with the same tile on all cells of each orbit.
struct Listing<'a> {
    space: &'a Space,
    layer: &'a Layer,
    orbits: Vec<(u32, u64)>,
}

/// A board, the orbits filled so far, and the units of 2 still to be placed.
type Partial = (Board, usize, u32);

impl Listing<'_> {
    /// The ways to fill the next orbit.
    fn next(&self, (board, filled, rest): Partial) -> impl Iterator<Item = Partial> {
        let (cells, bits) = self.orbits[filled];
        let later: u32 = self.orbits[filled + 1..].iter().map(|&(cells, _)| cells).sum();
        let most = 1u32 << self.space.largest.saturating_sub(1);
        (0..=self.space.largest).filter_map(move |exponent| {
            let units = if exponent == 0 { 0 } else { cells << (exponent - 1) };
            let rest = rest.checked_sub(units)?;
            let board = Board::from_bits(board.bits() | bits * u64::from(exponent));
            (rest <= later * most).then_some((board, filled + 1, rest))
        })
    }

    fn list(&self, partial: Partial, found: &mut ByLargest) {
        if partial.1 < self.orbits.len() {
            self.next(partial).for_each(|next| self.list(next, found));
        } else if partial.2 == 0 && contains(self.space, self.layer, partial.0) {
            found[usize::from(partial.0.max_exponent())] += 1;
        }
    }
}

/// Whether an upright board is in the layer.
pub(crate) fn contains(space: &Space, layer: &Layer, board: Board) -> bool {
    let mut found = None;
    space.places(board, |place| found = Some(place));
    found.is_some_and(|place| layer.contains(place))
}

/// The number of symmetry classes of lost states.
pub(crate) fn lost(space: &Space, layer: &Layer) -> ByLargest {
    layer.fold_rows(
        |_| true,
        || [0; 16],
        |sum, block, row, words| {
            let top = space.tops.halves.list()[space.tops.halves.group(block.top_units).start + row];
            if !space.top_is_stuck(top) {
                return;
            }
            let stuck = space.bottoms.part(&space.bottoms.stuck, block.bottom_units);
            let bottoms = &space.bottoms.halves.list()[space.bottoms.halves.group(block.bottom_units)];
            for_each_bit(words.iter().zip(stuck).map(|(w, m)| w & m), |bit| {
                let board = space.board(top, bottoms[bit]);
                if space.rules.is_lost(board) && space.rules.canonical(board) == board {
                    sum[usize::from(board.max_exponent())] += 1;
                }
            });
        },
        add,
    )
}
