//! Encoding the file of a layer, as [`LayerFile`](crate::layer::LayerFile) reads it.

use std::ops::Range;

use rayon::prelude::*;
use tilebase_game::Move;
use tilebase_index::BoardSet;

use crate::keys::{CHUNK, Run, join};
use crate::layer::{BLOCK, HEAD, LayerBytes, LayerSets, MAGIC, SAME};
use crate::manifest::{Content, LayerEntry};
use crate::pages::seal;
use crate::value::StoredValue;

/// Numbers that a thread encodes at a time.
const RUN: u32 = (64 * CHUNK) as u32;

/// A layer's file, ready to be written.
pub struct EncodedLayer {
    pub(crate) bytes: Vec<u8>,
    pub(crate) entry: LayerEntry,
}

/// Values in blocks: a directory of where each begins, counted from the end of the directory,
/// then the values of all blocks. A block of equal values, such as sure wins, is stored as one.
fn pack_values(data: &[u8], size: usize) -> Vec<u8> {
    let blocks: Vec<&[u8]> = data.chunks(BLOCK * size).collect();
    let kept: Vec<(bool, &[u8])> = blocks
        .into_par_iter()
        .map(|block| {
            let (first, rest) = block.split_at(size.min(block.len()));
            let same = rest.chunks(size).all(|value| value == first);
            if same { (true, first) } else { (false, block) }
        })
        .collect();
    let total = kept.iter().map(|(_, block)| 8 + block.len()).sum();
    let mut packed = Vec::with_capacity(total);
    let mut at = 0u64;
    for (same, block) in &kept {
        packed.extend((at | if *same { SAME } else { 0 }).to_le_bytes());
        at += block.len() as u64;
    }
    for (_, block) in kept {
        packed.extend(block);
    }
    packed
}

/// What a table stores of a layer, besides its boards.
pub enum LayerData<'a, V> {
    /// The values of its afterstates.
    Values(&'a [V]),
    /// The values of its afterstates, to be rounded.
    Rounded(&'a [V]),
    /// The best moves of its states.
    Moves(&'a [Move]),
    /// The best moves of its states and their values, to be rounded.
    BestPlay(&'a [Move], &'a [V]),
}

impl<V: StoredValue> LayerData<'_, V> {
    /// What the table stores.
    pub const fn content(&self) -> Content {
        match self {
            LayerData::Values(_) => Content::Values,
            LayerData::Rounded(_) => Content::Rounded,
            LayerData::Moves(_) => Content::Moves,
            LayerData::BestPlay(..) => Content::BestPlay,
        }
    }

    /// The bytes of the moves and of the values of the layer with a tile sum.
    fn encode(&self, sum: u32) -> (Vec<u8>, Vec<u8>) {
        match self {
            LayerData::Values(values) => {
                let bytes = pack_values(bytemuck::cast_slice(values), size_of::<V>());
                (Vec::new(), bytes)
            }
            LayerData::Rounded(values) => (Vec::new(), pack_rounded(values)),
            LayerData::Moves(moves) => (pack_moves(moves), Vec::new()),
            LayerData::BestPlay(moves, values) => {
                let mut moves = pack_moves(moves);
                moves.resize(moves.len().next_multiple_of(8), 0);
                let values = match self.content().keeps_values(sum, V::KIND) {
                    true => pack_rounded(values),
                    false => Vec::new(),
                };
                (moves, values)
            }
        }
    }
}

/// Moves in two bits each.
fn pack_moves(moves: &[Move]) -> Vec<u8> {
    let byte = |four: &[Move]| {
        four.iter()
            .rev()
            .fold(0, |byte, m| byte << 2 | m.index() as u8)
    };
    moves.chunks(4).map(byte).collect()
}

/// Values in 16 bits each, in blocks.
fn pack_rounded<V: StoredValue>(values: &[V]) -> Vec<u8> {
    let rounded: Vec<u16> = values.par_iter().map(|value| value.round()).collect();
    pack_values(bytemuck::cast_slice(&rounded), size_of::<u16>())
}

/// Makes the file of a layer, or of a part of it; none if the table leaves it out.
pub fn encode_layer<V: StoredValue>(
    sets: &LayerSets,
    data: LayerData<V>,
    sure_wins: u64,
    sure_losses: u64,
) -> EncodedLayer {
    let content = data.content();
    let sum = sets.states.index().sum();
    let facts = LayerFacts {
        sum,
        states: sets.states.len(),
        afterstates: match content.lists_afterstates() {
            true => sets.afterstates.len(),
            false => 0,
        },
        sure_wins,
        sure_losses,
    };
    if content.leaves_out(sum) {
        return facts.left_out();
    }
    let listed = |listed: bool, set: &BoardSet| match listed {
        true => keys(set),
        false => EncodedKeys::default(),
    };
    let states = listed(content.lists_states(), &sets.states);
    let afterstates = listed(content.lists_afterstates(), &sets.afterstates);
    facts.encode([states, afterstates], &data)
}

/// What a table notes of a layer, besides what its file has.
#[derive(Clone, Copy, Debug)]
pub struct LayerFacts {
    /// Tile sum.
    pub sum: u32,
    /// Live states.
    pub states: u64,
    /// Afterstates without the target.
    pub afterstates: u64,
    /// States that are sure wins.
    pub sure_wins: u64,
    /// States that are sure losses.
    pub sure_losses: u64,
}

impl LayerFacts {
    /// Makes the file of a layer of a rounded table, from the positions of its afterstates in
    /// increasing order and their values. Both may be empty if the table leaves the layer out.
    pub fn encode_rounded<V: StoredValue>(&self, positions: &[u64], values: &[V]) -> EncodedLayer {
        if Content::Rounded.leaves_out(self.sum) {
            return self.left_out();
        }
        let copy = |ranks: Range<u32>| positions[ranks.start as usize..ranks.end as usize].to_vec();
        let afterstates = encode_keys(positions.len() as u64, copy);
        let data = LayerData::Rounded(values);
        self.encode([EncodedKeys::default(), afterstates], &data)
    }

    /// A layer without a file.
    fn left_out(&self) -> EncodedLayer {
        EncodedLayer {
            bytes: Vec::new(),
            entry: self.entry(LayerBytes::default(), 0, String::new()),
        }
    }

    fn entry(&self, sections: LayerBytes, bytes: u64, checksum: String) -> LayerEntry {
        LayerEntry {
            sum: self.sum,
            states: self.states,
            sure_wins: self.sure_wins,
            sure_losses: self.sure_losses,
            afterstates: self.afterstates,
            sections,
            bytes,
            checksum,
        }
    }

    /// The file with the keys of states and of afterstates.
    fn encode<V: StoredValue>(&self, keys: [EncodedKeys; 2], data: &LayerData<V>) -> EncodedLayer {
        let (moves, values) = data.encode(self.sum);
        let [states, afterstates] = &keys;
        let mut sections = LayerBytes {
            states: states.bytes(),
            afterstates: afterstates.bytes(),
            values: values.len() as u64,
            moves: moves.len() as u64,
            other: 0,
        };
        let content = data.content();
        let body = HEAD + (sections.states + sections.afterstates) as usize;
        let body = body + moves.len() + values.len();
        let mut bytes = Vec::with_capacity(body * 17 / 16 + 64);
        bytes.extend(MAGIC);
        bytes.extend(content.format().to_le_bytes());
        bytes.extend(self.sum.to_le_bytes());
        bytes.extend(states.len.to_le_bytes());
        bytes.extend(afterstates.len.to_le_bytes());
        bytes.extend((states.codes.len() as u64).to_le_bytes());
        bytes.extend((afterstates.codes.len() as u64).to_le_bytes());
        bytes.resize(HEAD, 0);
        for keys in keys {
            bytes.extend(keys.directory);
            bytes.extend(keys.codes);
        }
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        bytes.extend(moves);
        bytes.extend(values);
        let checksum = seal(&mut bytes);
        sections.other = bytes.len() as u64 - sections.total();
        EncodedLayer {
            entry: self.entry(sections, bytes.len() as u64, checksum),
            bytes,
        }
    }
}

/// The encoded positions of a set.
#[derive(Default)]
struct EncodedKeys {
    len: u64,
    directory: Vec<u8>,
    codes: Vec<u8>,
}

impl EncodedKeys {
    fn bytes(&self) -> u64 {
        (self.directory.len() + self.codes.len()) as u64
    }
}

/// The directory and the codes of a set's positions in the whole layer.
fn keys(set: &BoardSet) -> EncodedKeys {
    let before = set.index().first_position();
    encode_keys(set.len(), |ranks| {
        let mut positions = Vec::with_capacity(RUN as usize);
        set.for_each_rank(ranks, |position| positions.push(before + position));
        positions
    })
}

/// The directory and the codes of positions, of which `positions` has those of some ranks.
fn encode_keys(len: u64, positions: impl Fn(Range<u32>) -> Vec<u64> + Sync) -> EncodedKeys {
    let ranks = len as u32;
    let run = |first: u32| Run::encode(&positions(first..ranks.min(first.saturating_add(RUN))));
    let firsts: Vec<u32> = (0..ranks).step_by(RUN as usize).collect();
    let runs: Vec<Run> = firsts.into_par_iter().map(run).collect();
    let (directory, codes) = join(&runs);
    EncodedKeys {
        len,
        directory,
        codes,
    }
}
