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
pub(crate) type Below<'a> = [Option<Afterstates<'a>>; 2];

/// The afterstates of a layer.
#[derive(Clone, Copy)]
pub(crate) struct Afterstates<'a> {
    own: &'a Layer,
    /// Blocks that another process has.
    halo: Option<&'a Layer>,
}

impl<'a> Afterstates<'a> {
    /// All of them in one place.
    pub fn whole(own: &'a Layer) -> Afterstates<'a> {
        Afterstates { own, halo: None }
    }

    /// Those of this process, and the blocks around them.
    #[cfg(not(target_family = "wasm"))]
    pub fn with_halo(own: &'a Layer, halo: &'a Layer) -> Afterstates<'a> {
        Afterstates {
            own,
            halo: Some(halo),
        }
    }

    #[inline]
    fn row(&self, top_units: usize, row: usize) -> Option<&'a [u64]> {
        let own = self.own.row(top_units, row);
        own.or_else(|| self.halo?.row(top_units, row))
    }
}

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
            for layer in [Some(layer.own), layer.halo].into_iter().flatten() {
                turn_over(space, layer, number, &states, part);
            }
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
    layer: &Afterstates,
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
    layer: &Afterstates,
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

/// Places the boards whose last rows become as heavy as the first or heavier.
///
/// Boards that tie already are left out: upside down they are in the layer too, and there
/// the tile falls into the top.
fn turn_over(space: &Space, layer: &Layer, number: usize, states: &Marker, part: Part) {
    let close = |block: &Block| block.nearly_tied(space, tile_units(number));
    // The heavier half, now on top, outweighs the old top by less than the tile.
    let chosen = |block: &Block| {
        let tops = block.top_units..block.top_units + tile_units(number);
        tops.into_iter().any(|units| part.has(units)) && !close(block).is_empty()
    };
    if space.top_rows == 2 && space.bottom_rows == 2 && space.cut.walls == 0 {
        for block in layer.layout.blocks.iter().filter(|block| chosen(block)) {
            if part.has(block.bottom_units + tile_units(number)) {
                swap_halves(space, layer, block, number, states);
            }
        }
        return;
    }
    let exponent = number as u8 + 1;
    let weighed = space.weighed();
    layer.fold_rows(
        chosen,
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

/// Places the boards of a block upside down, after a tile has fallen into the bottom: of four rows the
/// halves change places. What becomes of each half is looked up once, not for every board.
fn swap_halves(space: &Space, layer: &Layer, block: &Block, number: usize, states: &Marker) {
    let top_units = block.bottom_units + tile_units(number);
    // For each bottom the ranks of the tops that it becomes, times two, plus one if it is mirrored.
    let bottoms = space.bottom_group(block);
    let mut first = Vec::with_capacity(bottoms.len() + 1);
    let mut turned = Vec::new();
    let outside = 16 - 4 * u32::from(space.rules.shape().cols());
    let cells = (0..32).step_by(4).filter(|at| at % 16 >= outside);
    for &bottom in bottoms {
        first.push(turned.len());
        for at in cells.clone().filter(|at| bottom >> at & 15 == 0) {
            let half = bottom | (number as u32 + 1) << at;
            let (a, b) = space.top_infos(half.rotate_right(16));
            let mut place = |mirrored: bool| {
                turned.push(2 * space.top_rank(a, b, mirrored) + u32::from(mirrored));
            };
            place(a.is_less());
            if a.is_palindrome() {
                place(true);
            }
        }
    }
    first.push(turned.len());
    layer.fold_rows(
        |other| other.top_units == block.top_units,
        || Batch::new(states),
        |batch, block, row, words| {
            let (a, b) = space.top_infos(space.top(block, row));
            let halves = &space.bottoms.halves;
            let rank = |mirrored| {
                halves.rank(block.top_units, a, a.rank(mirrored), b, b.rank(mirrored)) as usize
            };
            let bits = [rank(false), rank(true)];
            for_each_bit(words.iter().copied(), |bottom| {
                for &to in &turned[first[bottom]..first[bottom + 1]] {
                    batch.mark(Place {
                        top_units,
                        row: (to / 2) as usize,
                        bit: bits[(to % 2) as usize],
                    });
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
