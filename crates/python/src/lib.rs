//! The compiled part of the Python package.
//!
//! Every class works on batches of boards: arrays of exponents, one byte a cell. The Python modules
//! in `python/tilebase` are what users see; `python/tilebase/_native.pyi` describes what is here.
//! docs/python.md is the guide.

mod cells;
mod columns;
mod error;
mod game;
mod games;
mod gpu;
mod network;
mod play;
mod policy;
mod pool;
mod progress;
mod rules;
mod search;
mod service;
mod table;

use pyo3::prelude::*;

/// The module `tilebase._native`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::games::Games;
    #[pymodule_export]
    use crate::gpu::solve_gpu;
    #[pymodule_export]
    use crate::network::Network;
    #[pymodule_export]
    use crate::play::play;
    #[pymodule_export]
    use crate::rules::Rules;
    #[pymodule_export]
    use crate::search::Search;
    #[pymodule_export]
    use crate::service::{ask, load_network, send};
    #[pymodule_export]
    use crate::table::Table;
    #[pymodule_export]
    use crate::{has_avx2, version};
}

/// The version of the package.
#[pyfunction]
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Whether this processor has the instructions of x86-64-v3, which the faster build needs.
#[pyfunction]
fn has_avx2() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("movbe")
            && is_x86_feature_detected!("f16c")
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}
