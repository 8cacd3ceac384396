//! The engine for layers that do not fit the GPU: they lie in this machine's memory, and parts
//! of them pass through the GPU.
//!
//! A block of states needs only the blocks of afterstates whose tops are lighter by at most a
//! tile, and slides to the left and right stay within a block. Slides up and down reach all
//! blocks: each part of the afterstates needs all parts of the states, one after the other.

use tilebase_game::Board;
use tilebase_gpu::{
    DriverError, GpuBuffer, GpuError, GpuLayer, GpuSteps, PinnedBuffer, check_size,
};

use crate::engine::{is_canonical, is_canonical_state};
use crate::error::CountError;
use crate::layer_engine::{LayerEngine, LayerRequest, LayerResult};
use tilebase_index::buffer::Buffer;
use tilebase_index::layer::{Layer, Layout, Part};
use tilebase_index::pack::{Section, SetData, select, unpack_closed};
use tilebase_index::space::Space;

use super::tallies::{Counted, GpuTallies};

/// A layer in this machine's memory, in pages that the GPU copies by itself.
struct HostLayer {
    layout: Layout,
    words: PinnedBuffer<u64>,
}

pub(super) struct PartEngine<'a> {
    steps: GpuSteps,
    tallies: GpuTallies<'a>,
    /// Words of a part, and of a layer.
    part_words: usize,
    layer_words: usize,
    /// Free buffers for parts on the GPU, and for layers in this machine's memory.
    buffers: Vec<GpuBuffer<u64>>,
    free: Vec<PinnedBuffer<u64>>,
    /// Afterstates one and two units below the next layer.
    below: [Option<HostLayer>; 2],
}

impl Drop for PartEngine<'_> {
    fn drop(&mut self) {
        // Copies under way must not outlive the memory that they read and write.
        let _ = self.steps.gpu().stream().synchronize();
    }
}

impl<'a> PartEngine<'a> {
    /// An engine before the first layer, for parts and layers of at most the given numbers of
    /// words.
    pub fn new(
        steps: GpuSteps,
        tallies: GpuTallies<'a>,
        part_words: usize,
        layer_words: usize,
    ) -> PartEngine<'a> {
        PartEngine {
            steps,
            tallies,
            part_words,
            layer_words,
            buffers: Vec::new(),
            free: Vec::new(),
            below: [None, None],
        }
    }

    /// A layer with any content.
    fn layer(&mut self, layout: Layout) -> Result<HostLayer, CountError> {
        check_size(layout.words(), self.layer_words)?;
        let words = match self.free.pop() {
            Some(words) => words,
            None => {
                let gpu = self.steps.gpu();
                gpu.pinned(self.layer_words, "counting in parts")?
            }
        };
        Ok(HostLayer { layout, words })
    }

    /// A part on the GPU with any content.
    fn part(&mut self, layout: &Layout, part: Part) -> Result<GpuLayer, CountError> {
        let buffer = match self.buffers.pop() {
            Some(buffer) => buffer,
            None => self.steps.gpu().zeros(self.part_words)?,
        };
        Ok(self.steps.part(layout, part, buffer)?)
    }

    /// A part of a layer, copied to the GPU.
    fn lift(&mut self, layout: &Layout, words: &[u64], part: Part) -> Result<GpuLayer, CountError> {
        let mut lifted = self.part(layout, part)?;
        let range = layout.range(part);
        if !range.is_empty() {
            let mut to = lifted.words.slice_mut(0..range.len());
            let sent = self
                .steps
                .gpu()
                .stream()
                .memcpy_htod(&words[range], &mut to);
            sent.map_err(GpuError::driver("writing to the GPU"))?;
        }
        Ok(lifted)
    }

    /// Copies a part on the GPU to where it belongs in a layer.
    fn lower(
        &self,
        from: &GpuLayer,
        layout: &Layout,
        words: &mut [u64],
        part: Part,
    ) -> Result<(), CountError> {
        let range = layout.range(part);
        if range.is_empty() {
            return Ok(());
        }
        let from = from.words.slice(0..range.len());
        let sent = self
            .steps
            .gpu()
            .stream()
            .memcpy_dtoh(&from, &mut words[range]);
        Ok(sent.map_err(GpuError::driver("reading from the GPU"))?)
    }

    /// Makes the states of a layer in this machine's memory and, if wanted, in a copy that the
    /// processor reads fast.
    fn spawn(
        &mut self,
        states: &mut HostLayer,
        mut copy: Option<&mut Layer>,
        starts: &[Board],
    ) -> Result<(), CountError> {
        let layout = states.layout.clone();
        let words = host(states.words.as_mut_slice())?;
        let below = std::mem::take(&mut self.below);
        for part in parts_to_spawn(&layout, &below, self.part_words) {
            let mut lifted = [None, None];
            for ((units, layer), lifted) in (1..).zip(&below).zip(&mut lifted) {
                if let Some(layer) = layer {
                    let words = host(layer.words.as_slice())?;
                    *lifted = Some(self.lift(&layer.layout, words, part.lowered(units))?);
                }
            }
            let mut made = self.part(&layout, part)?;
            let given = lifted.each_ref().map(Option::as_ref);
            self.steps.spawn(&mut made, given, starts)?;
            self.tallies.add(&self.steps, &made, Counted::States)?;
            self.lower(&made, &layout, words, part)?;
            if let Some(copy) = copy.as_deref_mut() {
                self.lower(&made, &layout, copy.words_mut(), part)?;
            }
            let used = lifted.into_iter().flatten().chain([made]);
            self.buffers.extend(used.map(|layer| layer.words));
        }
        self.below = below;
        Ok(())
    }

    /// Makes the afterstates of a layer of states, whose memory becomes free; if wanted, also in
    /// a copy.
    fn slide(
        &mut self,
        mut states: HostLayer,
        mut copy: Option<&mut Layer>,
    ) -> Result<HostLayer, CountError> {
        let layout = states.layout.clone();
        let mut after = self.layer(layout.clone())?;
        let parts = layout.parts(|part| layout.range(part).len() <= self.part_words);
        let square = self.steps.space().is_closed_across();
        if square {
            // Boards slid to the left and right are mirrored: they replace the states.
            for &part in &parts {
                let words = host(states.words.as_mut_slice())?;
                let lifted = self.lift(&layout, words, part)?;
                let mut rows = self.part(&layout, part)?;
                self.steps.slide_rows(&lifted, &mut rows, None)?;
                self.lower(&rows, &layout, words, part)?;
                self.buffers.extend([lifted.words, rows.words]);
            }
        }
        let words = host(states.words.as_slice())?;
        for &part in &parts {
            let mut made = self.lift(&layout, words, part)?;
            if !square {
                let lifted = std::mem::replace(&mut made, self.part(&layout, part)?);
                self.steps.slide_rows(&lifted, &mut made, None)?;
                self.buffers.push(lifted.words);
            }
            for &from in &parts {
                let lifted = self.lift(&layout, words, from)?;
                self.steps.slide_across(&lifted, &mut made)?;
                self.buffers.push(lifted.words);
            }
            self.tallies.add(&self.steps, &made, Counted::Afterstates)?;
            self.lower(&made, &layout, host(after.words.as_mut_slice())?, part)?;
            if let Some(copy) = copy.as_deref_mut() {
                self.lower(&made, &layout, copy.words_mut(), part)?;
            }
            self.buffers.push(made.words);
        }
        // The states' memory may be overwritten as soon as it is free.
        host(self.steps.gpu().stream().synchronize())?;
        self.free.push(states.words);
        Ok(after)
    }

    fn push(&mut self, after: Option<HostLayer>) {
        let [newer, older] = &mut self.below;
        if let Some(layer) = std::mem::replace(older, newer.take()) {
            self.free.push(layer.words);
        }
        *newer = after;
    }

    /// Memory for a copy that is handed out.
    fn copy_if(&self, wanted: bool, layout: &Layout) -> Result<Option<Layer>, CountError> {
        let copy = || {
            let buffer = Buffer::new(layout.words()).map_err(CountError::from)?;
            Ok(Layer::new(layout.clone(), buffer))
        };
        wanted.then(copy).transpose()
    }

    /// Hands out the boards of a copy that `keep` accepts.
    fn select(
        &self,
        copy: Option<Layer>,
        request: LayerRequest,
        keep: impl Fn(&Space, Board) -> bool + Sync,
    ) -> Result<SetData, CountError> {
        let Some(copy) = copy else {
            return Ok(SetData::EMPTY);
        };
        let arrived = self.steps.gpu().stream().synchronize();
        arrived.map_err(GpuError::driver("reading from the GPU"))?;
        let space = &**self.steps.space();
        select(space, &copy, request.form, |board| keep(space, board)).map_err(CountError::from)
    }
}

impl LayerEngine for PartEngine<'_> {
    fn is_in_parts(&self) -> bool {
        true
    }

    fn is_finished(&self) -> bool {
        self.below.iter().all(Option::is_none)
    }

    fn skip(&mut self) {
        self.push(None);
    }

    fn restore(
        &mut self,
        units: usize,
        states: &[Section],
        damaged: &dyn Fn() -> CountError,
    ) -> Result<(), CountError> {
        let layout = Layout::new(self.steps.space(), units);
        let buffer = Buffer::new(layout.words()).map_err(CountError::from)?;
        let mut copy = Layer::new(layout.clone(), buffer);
        unpack_closed(self.steps.space(), states, &mut copy).map_err(|_| damaged())?;
        let mut layer = self.layer(layout)?;
        let words = host(layer.words.as_mut_slice())?;
        words[..copy.words_mut().len()].copy_from_slice(copy.words_mut());
        drop(copy);
        let after = self.slide(layer, None)?;
        self.push(Some(after));
        Ok(())
    }

    fn advance(
        &mut self,
        units: usize,
        starts: &[Board],
        request: LayerRequest,
    ) -> Result<LayerResult, CountError> {
        let layout = Layout::new(self.steps.space(), units);
        self.tallies.clear(self.steps.gpu())?;
        let mut states = self.layer(layout.clone())?;
        let mut copy = self.copy_if(request.states, &layout)?;
        self.spawn(&mut states, copy.as_mut(), starts)?;
        let kept = self.select(copy, request, is_canonical_state)?;
        // The older afterstates are not needed any more.
        if let Some(layer) = self.below[1].take() {
            self.free.push(layer.words);
        }
        let mut copy = self.copy_if(request.afterstates, &layout)?;
        let after = self.slide(states, copy.as_mut())?;
        let afterstates = self
            .tallies
            .counted(self.steps.gpu(), Counted::Afterstates)?;
        let found = LayerResult {
            states: self.tallies.counted(self.steps.gpu(), Counted::States)?,
            afterstates: afterstates.all.iter().sum(),
            state_set: kept,
            afterstate_set: self.select(copy, request, is_canonical)?,
        };
        if found.afterstates == 0 {
            self.free.push(after.words);
            self.push(None);
        } else {
            self.push(Some(after));
        }
        Ok(found)
    }
}

/// Parts of a layer of states that fit the GPU beside the afterstates below them.
fn parts_to_spawn(layout: &Layout, below: &[Option<HostLayer>; 2], words: usize) -> Vec<Part> {
    layout.parts(|part| {
        let fits = |(units, layer): (usize, &Option<HostLayer>)| {
            let needed = |layer: &HostLayer| layer.layout.range(part.lowered(units)).len();
            layer.as_ref().map_or(0, needed) <= words
        };
        layout.range(part).len() <= words && (1..).zip(below).all(fits)
    })
}

/// Maps errors of pinned memory. Copies are queued on the GPU's one stream, and the processor
/// reads the memory only after waiting for it.
fn host<T>(memory: Result<T, DriverError>) -> Result<T, CountError> {
    Ok(memory.map_err(GpuError::driver("waiting for the GPU"))?)
}
