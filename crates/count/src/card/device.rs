//! The card, its kernels and its memory.

use std::sync::Arc;

use bytemuck::Pod;
use cudarc::driver::{
    CudaContext, CudaFunction, CudaSlice, CudaStream, DeviceRepr, DriverError, LaunchConfig, sys,
};
use cudarc::nvrtc;

use crate::error::CountError;

const SOURCE: &str = include_str!("count.cu");

/// What a card has.
#[derive(Clone, Debug)]
pub struct CardMemory {
    /// Its name.
    pub name: String,
    /// Bytes that are free.
    pub free: u64,
    /// Bytes in all.
    pub total: u64,
}

/// Looks at the first card.
pub fn card_memory() -> Result<CardMemory, CountError> {
    let context = open()?;
    memory_of(&context)
}

fn memory_of(context: &CudaContext) -> Result<CardMemory, CountError> {
    let name = context.name().map_err(told("asking the card"))?;
    let (free, total) = context.mem_get_info().map_err(told("asking the card"))?;
    Ok(CardMemory {
        name,
        free: free as u64,
        total: total as u64,
    })
}

/// What went wrong, in one line.
pub(super) fn told(doing: &'static str) -> impl Fn(DriverError) -> CountError {
    move |error| {
        let why = match error.0 {
            sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => "the card is out of memory".to_owned(),
            _ => error.to_string(),
        };
        CountError::Card(format!("{doing}: {why}"))
    }
}

fn open() -> Result<Arc<CudaContext>, CountError> {
    // SAFETY: only looks whether the libraries can be opened.
    #[allow(unsafe_code)]
    let (driver, compiler) = unsafe { (sys::is_culib_present(), nvrtc::sys::is_culib_present()) };
    let missing = |what: &str| Err(CountError::Card(what.to_owned()));
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

/// An open card with its kernels.
pub(super) struct Card {
    pub stream: Arc<CudaStream>,
    pub memory: CardMemory,
    pub spawn: CudaFunction,
    pub turn_over: CudaFunction,
    pub mark: CudaFunction,
    pub slide_rows: CudaFunction,
    pub slide_across: CudaFunction,
    pub tally_rows: CudaFunction,
    pub tally_unchanged: CudaFunction,
}

impl Card {
    pub fn open() -> Result<Card, CountError> {
        let context = open()?;
        let memory = memory_of(&context)?;
        let ptx = nvrtc::compile_ptx(SOURCE)
            .map_err(|error| CountError::Card(format!("compiling the kernels: {error:?}")))?;
        let loading = told("loading the kernels; the driver may be older than the compiler");
        let module = context.load_module(ptx).map_err(&loading)?;
        let function = |name: &str| module.load_function(name).map_err(&loading);
        Ok(Card {
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

    /// A copy of a list on the card; empty ones get an entry, since there is no memory of no
    /// size.
    pub fn upload<T: Pod + DeviceRepr>(&self, list: &[T]) -> Result<CudaSlice<T>, CountError> {
        let one = [T::zeroed()];
        let list = if list.is_empty() { &one } else { list };
        self.stream
            .clone_htod(list)
            .map_err(told("writing to the card"))
    }
}

/// A block of threads for each of so many rows, the longest of so many words.
pub(super) fn for_rows(rows: u32, longest: u32, shared: bool) -> LaunchConfig {
    LaunchConfig {
        grid_dim: (rows, 1, 1),
        block_dim: (if longest > 512 { 256 } else { 128 }, 1, 1),
        shared_mem_bytes: if shared { 8 * longest } else { 0 },
    }
}
