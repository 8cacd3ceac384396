//! Encoding the file of a layer, as [`LayerFile`](crate::layer::LayerFile) reads it.

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
    if content.leaves_out(sum) {
        return EncodedLayer {
            bytes: Vec::new(),
            entry: LayerEntry {
                sum,
                states: sets.states.len(),
                sure_wins,
                sure_losses,
                afterstates: sets.afterstates.len(),
                sections: LayerBytes::default(),
                bytes: 0,
                checksum: String::new(),
            },
        };
    }
    let listed = |listed: bool, set: &BoardSet| match listed {
        true => (set.len(), keys(set)),
        false => (0, EncodedKeys::default()),
    };
    let (listed_states, states) = listed(content.lists_states(), &sets.states);
    let (afterstates, after_keys) = listed(content.lists_afterstates(), &sets.afterstates);
    let (moves, values) = data.encode(sum);
    let mut sections = LayerBytes {
        states: states.bytes(),
        afterstates: after_keys.bytes(),
        values: values.len() as u64,
        moves: moves.len() as u64,
        other: 0,
    };
    let data = [moves, values].concat();
    let body = HEAD + (sections.states + sections.afterstates) as usize + data.len();
    let mut bytes = Vec::with_capacity(body * 17 / 16 + 64);
    bytes.extend(MAGIC);
    bytes.extend(content.format().to_le_bytes());
    bytes.extend(sum.to_le_bytes());
    bytes.extend(listed_states.to_le_bytes());
    bytes.extend(afterstates.to_le_bytes());
    bytes.extend((states.codes.len() as u64).to_le_bytes());
    bytes.extend((after_keys.codes.len() as u64).to_le_bytes());
    bytes.resize(HEAD, 0);
    for keys in [states, after_keys] {
        bytes.extend(keys.directory);
        bytes.extend(keys.codes);
    }
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes.extend(data);
    let checksum = seal(&mut bytes);
    sections.other = bytes.len() as u64 - sections.total();
    EncodedLayer {
        entry: LayerEntry {
            sum,
            states: sets.states.len(),
            sure_wins,
            sure_losses,
            afterstates,
            sections,
            bytes: bytes.len() as u64,
            checksum,
        },
        bytes,
    }
}

/// The encoded positions of a set.
#[derive(Default)]
struct EncodedKeys {
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
    let len = set.len() as u32;
    let before = set.index().first_position();
    let run = |first: u32| {
        let mut positions = Vec::with_capacity(RUN as usize);
        set.for_each_rank(first..len.min(first.saturating_add(RUN)), |position| {
            positions.push(before + position);
        });
        Run::encode(&positions)
    };
    let firsts: Vec<u32> = (0..len).step_by(RUN as usize).collect();
    let runs: Vec<Run> = firsts.into_par_iter().map(run).collect();
    let (directory, codes) = join(&runs);
    EncodedKeys { directory, codes }
}
