//! States to afterstates.
//!
//! A slide to the left or right moves each row of a board on its own, so it maps a top to
//! a top and a bottom to a bottom of the same sums. All states with the same slid top are
//! therefore moved together: their rows of bits are joined, 64 boards a step, and then the
//! bottoms of the joined row are moved, each once. Slides up and down of a square are the
//! mirror images in the diagonal of what this gives, because the states are closed under
//! it; other shapes slide their states up and down one by one.

use std::sync::atomic::Ordering;

use tilebase_game::{Board, Move};

use crate::layer::{Layer, Marker, for_each_bit};
use crate::space::{NONE, Space, TURNS};

/// Fills `after` with the folded afterstates of the states.
pub(crate) fn slide(space: &Space, states: &Layer, after: &mut Layer) {
    after.fill_rows(Vec::new, |block, row, out, joined: &mut Vec<u64>| {
        let top = space.tops.halves.group(block.top_units).start + row;
        out.fill(0);
        for (number, turn) in TURNS.iter().enumerate() {
            let first = &space.tops.first_source[4 * top + number..4 * top + number + 2];
            let sources = &space.tops.sources[first[0] as usize..first[1] as usize];
            if sources.is_empty() {
                continue;
            }
            joined.clear();
            joined.resize(out.len(), 0);
            let unmoved = &space.bottoms.unmoved[usize::from(turn.slide == Move::Right)];
            let unmoved = space.bottoms.part(unmoved, block.bottom_units);
            for &source in sources {
                let Some(bits) = states.row(block.top_units, (source / 2) as usize) else {
                    continue;
                };
                if source % 2 == 0 {
                    joined.iter_mut().zip(bits).for_each(|(to, from)| *to |= from);
                } else {
                    // The top stays as it is: the bottom must move, or nothing does.
                    let pairs = bits.iter().zip(unmoved);
                    joined.iter_mut().zip(pairs).for_each(|(to, (from, no))| *to |= from & !no);
                }
            }
            let group = space.bottoms.halves.group(block.bottom_units);
            let turned = &space.bottoms.turned[number][group];
            for_each_bit(joined.iter().copied(), |bit| {
                let to = turned[bit];
                if to != NONE {
                    out[(to / 64) as usize] |= 1 << (to % 64);
                }
            });
        }
    });
    if space.is_square() {
        mirror_in_diagonal(space, &after.marker());
    } else {
        slide_up_and_down(space, states, &after.marker());
    }
}

/// Adds the mirror image in the diagonal of every board.
///
/// Boards are added while others are read. That does no harm: the image of an added board
/// is there already.
fn mirror_in_diagonal(space: &Space, after: &Marker) {
    after.for_each_row(|_| true, |block, row, words| {
        let top = space.tops.halves.list()[space.tops.halves.group(block.top_units).start + row];
        let bottoms = &space.bottoms.halves.list()[space.bottoms.halves.group(block.bottom_units)];
        for_each_bit(words.iter().map(|word| word.load(Ordering::Relaxed)), |bit| {
            let image = space.board(top, bottoms[bit]).transposed();
            space.places(image, |place| after.mark(place));
        });
    });
}

/// Slides every state up and down.
fn slide_up_and_down(space: &Space, states: &Layer, after: &Marker) {
    let slide = |board: Board| {
        for m in [Move::Up, Move::Down] {
            let moved = space.rules.slide(board, m);
            if moved != board && !moved.reaches(space.largest + 1) {
                space.places(moved, |place| after.mark(place));
            }
        }
    };
    states.fold_rows(
        |_| true,
        || (),
        |(), block, row, words| {
            let top = space.tops.halves.list()[space.tops.halves.group(block.top_units).start + row];
            let bottoms = &space.bottoms.halves.list()[space.bottoms.halves.group(block.bottom_units)];
            for_each_bit(words.iter().copied(), |bit| slide(space.board(top, bottoms[bit])));
        },
        |(), ()| (),
    );
}
