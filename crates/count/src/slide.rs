//! States to afterstates.
//!
//! A slide to the left or right moves each row of a board on its own, so it maps a top to
//! a top and a bottom to a bottom of the same sums. All states with the same slid top are
//! therefore moved together: their rows of bits are joined, 64 boards a step, and then the
//! bottoms of the joined row are moved, each once. Slides up and down of a square are the
//! mirror images in the diagonal of what this gives, because the states are closed under
//! it; other shapes slide their states up and down one by one.

use tilebase_game::{Board, Move};

use crate::layer::{Layer, Marker, Part, for_each_bit};
use crate::space::{NONE, Space, TURNS};
use crate::spawn::place;

/// Fills `after` with the folded afterstates of the states. What is left in `states` is of
/// no use any more.
pub(crate) fn slide(space: &Space, states: &mut Layer, after: &mut Layer) {
    slide_rows(space, states, after, Part::ALL);
    if space.is_square() {
        // The boards to mirror are read from a copy, lest the images be mirrored again.
        states.copy_from(after);
    }
    let after = after.marker();
    for_each_board(space, states, |board| {
        cross(space, board, &after, Part::ALL)
    });
}

/// Adds what slides up and down give, from a board that slides left and right gave on
/// squares, from a state on other shapes.
#[inline]
pub(crate) fn cross(space: &Space, board: Board, after: &Marker, part: Part) {
    if space.is_square() {
        place(space, board.transposed(), after, part);
        return;
    }
    for m in [Move::Up, Move::Down] {
        let moved = space.rules.slide(board, m);
        if moved != board && !moved.reaches(space.largest + 1) {
            place(space, moved, after, part);
        }
    }
}

/// Slides to the left and to the right, which keep to a block.
pub(crate) fn slide_rows(space: &Space, states: &Layer, after: &mut Layer, part: Part) {
    after.fill_rows(
        |block| part.has(block.top_units),
        Vec::new,
        |block, row, out, joined: &mut Vec<u64>| {
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
                        joined
                            .iter_mut()
                            .zip(bits)
                            .for_each(|(to, from)| *to |= from);
                    } else {
                        // The top stays as it is: the bottom must move, or nothing does.
                        let pairs = bits.iter().zip(unmoved);
                        joined
                            .iter_mut()
                            .zip(pairs)
                            .for_each(|(to, (from, no))| *to |= from & !no);
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
        },
    );
}

/// Calls `visit` with every board of a layer, in parallel.
fn for_each_board(space: &Space, layer: &Layer, visit: impl Fn(Board) + Sync + Send) {
    layer.fold_rows(
        |_| true,
        || (),
        |(), block, row, words| {
            let top = space.top(block, row);
            let bottoms = space.bottom_group(block);
            for_each_bit(words.iter().copied(), |bit| {
                visit(space.board(top, bottoms[bit]))
            });
        },
        |(), ()| (),
    );
}
