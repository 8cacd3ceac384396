//! Errors of the GPU.

use std::fmt;

use tilebase_game::TooLarge;
use tilebase_util::bytes_text;

/// Why a GPU cannot be used, or what failed on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GpuError {
    /// This build of the program cannot use GPUs.
    Unsupported,
    /// The CUDA driver is not installed.
    NoDriver,
    /// NVRTC, which compiles the kernels, is not installed.
    NoCompiler,
    /// The CUDA driver is too old. Versions are those of CUDA, as 1000 × major + 10 × minor.
    OldDriver {
        /// The driver's version.
        found: i32,
        /// The oldest version that works.
        needed: i32,
    },
    /// The kernels do not compile.
    Compile(String),
    /// A call to the driver failed.
    Driver {
        /// What was being done.
        doing: &'static str,
        /// Why it failed.
        fault: DriverFault,
    },
    /// The GPU has too little free memory.
    Memory {
        /// Bytes needed.
        needed: u64,
        /// Bytes free.
        free: u64,
        /// Name of the GPU.
        name: String,
    },
    /// The allowed share of the GPU's memory is too small.
    Allowance {
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// Layers do not fit the GPU, and the allowed memory of this machine is too small for them.
    HostMemory {
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// The system refused to pin memory of this machine.
    Pinning {
        /// What the memory was for.
        doing: &'static str,
        /// Bytes wanted.
        bytes: u64,
        /// What the driver said.
        why: String,
    },
    /// The shape has no packed boards.
    Shape(TooLarge),
    /// A layer is larger than the buffer planned for it. This is a bug.
    LayerSize {
        /// Bytes of the layer.
        needed: u64,
        /// Bytes of the buffer.
        planned: u64,
    },
}

/// Why the driver failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DriverFault {
    /// The GPU is out of memory.
    OutOfMemory,
    /// The driver finds no GPU.
    NoDevice,
    /// The GPU stopped working. Trying again may help.
    Stopped(String),
    /// A kernel accessed memory outside its buffers. This is a bug.
    IllegalAddress,
    /// Anything else.
    Other(String),
}

impl GpuError {
    /// Whether the request was wrong, rather than the work failed.
    pub fn is_request(&self) -> bool {
        matches!(
            self,
            GpuError::Allowance { .. } | GpuError::HostMemory { .. }
        )
    }
}

#[cfg(not(target_family = "wasm"))]
impl GpuError {
    /// Maps errors of the driver in a call that does something.
    pub fn driver(doing: &'static str) -> impl Fn(cudarc::driver::DriverError) -> GpuError {
        use cudarc::driver::sys::CUresult;
        move |error| {
            let fault = match error.0 {
                CUresult::CUDA_ERROR_OUT_OF_MEMORY => DriverFault::OutOfMemory,
                CUresult::CUDA_ERROR_NO_DEVICE => DriverFault::NoDevice,
                CUresult::CUDA_ERROR_LAUNCH_FAILED
                | CUresult::CUDA_ERROR_ECC_UNCORRECTABLE
                | CUresult::CUDA_ERROR_NVLINK_UNCORRECTABLE
                | CUresult::CUDA_ERROR_DEVICE_UNAVAILABLE
                | CUresult::CUDA_ERROR_UNKNOWN => DriverFault::Stopped(error.to_string()),
                CUresult::CUDA_ERROR_ILLEGAL_ADDRESS => DriverFault::IllegalAddress,
                _ => DriverFault::Other(error.to_string()),
            };
            GpuError::Driver { doing, fault }
        }
    }
}

impl fmt::Display for GpuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GpuError::Unsupported => f.write_str("this build cannot use GPUs"),
            GpuError::NoDriver => f.write_str("no CUDA driver found"),
            GpuError::NoCompiler => f.write_str("the CUDA compiler library NVRTC was not found"),
            GpuError::OldDriver { found, needed } => {
                let version = |version: i32| format!("{}.{}", version / 1000, version % 1000 / 10);
                write!(
                    f,
                    "the CUDA driver is for CUDA {}, but at least {} is needed",
                    version(*found),
                    version(*needed)
                )
            }
            GpuError::Compile(log) => write!(f, "compiling the kernels: {log}"),
            GpuError::Driver { doing, fault } => write!(f, "{doing}: {fault}"),
            GpuError::Memory { needed, free, name } => write!(
                f,
                "the GPU needs {} of memory, but {name} has only {} free",
                bytes_text(*needed),
                bytes_text(*free)
            ),
            GpuError::Allowance { needed, allowed } => write!(
                f,
                "the GPU needs {} of memory, but only {} is allowed",
                bytes_text(*needed),
                bytes_text(*allowed)
            ),
            GpuError::HostMemory { needed, allowed } => write!(
                f,
                "layers do not fit the GPU, and in parts they need {} of this machine's memory, but only {} is allowed",
                bytes_text(*needed),
                bytes_text(*allowed)
            ),
            GpuError::Pinning { doing, bytes, why } => write!(
                f,
                "{doing}: {} of this machine's memory could not be pinned ({why})",
                bytes_text(*bytes)
            ),
            GpuError::Shape(error) => error.fmt(f),
            GpuError::LayerSize { needed, planned } => write!(
                f,
                "a layer needs {}, but only {} was planned; this is a bug, please report it",
                bytes_text(*needed),
                bytes_text(*planned)
            ),
        }
    }
}

impl fmt::Display for DriverFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DriverFault::OutOfMemory => f.write_str("the GPU is out of memory"),
            DriverFault::NoDevice => f.write_str("the driver finds no GPU"),
            DriverFault::Stopped(why) => write!(f, "the GPU stopped working ({why})"),
            DriverFault::IllegalAddress => f.write_str(
                "a kernel accessed memory outside its buffers; this is a bug, please report it",
            ),
            DriverFault::Other(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for GpuError {}
