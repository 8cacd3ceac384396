//! The engine for layers that fit the GPU. It works on whole layers.

use tilebase_game::Board;
use tilebase_gpu::{GpuBuffer, GpuError, GpuLayer, GpuSteps};

use crate::engine::{is_canonical, is_canonical_state};
use crate::error::CountError;
use crate::layer_engine::{LayerEngine, LayerRequest, LayerResult};
use tilebase_index::buffer::Buffer;
use tilebase_index::layer::Layer;
use tilebase_index::pack::{Section, SetData, select, unpack_closed};

use super::tallies::{Counted, GpuTallies};

pub(super) struct GpuEngine<'a> {
    steps: GpuSteps,
    tallies: GpuTallies<'a>,
    /// Words of the largest layer.
    words: usize,
    /// Afterstates one and two units below the next layer.
    below: [Option<GpuLayer>; 2],
    free: Vec<GpuBuffer<u64>>,
    /// A buffer for one more layer, which makes slides on squares faster.
    spare: Option<GpuBuffer<u64>>,
}

impl<'a> GpuEngine<'a> {
    /// An engine before the first layer, for layers of at most `words` words. `four` says that
    /// four of them fit the GPU.
    pub fn new(
        steps: GpuSteps,
        tallies: GpuTallies<'a>,
        words: usize,
        four: bool,
    ) -> GpuEngine<'a> {
        let spare = (four && steps.space().is_closed_across())
            .then(|| steps.gpu().zeros(words).ok())
            .flatten();
        GpuEngine {
            steps,
            tallies,
            words,
            below: [None, None],
            free: Vec::new(),
            spare,
        }
    }

    fn layer(&mut self, units: usize) -> Result<GpuLayer, CountError> {
        let words = match self.free.pop() {
            Some(words) => words,
            None => self.steps.gpu().zeros(self.words)?,
        };
        Ok(self.steps.layer(units, words)?)
    }

    /// Makes the afterstates of a layer. The words of `states` are overwritten.
    fn slide(&mut self, states: &mut GpuLayer) -> Result<GpuLayer, CountError> {
        let mut after = self.layer(states.units())?;
        let Some(words) = self.spare.take() else {
            self.steps.slide(states, &mut after)?;
            return Ok(after);
        };
        let mut rows = self.steps.layer(states.units(), words)?;
        self.steps.slide_beside(states, &mut after, &mut rows)?;
        self.spare = Some(rows.words);
        Ok(after)
    }

    fn push(&mut self, after: Option<GpuLayer>) {
        let [newer, older] = &mut self.below;
        if let Some(layer) = std::mem::replace(older, newer.take()) {
            self.free.push(layer.words);
        }
        *newer = after;
    }

    /// Copies a layer to this machine's memory, to be packed.
    fn download(&self, layer: &GpuLayer) -> Result<Layer, CountError> {
        let words = layer.blocks.layout.words();
        let buffer = Buffer::new(words).map_err(CountError::from)?;
        let mut copy = Layer::new(layer.blocks.layout.clone(), buffer);
        if words > 0 {
            let stream = self.steps.gpu().stream();
            stream
                .memcpy_dtoh(&layer.words.slice(0..words), copy.words_mut())
                .and_then(|()| stream.synchronize())
                .map_err(GpuError::driver("reading from the GPU"))?;
        }
        Ok(copy)
    }
}

impl LayerEngine for GpuEngine<'_> {
    fn is_in_parts(&self) -> bool {
        false
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
        let mut layer = self.layer(units)?;
        let words = layer.blocks.layout.words();
        let buffer = Buffer::new(words).map_err(CountError::from)?;
        let mut copy = Layer::new(layer.blocks.layout.clone(), buffer);
        unpack_closed(self.steps.space(), states, &mut copy).map_err(|_| damaged())?;
        if words > 0 {
            let mut to = layer.words.slice_mut(0..words);
            let stream = self.steps.gpu().stream();
            let sent = stream.memcpy_htod(copy.words_mut(), &mut to);
            sent.map_err(GpuError::driver("writing to the GPU"))?;
        }
        let after = self.slide(&mut layer)?;
        self.free.push(layer.words);
        self.push(Some(after));
        Ok(())
    }

    fn advance(
        &mut self,
        units: usize,
        starts: &[Board],
        request: LayerRequest,
    ) -> Result<LayerResult, CountError> {
        let mut states = self.layer(units)?;
        let below = self.below.each_ref().map(Option::as_ref);
        self.steps.spawn(&mut states, below, starts)?;
        // The older afterstates are not needed any more.
        if let Some(layer) = self.below[1].take() {
            self.free.push(layer.words);
        }
        self.tallies.clear(self.steps.gpu())?;
        self.tallies.add(&self.steps, &states, Counted::States)?;
        let mut kept = SetData::EMPTY;
        if request.states {
            let copy = self.download(&states)?;
            let space = self.steps.space();
            let keep = |board| is_canonical_state(space, board);
            kept =
                select(self.steps.space(), &copy, request.form, keep).map_err(CountError::from)?;
        }
        let after = self.slide(&mut states)?;
        self.free.push(states.words);
        self.tallies
            .add(&self.steps, &after, Counted::Afterstates)?;
        let afterstates = self
            .tallies
            .counted(self.steps.gpu(), Counted::Afterstates)?;
        let mut found = LayerResult {
            states: self.tallies.counted(self.steps.gpu(), Counted::States)?,
            afterstates: afterstates.all.iter().sum(),
            state_set: kept,
            afterstate_set: SetData::EMPTY,
        };
        if found.afterstates == 0 {
            self.free.push(after.words);
            self.push(None);
            return Ok(found);
        }
        if request.afterstates {
            let copy = self.download(&after)?;
            let space = self.steps.space();
            let keep = |board| is_canonical(space, board);
            found.afterstate_set =
                select(self.steps.space(), &copy, request.form, keep).map_err(CountError::from)?;
        }
        self.push(Some(after));
        Ok(found)
    }
}
