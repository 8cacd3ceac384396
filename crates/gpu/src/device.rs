//! Opening the GPU, and its memory.

use std::sync::Arc;

use bytemuck::Pod;
use cudarc::driver::{CudaContext, CudaModule, CudaStream, DeviceRepr, ValidAsZeroBits, sys};
use cudarc::nvrtc;

use crate::error::GpuError;
use crate::source::KernelSource;
use crate::{GpuBuffer, PinnedBuffer};

/// The oldest driver that has every function used here.
const OLDEST_DRIVER: i32 = 12_000;

/// The first CUDA GPU, opened.
///
/// All work is queued on one stream and runs in order.
pub struct Gpu {
    stream: Arc<CudaStream>,
}

/// The name of a GPU, and its free memory.
#[derive(Clone, Debug)]
pub struct GpuMemory {
    /// Name of the GPU.
    pub name: String,
    /// Bytes that are free.
    pub free: u64,
}

impl GpuMemory {
    /// Opens the first GPU and queries it.
    pub fn query() -> Result<GpuMemory, GpuError> {
        Gpu::open()?.memory()
    }

    /// Bytes that buffers may take, if only so much is allowed. A share of the free memory is
    /// left to the driver, the kernels and short lists.
    pub fn usable(free: u64, allowed: Option<u64>) -> u64 {
        const RESERVED: u64 = 64;
        (free - free / RESERVED).min(allowed.unwrap_or(u64::MAX))
    }
}

impl Gpu {
    /// Opens the first GPU. The driver and NVRTC are looked for here, so programs build and
    /// start without them.
    pub fn open() -> Result<Gpu, GpuError> {
        // SAFETY: only checks whether the libraries can be opened.
        #[allow(unsafe_code)]
        let (driver, compiler) =
            unsafe { (sys::is_culib_present(), nvrtc::sys::is_culib_present()) };
        if !driver {
            return Err(GpuError::NoDriver);
        }
        if !compiler {
            return Err(GpuError::NoCompiler);
        }
        let (found, needed) = (driver_version()?, OLDEST_DRIVER);
        if found < needed {
            return Err(GpuError::OldDriver { found, needed });
        }
        let context = CudaContext::new(0).map_err(GpuError::driver("opening the GPU"))?;
        let stream = context.default_stream();
        Ok(Gpu { stream })
    }

    /// The name and the free memory.
    pub fn memory(&self) -> Result<GpuMemory, GpuError> {
        let error = GpuError::driver("querying the GPU");
        let context = self.stream.context();
        let (free, _) = context.mem_get_info().map_err(&error)?;
        Ok(GpuMemory {
            name: context.name().map_err(&error)?,
            free: free as u64,
        })
    }

    /// The number of multiprocessors.
    pub fn multiprocessors(&self) -> Result<u32, GpuError> {
        let kind = sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
        let number = self.stream.context().attribute(kind);
        let number = number.map_err(GpuError::driver("querying the GPU"))?;
        // There is at least one.
        Ok(number.try_into().unwrap_or(1))
    }

    /// The stream on which all work is queued.
    pub fn stream(&self) -> &Arc<CudaStream> {
        &self.stream
    }

    /// Copies a list to the GPU. An empty list gets one entry, since CUDA does not allocate
    /// zero bytes.
    pub fn upload<T: Pod + DeviceRepr>(&self, list: &[T]) -> Result<GpuBuffer<T>, GpuError> {
        let one = [T::zeroed()];
        let list = if list.is_empty() { &one } else { list };
        let copy = self.stream.clone_htod(list);
        copy.map_err(GpuError::driver("writing to the GPU"))
    }

    /// Copies a buffer to this machine's memory.
    pub fn download<T: DeviceRepr>(&self, buffer: &GpuBuffer<T>) -> Result<Vec<T>, GpuError> {
        let copy = self.stream.clone_dtoh(buffer);
        copy.map_err(GpuError::driver("reading from the GPU"))
    }

    /// Allocates a buffer of zeros with at least one entry.
    pub fn zeros<T: DeviceRepr + ValidAsZeroBits>(
        &self,
        len: usize,
    ) -> Result<GpuBuffer<T>, GpuError> {
        let buffer = self.stream.alloc_zeros(len.max(1));
        buffer.map_err(GpuError::driver("allocating GPU memory"))
    }

    /// Allocates memory of this machine that the GPU copies to and from by itself. Its content
    /// is undefined: write it before reading.
    pub fn pinned(&self, len: usize, doing: &'static str) -> Result<PinnedBuffer<u64>, GpuError> {
        let len = len.max(1);
        // SAFETY: any bits are a valid u64, and callers write before they read.
        #[allow(unsafe_code)]
        let memory = unsafe { self.stream.context().alloc_pinned(len) };
        memory.map_err(|error| GpuError::Pinning {
            doing,
            bytes: 8 * len as u64,
            why: error.to_string(),
        })
    }

    /// Allocates memory of this machine that the GPU copies to by itself, and that the processor
    /// then reads. Its content is undefined: write it before reading.
    pub fn pinned_for_reading(
        &self,
        len: usize,
        doing: &'static str,
    ) -> Result<PinnedBuffer<u64>, GpuError> {
        let len = len.max(1);
        // SAFETY: as above. Without flags the processor's cache is used.
        #[allow(unsafe_code)]
        let memory = unsafe { self.stream.context().alloc_pinned_with_flags(len, 0) };
        memory.map_err(|error| GpuError::Pinning {
            doing,
            bytes: 8 * len as u64,
            why: error.to_string(),
        })
    }

    /// Compiles kernels and loads them.
    pub fn load(&self, source: &KernelSource) -> Result<Arc<CudaModule>, GpuError> {
        let module = self.stream.context().load_module(source.compile()?);
        module.map_err(GpuError::driver(
            "loading the kernels (the driver may be older than the compiler)",
        ))
    }
}

fn driver_version() -> Result<i32, GpuError> {
    let mut version = 0;
    // SAFETY: the driver writes one number.
    #[allow(unsafe_code)]
    let result = unsafe { sys::cuDriverGetVersion(&mut version) };
    let queried = result.result();
    queried.map_err(GpuError::driver("querying the driver"))?;
    Ok(version)
}
