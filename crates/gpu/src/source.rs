//! The source of kernels.

use std::sync::{Mutex, PoisonError};

use cudarc::nvrtc::{self, CompileError, CompileOptions, Ptx};

use crate::error::GpuError;
use crate::layer::GpuBlock;
use crate::layout::CudaStruct;
use crate::tables::Tables;

/// The source that kernels on layers begin with: the tables of a game, the layout of a layer's
/// bits, and the place of a board in it.
pub const COMMON_KERNELS: &str = include_str!("common.cu");

/// The source of a module of kernels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelSource {
    text: String,
    exact: bool,
}

impl KernelSource {
    /// Source that stands on its own.
    pub fn new(source: &str) -> KernelSource {
        KernelSource::default().then(source)
    }

    /// Source that follows [`COMMON_KERNELS`].
    pub fn with_common(source: &str) -> KernelSource {
        KernelSource::new(COMMON_KERNELS)
            .then(source)
            .sharing::<Tables>()
            .sharing::<GpuBlock>()
    }

    /// Adds source at the end.
    fn then(mut self, source: &str) -> KernelSource {
        self.text.push_str(source);
        self
    }

    /// Defines a macro before everything else.
    pub fn define(mut self, name: &str, value: u64) -> KernelSource {
        self.text
            .insert_str(0, &format!("#define {name} {value}\n"));
        self
    }

    /// Makes compiling fail unless a struct of the source has the layout of a Rust type.
    pub fn sharing<T: CudaStruct>(self) -> KernelSource {
        self.then(&T::assertions())
    }

    /// Rounds after every product, as the processor does, instead of fusing it with a sum.
    pub fn exact(mut self) -> KernelSource {
        self.exact = true;
        self
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Compiles the source, once in a program: a self-test loads the same kernels hundreds of times.
    /// NVRTC must be installed; a GPU is not needed.
    pub fn compile(&self) -> Result<Ptx, GpuError> {
        static COMPILED: Mutex<Vec<(KernelSource, Ptx)>> = Mutex::new(Vec::new());
        // A panic elsewhere leaves the list whole.
        let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, code)) = compiled.iter().find(|(source, _)| source == self) {
            return Ok(code.clone());
        }
        let code = self.compile_anew()?;
        compiled.push((self.clone(), code.clone()));
        Ok(code)
    }

    fn compile_anew(&self) -> Result<Ptx, GpuError> {
        let options = CompileOptions {
            fmad: self.exact.then_some(false),
            ..CompileOptions::default()
        };
        nvrtc::compile_ptx_with_opts(&self.text, options).map_err(|error| {
            GpuError::Compile(match error {
                CompileError::CompileError { log, .. } => log.to_string_lossy().into_owned(),
                error => format!("{error:?}"),
            })
        })
    }
}
