//! The first CUDA card: opened, looked at, given kernels.
//!
//! The driver and the compiler of the kernels are looked for when a card is opened, so
//! programs build and run without them. Everything that can go wrong is one line.

use std::fmt;
use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaModule, DriverError, sys};
use cudarc::nvrtc::{self, CompileOptions};

/// Why there is no card to be used, or what it failed at.
#[derive(Clone, Debug)]
pub struct CardError(String);

impl fmt::Display for CardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CardError {}

/// What the driver says went wrong in doing something.
pub fn told(doing: &'static str) -> impl Fn(DriverError) -> CardError {
    move |error| {
        let why = match error.0 {
            sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => "the card is out of memory".to_owned(),
            sys::CUresult::CUDA_ERROR_NO_DEVICE => "the driver finds no card".to_owned(),
            _ => error.to_string(),
        };
        CardError(format!("{doing}: {why}"))
    }
}

/// Opens the first card.
pub fn open() -> Result<Arc<CudaContext>, CardError> {
    // SAFETY: only looks whether the libraries can be opened.
    #[allow(unsafe_code)]
    let (driver, compiler) = unsafe { (sys::is_culib_present(), nvrtc::sys::is_culib_present()) };
    let missing = |what: &str| Err(CardError(what.to_owned()));
    if !driver {
        return missing("there is no CUDA driver here: use --device cpu");
    }
    if !compiler {
        return missing(
            "the CUDA compiler library NVRTC is not here: install the CUDA toolkit, or use --device cpu",
        );
    }
    CudaContext::new(0).map_err(told("opening the card"))
}

/// What a card has.
#[derive(Clone, Debug)]
pub struct CardMemory {
    /// Its name.
    pub name: String,
    /// Bytes that are free.
    pub free: u64,
}

/// Looks at an open card.
pub fn memory(card: &CudaContext) -> Result<CardMemory, CardError> {
    let asking = told("asking the card");
    let (free, _) = card.mem_get_info().map_err(&asking)?;
    Ok(CardMemory {
        name: card.name().map_err(&asking)?,
        free: free as u64,
    })
}

/// Compiles kernels and loads them.
pub fn load(
    card: &Arc<CudaContext>,
    source: &str,
    options: CompileOptions,
) -> Result<Arc<CudaModule>, CardError> {
    let ptx = nvrtc::compile_ptx_with_opts(source, options)
        .map_err(|error| CardError(format!("compiling the kernels: {error:?}")))?;
    card.load_module(ptx).map_err(told(
        "loading the kernels; the driver may be older than the compiler",
    ))
}
