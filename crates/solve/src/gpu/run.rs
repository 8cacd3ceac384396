//! A run of layers of afterstates that are all kept on the GPU.

use std::ops::Range;

use tilebase_gpu::{GpuBuffer, GpuError, GpuLayer, GpuSteps};

/// A stack of layers in one buffer.
pub(super) struct Run {
    words: usize,
    /// Allocated when first used.
    memory: Option<GpuBuffer<u64>>,
    /// The sum of each layer in units of 2, and its words; `None` for a layer that is not there.
    layers: Vec<Option<(usize, Range<usize>)>>,
}

impl Run {
    /// A run with room for layers of so many words together.
    pub fn new(words: usize) -> Run {
        Run {
            words,
            memory: None,
            layers: Vec::new(),
        }
    }

    /// Bytes on the GPU.
    pub fn bytes(&self) -> u64 {
        8 * self.words as u64
    }

    /// Removes all layers.
    pub fn clear(&mut self) {
        self.layers.clear();
    }

    /// Adds a layer.
    pub fn push(&mut self, steps: &GpuSteps, layer: Option<&GpuLayer>) -> Result<(), GpuError> {
        let Some(layer) = layer.filter(|layer| !layer.is_empty()) else {
            self.layers.push(None);
            return Ok(());
        };
        let gpu = steps.gpu();
        let memory = match &mut self.memory {
            Some(memory) => memory,
            none => none.insert(gpu.zeros(self.words)?),
        };
        let used = self.layers.iter().rev().flatten().next();
        let start = used.map_or(0, |(_, words)| words.end);
        let words = start..start + layer.len();
        tilebase_gpu::check_size(words.end, self.words)?;
        let from = layer.words.slice(0..layer.len());
        let copied = gpu
            .stream()
            .memcpy_dtod(&from, &mut memory.slice_mut(words.clone()));
        copied.map_err(GpuError::driver("keeping a layer"))?;
        self.layers.push(Some((layer.units(), words)));
        Ok(())
    }

    /// Removes the newest layer.
    pub fn pop(&mut self) {
        self.layers.pop();
    }

    /// A copy of a layer, counted from the newest, in a buffer that `take` hands out.
    pub fn copy(
        &self,
        steps: &GpuSteps,
        from_newest: usize,
        take: impl FnOnce() -> Result<GpuBuffer<u64>, GpuError>,
    ) -> Result<Option<GpuLayer>, GpuError> {
        let layer = self.layers.iter().rev().nth(from_newest);
        let (Some(Some((units, words))), Some(memory)) = (layer, &self.memory) else {
            return Ok(None);
        };
        let mut copy = steps.layer(*units, take()?)?;
        let mut to = copy.words.slice_mut(0..words.len());
        let copied = steps
            .gpu()
            .stream()
            .memcpy_dtod(&memory.slice(words.clone()), &mut to);
        copied.map_err(GpuError::driver("reading a layer that was kept"))?;
        Ok(Some(copy))
    }
}
