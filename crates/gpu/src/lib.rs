//! The first CUDA GPU: opened, looked at, given kernels.
//!
//! The driver and the compiler of the kernels are looked for when a GPU is opened, so
//! programs build and run without them. Everything that can go wrong is one line.

use std::fmt;
use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaModule, DriverError, sys};
use cudarc::nvrtc::{self, CompileOptions};

/// Why there is no GPU to be used, or what it failed at.
#[derive(Clone, Debug)]
pub struct GpuError(String);

impl fmt::Display for GpuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for GpuError {}

/// What the driver says went wrong in doing something.
pub fn told(doing: &'static str) -> impl Fn(DriverError) -> GpuError {
    move |error| {
        let why = match error.0 {
            sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => "the GPU is out of memory".to_owned(),
            sys::CUresult::CUDA_ERROR_NO_DEVICE => "the driver finds no GPU".to_owned(),
            sys::CUresult::CUDA_ERROR_LAUNCH_FAILED
            | sys::CUresult::CUDA_ERROR_ECC_UNCORRECTABLE
            | sys::CUresult::CUDA_ERROR_NVLINK_UNCORRECTABLE
            | sys::CUresult::CUDA_ERROR_DEVICE_UNAVAILABLE
            | sys::CUresult::CUDA_ERROR_UNKNOWN => {
                format!("the GPU stopped working ({error}): run the same command again")
            }
            sys::CUresult::CUDA_ERROR_ILLEGAL_ADDRESS => {
                "a kernel left its memory: please tell us, and use --device cpu".to_owned()
            }
            _ => error.to_string(),
        };
        GpuError(format!("{doing}: {why}"))
    }
}

/// Opens the first GPU.
pub fn open() -> Result<Arc<CudaContext>, GpuError> {
    // SAFETY: only looks whether the libraries can be opened.
    #[allow(unsafe_code)]
    let (driver, compiler) = unsafe { (sys::is_culib_present(), nvrtc::sys::is_culib_present()) };
    let missing = |what: &str| Err(GpuError(what.to_owned()));
    if !driver {
        return missing("there is no CUDA driver here: use --device cpu");
    }
    if !compiler {
        return missing(
            "the CUDA compiler library NVRTC is not here: install the CUDA toolkit, or use --device cpu",
        );
    }
    let version = driver_version()?;
    if version < OLDEST_DRIVER {
        let name = |version: i32| format!("{}.{}", version / 1000, version % 1000 / 10);
        return missing(&format!(
            "the CUDA driver is for CUDA {}, and at least {} is needed: install a newer one, or use --device cpu",
            name(version),
            name(OLDEST_DRIVER)
        ));
    }
    CudaContext::new(0).map_err(told("opening the GPU"))
}

/// The oldest driver that has every function used here, as drivers number their versions.
const OLDEST_DRIVER: i32 = 12_000;

fn driver_version() -> Result<i32, GpuError> {
    let mut version = 0;
    // SAFETY: the driver writes one number.
    #[allow(unsafe_code)]
    let asked = unsafe { sys::cuDriverGetVersion(&mut version) };
    asked.result().map_err(told("asking the driver"))?;
    Ok(version)
}

/// What a GPU has.
#[derive(Clone, Debug)]
pub struct GpuMemory {
    /// Its name.
    pub name: String,
    /// Bytes that are free.
    pub free: u64,
}

/// Looks at an open GPU.
pub fn memory(gpu: &CudaContext) -> Result<GpuMemory, GpuError> {
    let asking = told("asking the GPU");
    let (free, _) = gpu.mem_get_info().map_err(&asking)?;
    Ok(GpuMemory {
        name: gpu.name().map_err(&asking)?,
        free: free as u64,
    })
}

/// Compiles kernels and loads them.
pub fn load(
    gpu: &Arc<CudaContext>,
    source: &str,
    options: CompileOptions,
) -> Result<Arc<CudaModule>, GpuError> {
    let ptx = nvrtc::compile_ptx_with_opts(source, options)
        .map_err(|error| GpuError(format!("compiling the kernels: {error:?}")))?;
    gpu.load_module(ptx).map_err(told(
        "loading the kernels; the driver may be older than the compiler",
    ))
}
