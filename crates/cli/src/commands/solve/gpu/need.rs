//! What solving on a GPU would need.

use serde::Serialize;
use tilebase_game::{Variant, tile_value};
use tilebase_gpu::GpuMemory;
use tilebase_solve::{GpuOptions, estimate_on_gpu};
use tilebase_table::Objective;
use tilebase_util::bytes_text;

use crate::commands::solve::failure;
use crate::failure::Failure;
use crate::output::{self, game_text, gpu_text, time_text};

/// What solving on the GPU would need, and what is there.
#[derive(Serialize)]
struct DryAnswer {
    shape: String,
    to: Option<u128>,
    objective: &'static str,
    dry_run: bool,
    bits: u64,
    gpu_bytes: u64,
    gpu_name: Option<String>,
    gpu_free_bytes: Option<u64>,
    fits: bool,
    /// Why there is no GPU to be used.
    missing: Option<String>,
    checkpoints: usize,
    checkpoint_gpu_bytes: u64,
    checkpoint_host_bytes: u64,
    passes: f64,
    memory_bytes: u64,
    seconds_estimate: f64,
}

/// What an H200 has free, where there is no GPU to ask.
const H200_BYTES: u64 = 139 << 30;

/// Tells it, and does nothing.
pub fn dry_run(
    variant: &Variant,
    objective: Objective,
    options: &GpuOptions,
    json: bool,
) -> Result<(), Failure> {
    let (gpu, missing) = match GpuMemory::query() {
        Ok(gpu) => (Some(gpu), None),
        Err(error) => (None, Some(error.to_string())),
    };
    let free = gpu.as_ref().map(|gpu| gpu.free);
    let room = free.unwrap_or(H200_BYTES);
    let estimate = estimate_on_gpu(variant, objective, room, options).map_err(failure)?;
    let allowed = options.gpu_bytes.unwrap_or(u64::MAX);
    let [checkpoint_gpu_bytes, checkpoint_host_bytes] = estimate.checkpoint_bytes;
    let answer = DryAnswer {
        shape: variant.shape().to_string(),
        to: variant.target().map(tile_value),
        objective: objective.name(),
        dry_run: true,
        bits: 8 * estimate.width.bytes(),
        gpu_bytes: estimate.gpu_bytes,
        gpu_name: gpu.map(|gpu| gpu.name),
        gpu_free_bytes: free,
        fits: free.is_some_and(|free| free.min(allowed) >= estimate.gpu_bytes),
        missing,
        checkpoints: estimate.checkpoints,
        checkpoint_gpu_bytes,
        checkpoint_host_bytes,
        passes: estimate.passes,
        memory_bytes: options.memory,
        seconds_estimate: estimate.seconds,
    };
    output::print(json, &answer, DryAnswer::text)
}

impl DryAnswer {
    fn text(&self) -> String {
        let gpu = self.gpu_name.as_deref().zip(self.gpu_free_bytes);
        let there = gpu_text(gpu, self.fits, self.missing.as_deref());
        format!(
            "{}, {}, on a GPU (roughly)\n  {} of its memory, values of {} bits; {there}\n  {} checkpoints: {} on the GPU, {} in this machine's memory; each layer made {:.2} times on the way up to others\n  about {} on an H200\n",
            game_text(&self.shape, self.to),
            self.objective,
            bytes_text(self.gpu_bytes),
            self.bits,
            self.checkpoints,
            bytes_text(self.checkpoint_gpu_bytes),
            bytes_text(self.checkpoint_host_bytes),
            self.passes,
            time_text(self.seconds_estimate)
        )
    }
}
