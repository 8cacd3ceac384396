//! Counting on a GPU.
//!
//! The tables, the layout of bits and the steps are those of the processor, so the sets are the
//! same bit by bit. The processor remains the reference.

mod engine;
mod parts;
mod symmetric;
mod tallies;

use tilebase_gpu::{Gpu, GpuError, GpuMemory, GpuSteps};
use tilebase_index::BoardIndex;

use crate::census::Census;
use crate::count::CountOptions;
use crate::error::CountError;
use crate::layer_engine::LayerEngine;
use crate::plan::CountPlan;

use engine::GpuEngine;
use parts::PartEngine;
use tallies::GpuTallies;

/// How layers fit the GPU.
pub(crate) struct GpuPlan<'a> {
    gpu: Gpu,
    plan: &'a CountPlan,
    /// Bytes of the GPU's memory that may be used.
    free: u64,
}

impl<'a> GpuPlan<'a> {
    /// Opens the GPU. Fails if layers do not fit it, neither whole nor in parts. Sets that are
    /// handed out take memory of this machine too.
    pub fn new(
        plan: &'a CountPlan,
        options: &CountOptions,
        returns_sets: bool,
    ) -> Result<GpuPlan<'a>, CountError> {
        let gpu = Gpu::open()?;
        let needed = plan.gpu_least_bytes();
        if let Some(allowed) = options.gpu_memory.filter(|&allowed| allowed < needed) {
            return Err(GpuError::Allowance { needed, allowed }.into());
        }
        let memory = gpu.memory()?;
        let free = GpuMemory::usable(memory.free, options.gpu_memory);
        if free < needed {
            let name = memory.name;
            return Err(GpuError::Memory { needed, free, name }.into());
        }
        let (needed, allowed) = (plan.gpu_host_bytes(returns_sets), options.memory);
        if free < plan.gpu_bytes() && allowed < needed {
            return Err(GpuError::HostMemory { needed, allowed }.into());
        }
        Ok(GpuPlan { gpu, plan, free })
    }

    /// The engine for layers on the GPU: whole if three of them fit its memory, else in parts.
    pub fn engine(
        self,
        index: BoardIndex,
        census: &'a Census,
        by_largest: bool,
    ) -> Result<Box<dyn LayerEngine + 'a>, CountError> {
        let tallies = GpuTallies::new(&self.gpu, census, by_largest)?;
        let steps = GpuSteps::new(self.gpu, index)?;
        if self.plan.gpu_bytes() <= self.free {
            let four = self.plan.gpu_bytes() + self.plan.layer_bytes() <= self.free;
            let engine = GpuEngine::new(steps, tallies, self.plan.max_words, four);
            return Ok(Box::new(engine));
        }
        let words = self.plan.gpu_part_words(self.free);
        let engine = PartEngine::new(steps, tallies, words, self.plan.max_words);
        Ok(Box::new(engine))
    }
}
