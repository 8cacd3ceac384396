//! The file of one layer.
//!
//! A header, the states' directory and codes, the afterstates' directory and codes, and the
//! values of the afterstates or the best moves of the states. docs/tables.md has the layout.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tilebase_game::Move;
use tilebase_index::{BoardSet, LayerIndex};
use tilebase_util::files::FileError;

use crate::bytes::Bytes;
use crate::keys::{CHUNK, ENTRY, Entry, PADDING, Walk};
use crate::manifest::{Content, LayerEntry};
use crate::pages::Pages;
use crate::value::StoredValue;

pub(crate) const MAGIC: &[u8; 8] = b"TBTABLE\0";
pub(crate) const HEAD: usize = 64;

/// Bytes of each section of a layer's file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerBytes {
    /// Which boards are states.
    pub states: u64,
    /// Which boards are afterstates.
    pub afterstates: u64,
    /// The values of the afterstates, or of the states.
    pub values: u64,
    /// Best moves of the states.
    pub moves: u64,
    /// Header and checksums.
    pub other: u64,
}

impl LayerBytes {
    /// The size of all sections.
    pub fn total(self) -> u64 {
        self.states + self.afterstates + self.values + self.moves + self.other
    }

    /// The sizes of two layers together.
    #[must_use]
    pub fn together(self, other: LayerBytes) -> LayerBytes {
        LayerBytes {
            states: self.states + other.states,
            afterstates: self.afterstates + other.afterstates,
            values: self.values + other.values,
            moves: self.moves + other.moves,
            other: self.other + other.other,
        }
    }
}

/// The boards of a layer.
pub struct LayerSets {
    /// The live states.
    pub states: Arc<BoardSet>,
    /// The afterstates without a target tile; of a table with moves only, none.
    pub afterstates: BoardSet,
}

/// Values that share an entry of their directory.
pub(crate) const BLOCK: usize = 256;
/// Marks a block whose values are all the same: it is stored once.
pub(crate) const SAME: u64 = 1 << 63;

/// Which boards of a layer a file lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum List {
    States,
    Afterstates,
}

impl List {
    /// Both lists.
    pub const BOTH: [List; 2] = [List::States, List::Afterstates];
}

/// One of a layer's lists of boards in its file.
#[derive(Clone, Copy)]
struct Keys {
    len: u64,
    directory: usize,
    codes: usize,
    end: usize,
}

/// A layer's file, open for probing.
pub(crate) struct LayerFile {
    pages: Pages,
    index: LayerIndex,
    content: Content,
    states: Keys,
    afterstates: Keys,
    /// Where the moves, or else the values begin.
    data: usize,
}

impl LayerFile {
    /// The file of an entry, given its content.
    pub fn open(
        path: &Path,
        bytes: Bytes,
        entry: &LayerEntry,
        content: Content,
        index: LayerIndex,
    ) -> Result<LayerFile, FileError> {
        let pages = Pages::of(path, bytes, entry.bytes, &entry.checksum)?;
        let head = pages.bytes(0..HEAD.min(pages.len()))?;
        let field = |at: usize| {
            let bytes = head.get(at..).and_then(|rest| rest.first_chunk());
            bytes.map_or(u64::MAX, |bytes| u64::from_le_bytes(*bytes))
        };
        let known = u64::from(content.format()) | u64::from(entry.sum) << 32;
        let listed = match content.lists_states() {
            true => entry.states,
            false => 0,
        };
        if head.get(..8) != Some(MAGIC) || field(8) != known || field(16) != listed {
            return Err(pages.nonsense());
        }
        let afterstates = field(24);
        let mut at = HEAD as u64;
        let mut keys = |len: u64, codes_len: u64| {
            let directory = at;
            let codes =
                directory.checked_add(len.div_ceil(CHUNK as u64).checked_mul(ENTRY as u64)?)?;
            at = codes.checked_add(codes_len)?;
            (at <= pages.len() as u64).then_some(Keys {
                len,
                directory: directory as usize,
                codes: codes as usize,
                end: at as usize,
            })
        };
        let states = keys(listed, field(32)).ok_or_else(|| pages.nonsense())?;
        let afterstates = keys(afterstates, field(40)).ok_or_else(|| pages.nonsense())?;
        Ok(LayerFile {
            data: (at as usize).next_multiple_of(8),
            pages,
            index,
            content,
            states,
            afterstates,
        })
    }

    /// The index of the layer's boards.
    pub fn index(&self) -> &LayerIndex {
        &self.index
    }

    fn keys(&self, list: List) -> Keys {
        match list {
            List::States => self.states,
            List::Afterstates => self.afterstates,
        }
    }

    /// Number of boards in a list.
    pub fn len(&self, list: List) -> u64 {
        self.keys(list).len
    }

    /// The position of the first board of a list, if there is one.
    pub fn first(&self, list: List) -> Result<Option<u64>, FileError> {
        match self.len(list) {
            0 => Ok(None),
            _ => Ok(Some(self.entry(self.keys(list), 0)?.first)),
        }
    }

    /// Fails if the first position is not after the last one of the file before.
    pub fn comes_after(&self, last: Option<u64>, first: u64) -> Result<(), FileError> {
        match last.is_none_or(|last| last < first) {
            true => Ok(()),
            false => Err(self.pages.damaged("its boards belong into another shard")),
        }
    }

    fn entry(&self, keys: Keys, chunk: usize) -> Result<Entry, FileError> {
        let at = keys.directory + chunk * ENTRY;
        let bytes = self.pages.bytes(at..at + ENTRY)?;
        Entry::read(bytes).ok_or_else(|| self.pages.nonsense())
    }

    /// The numbers of a chunk.
    fn walk(&self, keys: Keys, chunk: usize, entry: Entry) -> Result<Walk<'_>, FileError> {
        let chunks = (keys.len as usize).div_ceil(CHUNK);
        let from = keys.codes.saturating_add((entry.at / 8) as usize);
        // Up to the next chunk, and some more so that eight bytes can be read at once.
        let end = if chunk + 1 < chunks {
            keys.codes + (self.entry(keys, chunk + 1)?.at / 8) as usize + PADDING
        } else {
            keys.end
        };
        let codes = self.pages.bytes(from..end.min(keys.end))?;
        let len = (keys.len as usize - chunk * CHUNK).min(CHUNK);
        Ok(Walk::new(codes, entry, len))
    }

    /// The rank of a position, if it is in a list.
    pub fn find(&self, list: List, position: u64) -> Result<Option<u64>, FileError> {
        let keys = self.keys(list);
        let (mut low, mut high) = (0, (keys.len as usize).div_ceil(CHUNK));
        while low < high {
            let middle = low.midpoint(high);
            if self.entry(keys, middle)?.first <= position {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let Some(chunk) = low.checked_sub(1) else {
            return Ok(None);
        };
        let entry = self.entry(keys, chunk)?;
        for (i, number) in self.walk(keys, chunk, entry)?.enumerate() {
            if number >= position {
                let rank = (chunk * CHUNK + i) as u64;
                return Ok((number == position).then_some(rank));
            }
        }
        Ok(None)
    }

    fn data(&self, range: Range<u64>) -> Result<&[u8], FileError> {
        let at = |offset: u64| self.data.saturating_add(offset as usize);
        self.pages.bytes(at(range.start)..at(range.end))
    }

    /// The value of the afterstate with a rank, or of the state where those have values.
    pub fn value<V: StoredValue>(&self, rank: u64) -> Result<V, FileError> {
        match self.content {
            Content::Rounded | Content::BestPlay => self.word(rank).map(V::from_rounded),
            Content::Values | Content::Moves => self.word(rank),
        }
    }

    /// What is stored as a value.
    fn word<T: bytemuck::AnyBitPattern>(&self, rank: u64) -> Result<T, FileError> {
        let size = size_of::<T>() as u64;
        let (same, at) = self.block(rank / BLOCK as u64)?;
        let at = if same {
            at
        } else {
            at + rank % BLOCK as u64 * size
        };
        let bytes = self.data(at..at.saturating_add(size))?;
        bytemuck::try_pod_read_unaligned(bytes).map_err(|_| self.pages.nonsense())
    }

    /// The values of all afterstates.
    pub fn values<V: StoredValue>(&self) -> Result<Vec<V>, FileError> {
        let len = self.afterstates.len;
        let mut values = Vec::with_capacity(len as usize);
        for block in 0..len.div_ceil(BLOCK as u64) {
            let count = (len as usize - values.len()).min(BLOCK);
            let (same, at) = self.block(block)?;
            let size = (size_of::<V>() * if same { 1 } else { count }) as u64;
            let bytes = self.data(at..at.saturating_add(size))?;
            let block: &[V] = bytemuck::try_cast_slice(bytes).map_err(|_| self.pages.nonsense())?;
            if same {
                values.resize(values.len() + count, block[0]);
            } else {
                values.extend(block);
            }
        }
        Ok(values)
    }

    /// Whether the values of a block are all the same, and where they begin.
    fn block(&self, block: u64) -> Result<(bool, u64), FileError> {
        let (valued, first) = match self.content {
            // The moves come first, in whole words.
            Content::BestPlay => (self.states.len, self.states.len.div_ceil(32) * 8),
            _ => (self.afterstates.len, 0),
        };
        let directory = first + 8 * valued.div_ceil(BLOCK as u64);
        let bytes = self.data(first + 8 * block..first + 8 * block + 8)?;
        let entry = bytes.first_chunk().map_or(0, |b| u64::from_le_bytes(*b));
        let at = directory.saturating_add(entry & !SAME);
        Ok((entry & SAME != 0, at))
    }

    /// The best move of the state with a rank, on its canonical upright board.
    pub fn best_move(&self, rank: u64) -> Result<Move, FileError> {
        let byte = self.data(rank / 4..rank / 4 + 1)?[0];
        Ok(Move::ALL[usize::from(byte >> (2 * (rank % 4)) & 3)])
    }

    /// The positions of a list in the layer, or in the part of it that the index is of.
    pub fn positions(&self, list: List) -> Result<Vec<u64>, FileError> {
        let keys = self.keys(list);
        let chunks = (keys.len as usize).div_ceil(CHUNK);
        let mut positions = Vec::with_capacity(keys.len as usize);
        for chunk in 0..chunks {
            let entry = self.entry(keys, chunk)?;
            positions.extend(self.walk(keys, chunk, entry)?);
        }
        let before = self.index.first_position();
        let inside = before..before + self.index.positions();
        let ends = positions.first().into_iter().chain(positions.last());
        if positions.len() as u64 != keys.len
            || !positions.is_sorted_by(|a, b| a < b)
            || !ends.into_iter().all(|position| inside.contains(position))
        {
            return Err(self.pages.nonsense());
        }
        positions
            .iter_mut()
            .for_each(|position| *position -= before);
        Ok(positions)
    }

    /// Checks all pages.
    pub fn check_pages(&self) -> Result<(), FileError> {
        self.pages.check_all()
    }
}
