//! States to afterstates.
//!
//! A slide to the left or right moves each row of a board on its own, so it maps a top to
//! a top and a bottom to a bottom of the same sums. All states with the same slid top are
//! therefore moved together: their rows of bits are joined, 64 boards a step, and then the
//! bottoms of the joined row are moved, each once. Slides up and down of a square are the
//! mirror images in the diagonal of what this gives, because the states are closed under
//! it; other shapes slide their states up and down one by one.

use tilebase_game::{Board, Move};

use tilebase_index::layer::{Block, Layer, Part, for_each_bit};
use tilebase_index::mark::Batch;
use tilebase_index::space::{Place, Space};
use tilebase_index::tables::{Masks, NONE, TURNS};

/// Adds the afterstates of slides up and down to those of slides left and right. Overwrites
/// `states`.
pub(crate) fn slide_across(space: &Space, states: &mut Layer, after: &mut Layer) {
    if space.is_closed_across() {
        // The boards to mirror are read from a copy, lest the images be mirrored again.
        states.copy_from(after);
    }
    let after = after.marker();
    states.fold_rows(
        |_| true,
        || Batch::new(&after),
        |batch, block, row, words| {
            let (top, bottoms) = (space.top(block, row), space.bottom_group(block));
            for_each_bit(words.iter().copied(), |bit| {
                let board = space.board(top, bottoms[bit]);
                cross(space, board, |place| batch.mark(place));
            });
        },
        |batch, _| batch,
    );
}

/// Calls `visit` with the places of the results of slides up and down: on squares from an afterstate of
/// a slide left or right, on other shapes from a state.
#[inline]
pub(crate) fn cross(space: &Space, board: Board, mut visit: impl FnMut(Place)) {
    if space.is_closed_across() {
        space.places(board.transposed(), visit);
        return;
    }
    for moved in space.rules.vertical_slides(board) {
        if moved != board && space.is_afterstate(moved) {
            space.places(moved, &mut visit);
        }
    }
}

/// Rows that a thread works with.
#[derive(Default)]
struct Scratch {
    joined: Vec<u64>,
    /// Every second bit goes here: bits that follow each other often go to the same word,
    /// and each would have to wait for the one before.
    odd: Vec<u64>,
}

/// Slides to the left and to the right, which keep to a block.
pub(crate) fn slide_rows(space: &Space, states: &Layer, after: &mut Layer, part: Part) {
    let chosen = |block: &Block| part.has(block.top_units);
    after.fill_rows(chosen, Scratch::default, |block, row, out, scratch| {
        let Scratch { joined, odd } = scratch;
        let top = space.tops.halves.group(block.top_units).start + row;
        let group = space.bottoms.halves.group(block.bottom_units);
        out.fill(0);
        odd.clear();
        odd.resize(out.len(), 0);
        for number in 0..TURNS.len() {
            let first = &space.tops.first_source[4 * top + number..4 * top + number + 2];
            let sources = &space.tops.sources[first[0] as usize..first[1] as usize];
            if !sources.is_empty() {
                join(space, states, block, number, sources, joined);
                move_bottoms(
                    joined,
                    &space.bottoms.turned[number][group.clone()],
                    out,
                    odd,
                );
            }
        }
        out.iter_mut().zip(odd).for_each(|(to, from)| *to |= *from);
        if let Some(masks) = &space.masks {
            let top = space.tops.halves.list()[top];
            keep_masks(space, masks, block, top, out);
        }
    });
}

/// Drops the boards of a row whose walls cover no mask.
fn keep_masks(space: &Space, masks: &Masks, block: &Block, top: u32, row: &mut [u64]) {
    let covered = masks.tops.iter().zip(&masks.bottoms);
    let covered = covered.filter(|&(&part, _)| top & part == part);
    let sets: Vec<&[u64]> = covered
        .map(|(_, set)| space.bottoms.part(set, block.bottom_units))
        .collect();
    for (i, word) in row.iter_mut().enumerate() {
        *word &= sets.iter().fold(0, |kept, set| kept | set[i]);
    }
}

/// Joins the rows of the tops that a turn brings to the same top.
fn join(
    space: &Space,
    states: &Layer,
    block: &Block,
    number: usize,
    sources: &[u32],
    joined: &mut Vec<u64>,
) {
    joined.clear();
    joined.resize(block.stride, 0);
    let right = usize::from(TURNS[number].slide == Move::Right);
    let unmoved = space
        .bottoms
        .part(&space.bottoms.unmoved[right], block.bottom_units);
    for &source in sources {
        let bits = states
            .row(block.top_units, (source / 2) as usize)
            .unwrap_or(&[]);
        let pairs = joined.iter_mut().zip(bits);
        if source % 2 == 0 {
            pairs.for_each(|(to, from)| *to |= from);
        } else {
            // The top stays as it is: the bottom must move, or nothing does.
            pairs
                .zip(unmoved)
                .for_each(|((to, from), no)| *to |= from & !no);
        }
    }
}

/// Moves every bottom of a joined row.
#[inline]
fn move_bottoms(joined: &[u64], turned: &[u32], even: &mut [u64], odd: &mut [u64]) {
    let set = |row: &mut [u64], to: u32| {
        if to != NONE {
            row[(to / 64) as usize] |= 1 << (to % 64);
        }
    };
    for (turned, &word) in turned.chunks(64).zip(joined) {
        let mut word = word;
        while word != 0 {
            set(even, turned[word.trailing_zeros() as usize]);
            word &= word - 1;
            if word == 0 {
                break;
            }
            set(odd, turned[word.trailing_zeros() as usize]);
            word &= word - 1;
        }
    }
}
