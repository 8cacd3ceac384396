//! Afterstates to the states of the layers above.
//!
//! A tile that falls into the top leaves the bottom as it is: a state's row of bits takes
//! in the whole rows of the afterstates whose top lacks one tile, 64 boards a step. Tiles
//! that fall into the bottom move the bits within a row. Where the bottom would become
//! heavier than the top, the board belongs upside down somewhere else; that concerns one
//! block of each layer, whose boards are placed one by one.

use tilebase_game::Board;

use tilebase_index::layer::{Block, Layer, Part, for_each_bit};
use tilebase_index::mark::{Batch, Marker};
use tilebase_index::space::{Place, Space};

/// The afterstates that a layer is made from: those one tile of exponent 1, 2 below.
pub(crate) type Below<'a> = [Option<&'a Layer>; 2];

/// Fills a part of `states` with the folded states that spawns make of the afterstates
/// below. Of those, only the blocks whose tops are lighter by at most the tile are read.
pub(crate) fn spawn(space: &Space, below: Below, states: &mut Layer, part: Part) {
    // Layers that no tile leads up from are there for later ones.
    let [twos, fours] = below;
    let falls = |exponent: u8| space.spawn.weight(exponent) > 0;
    let below = [twos.filter(|_| falls(1)), fours.filter(|_| falls(2))];
    states.fill_rows(
        |block| part.has(block.top_units),
        Vec::new,
        |block, row, out, mirrored: &mut Vec<u64>| {
            out.fill(0);
            mirrored.clear();
            let top = space.top(block, row);
            for (number, layer) in below.iter().enumerate() {
                if let Some(layer) = layer {
                    into_top(space, layer, block, top, number, out, mirrored);
                    into_bottom(space, layer, block, row, number, out);
                }
            }
            if !mirrored.is_empty() {
                let mirror = &space.bottoms.mirror[space.bottoms.halves.group(block.bottom_units)];
                for_each_bit(mirrored.iter().copied(), |bit| {
                    let to = mirror[bit];
                    out[(to / 64) as usize] |= 1 << (to % 64);
                });
            }
        },
    );
    let states = states.marker();
    for (number, layer) in below.iter().enumerate() {
        if let Some(layer) = layer {
            turn_over(space, layer, number, &states, part);
        }
    }
}

/// Units of 2 in the tile of exponent `number + 1`.
fn tile_units(number: usize) -> usize {
    1 << number
}

/// Takes in the rows of the tops that lack one tile. Rows of tops that must be mirrored to
/// be folded are joined apart, to be mirrored once.
fn into_top(
    space: &Space,
    layer: &Layer,
    block: &Block,
    top: u32,
    number: usize,
    out: &mut [u64],
    mirrored: &mut Vec<u64>,
) {
    let Some(units) = block.top_units.checked_sub(tile_units(number)) else {
        return;
    };
    for at in (0..32).step_by(4) {
        if top >> at & 15 != number as u32 + 1 {
            continue;
        }
        let (a, b) = space.top_infos(top & !(15 << at));
        let Some(bits) = layer.row(units, space.top_rank(a, b, a.is_less()) as usize) else {
            continue;
        };
        let to = if a.is_less() {
            mirrored.resize(out.len(), 0);
            mirrored.as_mut_slice()
        } else {
            &mut *out
        };
        to.iter_mut().zip(bits).for_each(|(to, from)| *to |= from);
    }
}

/// Lets the tile fall into every empty cell of the bottoms of the same top.
fn into_bottom(
    space: &Space,
    layer: &Layer,
    block: &Block,
    row: usize,
    number: usize,
    out: &mut [u64],
) {
    let Some(units) = block.bottom_units.checked_sub(tile_units(number)) else {
        return;
    };
    let Some(bits) = layer.row(block.top_units, row) else {
        return;
    };
    let group = space.bottoms.halves.group(units);
    let first = &space.bottoms.first_drop[number][group.start..=group.end];
    let drops = &space.bottoms.drops[number];
    for_each_bit(bits.iter().copied(), |bit| {
        for &to in &drops[first[bit] as usize..first[bit + 1] as usize] {
            // Beyond are boards that are not folded any more: `turn_over` places them.
            if (to as usize) < block.bits {
                out[(to / 64) as usize] |= 1 << (to % 64);
            }
        }
    });
}

/// BoardIndex the boards whose last rows become as heavy as the first or heavier.
///
/// Boards that tie already are left out: upside down they are in the layer too, and there
/// the tile falls into the top.
fn turn_over(space: &Space, layer: &Layer, number: usize, states: &Marker, part: Part) {
    let exponent = number as u8 + 1;
    let weighed = space.weighed();
    let close = |block: &Block| block.nearly_tied(space, tile_units(number));
    layer.fold_rows(
        // The heavier half, now on top, outweighs the old top by less than the tile.
        |block| {
            let tops = block.top_units..block.top_units + tile_units(number);
            tops.into_iter().any(|units| part.has(units)) && !close(block).is_empty()
        },
        || Batch::new(states),
        |batch, block, row, words| {
            let (top, bottoms) = (space.top(block, row), space.bottom_group(block));
            let close = close(block);
            let near = close.start / 64..close.end.div_ceil(64);
            for_each_bit(words[near.clone()].iter().copied(), |bit| {
                let bit = bit + 64 * near.start;
                if !close.contains(&bit) {
                    return;
                }
                let board = space.board(top, bottoms[bit]);
                for dropped in space.rules.drops(board, exponent) {
                    if (dropped.bits() ^ board.bits()) & weighed != 0 {
                        place(space, dropped, batch, part);
                    }
                }
            });
        },
        |batch, _| batch,
    );
}

/// Puts all folded images of a board into a part of a layer.
#[inline]
pub(crate) fn place(space: &Space, board: Board, batch: &mut Batch, part: Part) {
    space.places(board, |place: Place| {
        if part.has(place.top_units) {
            batch.mark(place);
        }
    });
}
