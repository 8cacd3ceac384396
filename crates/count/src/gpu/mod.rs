//! Counting on a GPU.
//!
//! The tables, the layout of bits and the steps are those of the processor, so the sets are
//! the same, bit by bit; the processor remains the reference. The driver and the compiler of
//! the kernels are looked for when they are needed, so the program builds and runs without.

mod device;
mod engine;
mod layer;
mod parts;
mod steps;
mod symmetric;
mod tables;
mod tallies;

pub use device::{GROUND, for_rows, gpu_memory};
pub use layer::{GpuBlocks, GpuLayer};
pub use steps::GpuSteps;

use std::sync::Arc;

use crate::census::Census;
use crate::engine::Advance;
use crate::error::CountError;
use crate::pass::Options;
use crate::plan::Plan;
use tilebase_index::space::Space;

use device::Gpu;
use engine::GpuEngine;
use parts::PartEngine;
use tallies::GpuTallies;

/// How layers fit the GPU.
pub(crate) struct GpuPlan<'a> {
    gpu: Gpu,
    plan: &'a Plan,
    /// Bytes of the GPU's memory that may be used.
    free: u64,
}

/// Bytes of a GPU's free memory that layers may take. A share of it is left to the driver, the
/// kernels and short lists.
pub fn usable_gpu_memory(free: u64, allowed: Option<u64>) -> u64 {
    const RESERVED: u64 = 64;
    (free - free / RESERVED).min(allowed.unwrap_or(u64::MAX))
}

impl<'a> GpuPlan<'a> {
    /// Opens the GPU, and fails if layers do not fit it in whole or in parts. Sets that are
    /// handed out take memory of this machine too.
    pub fn new(
        plan: &'a Plan,
        options: &Options,
        handed_out: bool,
    ) -> Result<GpuPlan<'a>, CountError> {
        let gpu = Gpu::open()?;
        let needed = plan.gpu_least_bytes();
        if let Some(allowed) = options.gpu_memory.filter(|&allowed| allowed < needed) {
            return Err(CountError::GpuAllowance { needed, allowed });
        }
        let free = usable_gpu_memory(gpu.memory.free, options.gpu_memory);
        if free < needed {
            let name = gpu.memory.name.clone();
            return Err(CountError::GpuMemory { needed, free, name });
        }
        let (needed, allowed) = (plan.gpu_host_bytes(handed_out), options.memory);
        if free < plan.gpu_bytes() && allowed < needed {
            return Err(CountError::GpuHost { needed, allowed });
        }
        Ok(GpuPlan { gpu, plan, free })
    }

    /// The engine for layers on the GPU: in whole if three of them fit its memory, else in parts.
    pub fn engine(
        self,
        space: Arc<Space>,
        census: &'a Census,
        by_largest: bool,
    ) -> Result<Box<dyn Advance + 'a>, CountError> {
        let tallies = GpuTallies::new(&self.gpu, census, by_largest)?;
        let steps = GpuSteps::new(self.gpu, space)?;
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
