//! A rounded table of a game that is solved on a GPU. Layers come back as lists of afterstates and
//! their values; a thread encodes and writes them while the GPU solves the next ones.

use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};

use bytemuck::Pod;
use rayon::prelude::*;
use tilebase_game::Variant;
use tilebase_gpu::{Gpu, GpuBuffer, GpuError, PinnedBuffer};
use tilebase_table::{
    Content, LayerFacts, Manifest, Objective, Start, StoredValue, TableError, TableWriter,
    with_value_type,
};

use crate::error::SolveError;

use super::Width;
use super::answers::decode;
use super::kernels::Kernels;
use super::ranked::Ranked;

/// Layers on the way from the GPU to the files.
const IN_FLIGHT: usize = 3;

/// A layer that came back from the GPU.
pub(super) struct Fetched {
    facts: LayerFacts,
    /// The positions of the afterstates, then their values. A table leaves out some layers.
    memory: Option<PinnedBuffer<u64>>,
}

/// Takes the solved layers from the GPU.
pub(super) struct TableFeed {
    width: Width,
    /// The positions of a layer's afterstates on the GPU.
    positions: GpuBuffer<u64>,
    layers: SyncSender<Fetched>,
    /// Memory of layers that are written.
    written: Receiver<PinnedBuffer<u64>>,
    allocated: usize,
}

impl TableFeed {
    /// A feed for layers of at most so many afterstates, and what writes them.
    pub fn new(
        gpu: &Gpu,
        width: Width,
        afterstates: u64,
    ) -> Result<(TableFeed, LayerQueue), GpuError> {
        let (layers, fetched) = sync_channel(IN_FLIGHT);
        let (done, written) = channel();
        let feed = TableFeed {
            width,
            positions: gpu.zeros(afterstates as usize)?,
            layers,
            written,
            allocated: 0,
        };
        let queue = LayerQueue {
            width,
            fetched,
            done,
        };
        Ok((feed, queue))
    }

    /// Copies a layer to this machine's memory. Returns false if the writer has failed.
    pub fn take(
        &mut self,
        gpu: &Gpu,
        kernels: &Kernels,
        facts: LayerFacts,
        afterstates: &Ranked,
        values: &GpuBuffer<u64>,
    ) -> Result<bool, GpuError> {
        let mut memory = None;
        if !Content::Rounded.leaves_out(facts.sum) {
            let boards = facts.afterstates as usize;
            let values_words = value_words(self.width, boards);
            kernels.positions(gpu, afterstates, &mut self.positions)?;
            let Some(mut to) = self.memory(gpu, boards + values_words)? else {
                return Ok(false);
            };
            let (stream, error) = (gpu.stream(), GpuError::driver("reading from the GPU"));
            let all = to.as_mut_slice().map_err(&error)?;
            let (own, rest) = all.split_at_mut(boards);
            if boards > 0 {
                stream
                    .memcpy_dtoh(&self.positions.slice(0..boards), own)
                    .and_then(|()| {
                        let values = values.slice(0..values_words);
                        stream.memcpy_dtoh(&values, &mut rest[..values_words])
                    })
                    .and_then(|()| stream.synchronize())
                    .map_err(&error)?;
            }
            memory = Some(to);
        }
        Ok(self.layers.send(Fetched { facts, memory }).is_ok())
    }

    /// Memory of at least so many words; `None` if the writer has failed.
    fn memory(&mut self, gpu: &Gpu, words: usize) -> Result<Option<PinnedBuffer<u64>>, GpuError> {
        let free = if self.allocated < IN_FLIGHT {
            self.allocated += 1;
            None
        } else {
            match self.written.recv() {
                Ok(memory) => Some(memory),
                Err(_) => return Ok(None),
            }
        };
        let is_large = |memory: &PinnedBuffer<u64>| memory.len() >= words;
        match free.filter(is_large) {
            Some(memory) => Ok(Some(memory)),
            // Neighbouring layers are about as large: leave room for them.
            None => gpu
                .pinned_for_reading(words + words / 4, "reading a layer from the GPU")
                .map(Some),
        }
    }
}

/// Words that values take.
fn value_words(width: Width, boards: usize) -> usize {
    (boards * width.bytes() as usize).div_ceil(8)
}

/// The layers that come back.
pub(super) struct LayerQueue {
    width: Width,
    fetched: Receiver<Fetched>,
    done: std::sync::mpsc::Sender<PinnedBuffer<u64>>,
}

impl LayerQueue {
    /// Writes all layers to a table.
    pub fn write(self, objective: Objective, table: &mut TableWriter) -> Result<(), SolveError> {
        with_value_type!(objective, V => self.write_as::<V>(objective, table))
    }

    fn write_as<V: StoredValue + Pod>(
        self,
        objective: Objective,
        table: &mut TableWriter,
    ) -> Result<(), SolveError> {
        for Fetched { facts, memory } in self.fetched {
            let Some(memory) = memory else {
                table.write(facts.encode_rounded::<V>(&[], &[]))?;
                continue;
            };
            let words = memory.as_slice();
            let words = words.map_err(GpuError::driver("reading a layer from the GPU"))?;
            let boards = facts.afterstates as usize;
            let (positions, rest) = words.split_at(boards);
            let value = |bits: u64| decode::<V>(self.width.widened(objective, bits));
            let values: Vec<V> = match self.width {
                Width::Bits64 => rest[..boards].par_iter().map(|&bits| value(bits)).collect(),
                Width::Bits32 => {
                    let halves: &[u32] = bytemuck::cast_slice(rest);
                    let halves = halves[..boards].par_iter();
                    halves.map(|&bits| value(bits.into())).collect()
                }
            };
            table.write(facts.encode_rounded(positions, &values))?;
            // The GPU may be through already.
            let _ = self.done.send(memory);
        }
        Ok(table.commit()?)
    }
}

/// Opens a table for a game.
pub(super) fn open(
    dir: &Path,
    variant: &Variant,
    objective: Objective,
) -> Result<TableWriter, TableError> {
    TableWriter::open(dir, Manifest::new(variant, objective, Content::Rounded))
}

/// Marks a table as complete.
pub(super) fn complete(
    table: &mut TableWriter,
    error: f64,
    start: Start,
) -> Result<Manifest, TableError> {
    table.set_bounds(error, 2.0 * error);
    table.complete(start)?;
    Ok(table.manifest().clone())
}
