//! Expectimax on a GPU: the moves of many games at once.

use std::fmt;

use tilebase_expectimax::SearchLimit;
use tilebase_game::{Board, Move};
use tilebase_gpu::GpuError;
use tilebase_network::{GpuSearch, best_slide};

use crate::expectimax::Expectimax;
use crate::lockstep::BatchPlayer;

/// Why a search cannot be done on a GPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GpuPlayerError {
    /// The evaluation is no network.
    Evaluation,
    /// The search has no depth, but a number of positions or a time.
    Limit,
    /// Lines are cut off by their probability.
    Cutoff,
    /// The GPU cannot be used.
    Gpu(GpuError),
}

impl fmt::Display for GpuPlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GpuPlayerError::Evaluation => f.write_str("a GPU searches with a network only"),
            GpuPlayerError::Limit => f.write_str("a GPU searches to a depth only"),
            GpuPlayerError::Cutoff => {
                f.write_str("a GPU does not cut lines off by their probability")
            }
            GpuPlayerError::Gpu(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for GpuPlayerError {}

impl From<GpuError> for GpuPlayerError {
    fn from(error: GpuError) -> GpuPlayerError {
        GpuPlayerError::Gpu(error)
    }
}

/// An expectimax player on the first CUDA GPU. Its moves are those on the processor.
pub struct GpuPlayer(GpuSearch);

impl Expectimax {
    /// The same player on the first CUDA GPU.
    pub fn on_gpu(&self) -> Result<GpuPlayer, GpuPlayerError> {
        let config = self.config();
        let network = self.network().ok_or(GpuPlayerError::Evaluation)?;
        let (SearchLimit::Depth(depth), None) = (config.limit, config.time) else {
            return Err(GpuPlayerError::Limit);
        };
        if config.options.cutoff > 0.0 {
            return Err(GpuPlayerError::Cutoff);
        }
        let (rules, spawn) = (self.rules(), self.variant().spawn());
        let mut search = GpuSearch::new(network, rules, spawn, config.options, depth)?;
        if let Some(abandon) = self.abandon() {
            search.abandon_if(abandon);
        }
        Ok(GpuPlayer(search))
    }
}

impl GpuPlayer {
    /// The name of the GPU.
    pub fn gpu_name(&self) -> Result<String, GpuError> {
        self.0.gpu_name()
    }
}

impl BatchPlayer for GpuPlayer {
    type Error = GpuError;

    fn begin(&mut self, boards: &[Board]) -> Result<(), GpuError> {
        self.0.begin(boards)
    }

    fn finish(&mut self) -> Result<Vec<Option<Move>>, GpuError> {
        Ok(self.0.finish()?.iter().map(best_slide).collect())
    }
}
