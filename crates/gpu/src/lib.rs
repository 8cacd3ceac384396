//! The first CUDA GPU: its memory, its kernels, and layers of boards on it.
//!
//! [`Gpu`] opens the GPU, [`GpuSteps`] makes the layers of a game on it, and [`kernels!`]
//! declares kernels with typed launches. Counting, solving and training add kernels of their
//! own, beside the code for the processor that they must match bit by bit.
//!
//! The driver and NVRTC, which compiles the kernels, are loaded when the GPU is opened:
//! programs build and run without them. On WebAssembly only [`GpuError`] is there.
//!
//! # Adding a kernel
//! A kernel needs three things, all in the module that launches it:
//! 1. Its source: an `extern "C" __global__` function in a `.cu` file. A [`KernelSource`] puts
//!    the common kernels before it (`common.cu`: tables, layouts, places of boards).
//! 2. Its launch: an entry in the module's [`kernels!`] block, which becomes a typed function.
//!    Structs that it shares with Rust are `#[repr(C)]` types with a [`cuda_struct!`] line.
//! 3. Its test: [`check::signatures`] and [`check::structs`] compare launches and structs with
//!    the source and need neither a GPU nor NVRTC; [`check::compiles`] is skipped, with a message,
//!    without NVRTC. A module that has kernels already has these tests, and they cover new ones.

#[cfg(not(target_family = "wasm"))]
pub mod check;
#[cfg(not(target_family = "wasm"))]
mod device;
mod error;
#[cfg(not(target_family = "wasm"))]
mod launch;
#[cfg(not(target_family = "wasm"))]
mod layer;
#[cfg(not(target_family = "wasm"))]
mod layout;
#[cfg(not(target_family = "wasm"))]
mod source;
#[cfg(not(target_family = "wasm"))]
mod steps;
#[cfg(not(target_family = "wasm"))]
mod tables;

#[cfg(not(target_family = "wasm"))]
pub use cudarc::driver::{
    CudaFunction, CudaSlice as GpuBuffer, DeviceRepr, DriverError, LaunchConfig,
    PinnedHostSlice as PinnedBuffer,
};
#[cfg(not(target_family = "wasm"))]
pub use device::{Gpu, GpuMemory};
pub use error::{DriverFault, GpuError};
#[cfg(not(target_family = "wasm"))]
pub use launch::{KernelArgument, Parameter, Signature, block_per_row, blocks, threads, warps};
#[cfg(not(target_family = "wasm"))]
pub use layer::{GpuBlock, GpuBlocks, GpuLayer};
#[cfg(not(target_family = "wasm"))]
pub use layout::{CudaStruct, CudaType, Field, field_size};
#[cfg(not(target_family = "wasm"))]
pub use source::{COMMON_KERNELS, KernelSource};
#[cfg(not(target_family = "wasm"))]
pub use steps::{GpuSteps, check_size};
#[cfg(not(target_family = "wasm"))]
pub use tables::{GpuPointer, Tables, address};
