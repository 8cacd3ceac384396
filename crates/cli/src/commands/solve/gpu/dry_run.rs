//! The dry run of solving on a GPU.

use tilebase_game::{Variant, tile_value};
use tilebase_gpu::GpuMemory;
use tilebase_schema::{GpuSolveDryRun, Walls};
use tilebase_solve::{GpuOptions, estimate_on_gpu};
use tilebase_table::Objective;
use tilebase_util::bytes_text;

use crate::commands::solve::failure;
use crate::failure::Failure;
use crate::output::{self, game_text, gpu_text, time_text};

/// Free bytes of an H200, assumed where there is no GPU.
const H200_BYTES: u64 = 139 << 30;

/// Prints what solving would need.
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
    let assumed = free.unwrap_or(H200_BYTES);
    let estimate = estimate_on_gpu(variant, objective, assumed, options).map_err(failure)?;
    let allowed = options.gpu_bytes.unwrap_or(u64::MAX);
    let [checkpoint_gpu_bytes, checkpoint_host_bytes] = estimate.checkpoint_bytes;
    let answer = GpuSolveDryRun {
        shape: variant.shape().to_string(),
        to: variant.target().map(tile_value),
        walls: Walls::of(variant),
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
    output::print(json, &answer, text)
}

fn text(answer: &GpuSolveDryRun) -> String {
    let gpu = answer.gpu_name.as_deref().zip(answer.gpu_free_bytes);
    let available = gpu_text(gpu, answer.fits, answer.missing.as_deref());
    format!(
        "{}, {}, on a GPU (roughly)\n  {} of GPU memory, values of {} bits; {available}\n  {} checkpoints: {} on the GPU, {} in this machine's memory; each layer is made {:.2} times on the way up to others\n  about {} on an H200\n",
        game_text(&answer.shape, answer.to, &answer.walls),
        answer.objective,
        bytes_text(answer.gpu_bytes),
        answer.bits,
        answer.checkpoints,
        bytes_text(answer.checkpoint_gpu_bytes),
        bytes_text(answer.checkpoint_host_bytes),
        answer.passes,
        time_text(answer.seconds_estimate)
    )
}
