//! The GPU and its kernels.

use std::sync::Arc;

use bytemuck::Pod;
use cudarc::driver::{CudaFunction, CudaSlice, CudaStream, DeviceRepr, LaunchConfig};
use cudarc::nvrtc::CompileOptions;
use tilebase_gpu::{GpuMemory, load, memory, open, told};

use crate::error::CountError;

/// What all kernels begin with: tables, layers and places.
pub const GROUND: &str = include_str!("ground.cu");

const SOURCE: &str = concat!(include_str!("ground.cu"), include_str!("count.cu"));

/// Looks at the first GPU.
pub fn gpu_memory() -> Result<GpuMemory, CountError> {
    let gpu = open()?;
    Ok(memory(&gpu)?)
}

/// An open GPU with its kernels.
pub(super) struct Gpu {
    pub stream: Arc<CudaStream>,
    pub memory: GpuMemory,
    pub spawn: CudaFunction,
    pub turn_over: CudaFunction,
    pub mark: CudaFunction,
    pub slide_rows: CudaFunction,
    pub slide_across: CudaFunction,
    pub tally_rows: CudaFunction,
    pub tally_unchanged: CudaFunction,
}

impl Gpu {
    pub fn open() -> Result<Gpu, CountError> {
        let context = open()?;
        let memory = memory(&context)?;
        let module = load(&context, SOURCE, CompileOptions::default())?;
        let loading = told("loading the kernels");
        let function = |name: &str| module.load_function(name).map_err(&loading);
        Ok(Gpu {
            memory,
            spawn: function("spawn")?,
            turn_over: function("turn_over")?,
            mark: function("mark")?,
            slide_rows: function("slide_rows")?,
            slide_across: function("slide_across")?,
            tally_rows: function("tally_rows")?,
            tally_unchanged: function("tally_unchanged")?,
            stream: context.default_stream(),
        })
    }

    /// A copy of a list on the GPU; empty ones get an entry, since there is no memory of no
    /// size.
    pub fn upload<T: Pod + DeviceRepr>(&self, list: &[T]) -> Result<CudaSlice<T>, CountError> {
        let one = [T::zeroed()];
        let list = if list.is_empty() { &one } else { list };
        let copy = self.stream.clone_htod(list);
        Ok(copy.map_err(told("writing to the GPU"))?)
    }
}

/// A block of threads for each of so many rows, the longest of so many words.
pub fn for_rows(rows: u32, longest: u32, shared: bool) -> LaunchConfig {
    LaunchConfig {
        grid_dim: (rows, 1, 1),
        block_dim: (if longest > 512 { 256 } else { 128 }, 1, 1),
        shared_mem_bytes: if shared { 8 * longest } else { 0 },
    }
}
