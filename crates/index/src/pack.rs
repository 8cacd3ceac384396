//! Compressed layers: a third of the size or less.

use rayon::prelude::*;
use tilebase_game::Board;

use crate::buffer::Buffer;
use crate::codec::{Decoder, Encoder};
use crate::layer::{Block, Layer, Layout, Part, for_each_bit};
use crate::space::{Place, Space};

/// Words of a layer that go into one section: enough for the code to settle, few enough
/// for all cores.
const SECTION_WORDS: usize = 1 << 17;

/// Consecutive rows of a block, packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Sum of the tops, in units of 2.
    pub top_units: u32,
    /// The first row.
    pub first_row: u32,
    /// Number of boards.
    pub count: u64,
    /// Their bits, numbered from the first row on without the padding, as codes.
    pub bytes: Vec<u8>,
}

/// Packs the boards of a part of a layer that `keep` accepts. Sections without a board are
/// left out.
pub fn pack(
    space: &Space,
    layer: &Layer,
    part: Part,
    keep: impl Fn(Board) -> bool + Sync,
) -> Vec<Section> {
    let mut tasks = Vec::new();
    for block in layer
        .layout
        .blocks
        .iter()
        .filter(|b| b.rows > 0 && part.has(b.top_units))
    {
        let rows = (SECTION_WORDS / block.stride).max(1);
        tasks.extend(
            (0..block.rows)
                .step_by(rows)
                .map(|first| (block, first, rows)),
        );
    }
    let encode = |(block, first, rows): (&Block, usize, usize)| {
        let mut encoder = Encoder::new();
        let mut count = 0;
        let bottoms = space.bottom_group(block);
        for row in first..block.rows.min(first + rows) {
            let top = space.top(block, row);
            let from = ((row - first) * block.bits) as u64;
            let words = layer.row(block.top_units, row).unwrap_or(&[]);
            for_each_bit(words.iter().copied(), |bit| {
                if keep(space.board(top, bottoms[bit])) {
                    encoder.push(from + bit as u64);
                    count += 1;
                }
            });
        }
        Section {
            top_units: block.top_units as u32,
            first_row: first as u32,
            count,
            bytes: encoder.finish(),
        }
    };
    let sections: Vec<Section> = if layer.is_small() {
        tasks.into_iter().map(encode).collect()
    } else {
        tasks.into_par_iter().with_max_len(1).map(encode).collect()
    };
    sections
        .into_iter()
        .filter(|section| section.count > 0)
        .collect()
}

/// A set of boards of a layer, packed or not.
pub enum SetData {
    /// Compressed, to be written to disk.
    Packed(Vec<Section>),
    /// As a bitmap, to be used at once.
    Bits(Buffer),
}

impl SetData {
    /// The empty set.
    pub const EMPTY: SetData = SetData::Packed(Vec::new());
}

/// The form of a [`SetData`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetForm {
    /// Compressed.
    Packed,
    /// A bitmap.
    Bits,
}

/// The boards of a whole layer that `keep` accepts.
pub fn select(
    space: &Space,
    layer: &Layer,
    form: SetForm,
    keep: impl Fn(Board) -> bool + Sync,
) -> std::io::Result<SetData> {
    if form == SetForm::Packed {
        return Ok(SetData::Packed(pack(space, layer, Part::ALL, keep)));
    }
    let buffer = Buffer::new(layer.layout.words())?;
    let mut kept = Layer::new(layer.layout.clone(), buffer);
    kept.fill_rows(
        |_| true,
        || (),
        |block, row, out, ()| {
            let top = space.top(block, row);
            let bottoms = space.bottom_group(block);
            let words = layer.row(block.top_units, row).unwrap_or(&[]);
            out.fill(0);
            for_each_bit(words.iter().copied(), |bit| {
                if keep(space.board(top, bottoms[bit])) {
                    out[bit / 64] |= 1 << (bit % 64);
                }
            });
        },
    );
    Ok(SetData::Bits(kept.into_buffer()))
}

/// The error of a section that does not fit its layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidSection;

impl Section {
    /// Calls `visit` with the row and the bit of every board.
    pub fn for_each(
        &self,
        layout: &Layout,
        mut visit: impl FnMut(&Block, usize, usize),
    ) -> Result<(), InvalidSection> {
        let block = layout
            .block(self.top_units as usize)
            .filter(|b| b.bits > 0)
            .ok_or(InvalidSection)?;
        let mut decoder = Decoder::new(&self.bytes);
        for _ in 0..self.count {
            let number = usize::try_from(decoder.pull()).map_err(|_| InvalidSection)?;
            let row = self.first_row as usize + number / block.bits;
            if row >= block.rows {
                return Err(InvalidSection);
            }
            visit(block, row, number % block.bits);
        }
        Ok(())
    }

    /// Calls `visit` with every board.
    pub fn for_each_board(
        &self,
        space: &Space,
        layout: &Layout,
        mut visit: impl FnMut(Board),
    ) -> Result<(), InvalidSection> {
        self.for_each(layout, |block, row, bit| {
            visit(space.board(space.top(block, row), space.bottom_group(block)[bit]));
        })
    }
}

/// Clears the blocks of a part of a layer and puts the packed boards back into them.
pub fn unpack(sections: &[Section], layer: &mut Layer, part: Part) -> Result<(), InvalidSection> {
    layer.fill_rows(
        |block| part.has(block.top_units),
        || (),
        |_, _, row, ()| row.fill(0),
    );
    let layout = layer.layout.clone();
    let marker = layer.marker();
    let inside = |section: &&Section| part.has(section.top_units as usize);
    sections.par_iter().filter(inside).try_for_each(|section| {
        section.for_each(&layout, |block, row, bit| {
            marker.mark(Place {
                top_units: block.top_units,
                row,
                bit,
            });
        })
    })
}

/// Clears a layer and puts all images of the packed boards into it.
pub fn unpack_closed(
    space: &Space,
    sections: &[Section],
    layer: &mut Layer,
) -> Result<(), InvalidSection> {
    layer.fill_rows(|_| true, || (), |_, _, row, ()| row.fill(0));
    let layout = layer.layout.clone();
    let marker = layer.marker();
    sections.par_iter().try_for_each(|section| {
        section.for_each_board(space, &layout, |board| {
            space.closed_places(board, |place: Place| marker.mark(place))
        })
    })
}
