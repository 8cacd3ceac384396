//! The files of one layer: one, or one for each shard.

use std::sync::Arc;

use tilebase_game::{Board, Move};
use tilebase_index::{BoardSet, LayerIndex};
use tilebase_util::files::FileError;

use crate::error::TableError;
use crate::layer::{LayerFile, LayerSets, List};
use crate::value::StoredValue;

/// A layer's files, in the order of the positions of their boards.
pub(crate) struct LayerFiles {
    files: Vec<LayerFile>,
    /// For each list, the files that have boards, each with a position that is not after its first.
    starts: [Vec<(u64, usize)>; 2],
}

impl LayerFiles {
    /// A layer in files, of which there is at least one.
    pub fn new(files: Vec<LayerFile>) -> Result<LayerFiles, FileError> {
        let mut starts = [Vec::new(), Vec::new()];
        for (at, file) in files.iter().enumerate() {
            for (starts, list) in starts.iter_mut().zip(List::BOTH) {
                if files.len() == 1 {
                    // Its first position need not be read.
                    starts.push((0, at));
                } else if let Some(first) = file.first(list)? {
                    let last = starts.last().map(|&(last, _)| last);
                    file.comes_after(last, first)?;
                    starts.push((first, at));
                }
            }
        }
        Ok(LayerFiles { files, starts })
    }

    fn index(&self) -> &LayerIndex {
        self.files[0].index()
    }

    /// A canonical upright board in a list.
    pub fn find(&self, list: List, canonical: Board) -> Result<Option<Found<'_>>, FileError> {
        let Some(position) = self.index().position(canonical) else {
            return Ok(None);
        };
        let starts = &self.starts[list as usize];
        let after = starts.partition_point(|&(first, _)| first <= position);
        let Some(&(_, at)) = starts[..after].last() else {
            return Ok(None);
        };
        let file = &self.files[at];
        let rank = file.find(list, position)?;
        Ok(rank.map(|rank| Found { file, rank }))
    }

    /// A list in memory.
    fn set(&self, list: List) -> Result<BoardSet, TableError> {
        let mut all: Vec<u64> = Vec::new();
        for file in &self.files {
            let positions = file.positions(list)?;
            if let Some(&first) = positions.first() {
                file.comes_after(all.last().copied(), first)?;
            }
            match all.is_empty() {
                true => all = positions,
                false => all.extend(positions),
            }
        }
        BoardSet::at(self.index().clone(), all).map_err(TableError::System)
    }

    /// Both lists in memory.
    pub fn sets(&self) -> Result<LayerSets, TableError> {
        Ok(LayerSets {
            states: Arc::new(self.set(List::States)?),
            afterstates: self.set(List::Afterstates)?,
        })
    }

    /// The values of all afterstates, where they are stored in full.
    pub fn values<V: StoredValue>(&self) -> Result<Vec<V>, FileError> {
        let mut all = Vec::new();
        for file in &self.files {
            all.extend(file.values::<V>()?);
        }
        Ok(all)
    }

    /// Everything in a list, by rank.
    pub fn all(&self, list: List) -> impl Iterator<Item = Found<'_>> {
        let files = self.files.iter();
        files.flat_map(move |file| (0..file.len(list)).map(move |rank| Found { file, rank }))
    }
}

/// A board that a layer's files have.
#[derive(Clone, Copy)]
pub(crate) struct Found<'a> {
    file: &'a LayerFile,
    rank: u64,
}

impl Found<'_> {
    /// Its value, if the list is the one whose boards have values.
    pub fn value<V: StoredValue>(self) -> Result<V, FileError> {
        self.file.value(self.rank)
    }

    /// The best move of a state, on its canonical upright board.
    pub fn best_move(self) -> Result<Move, FileError> {
        self.file.best_move(self.rank)
    }
}
