//! N-tuple networks for 4×4: evaluation, files, training by temporal-difference learning, and
//! the network that comes with the program.
//!
//! [`NTupleNetwork`] is an [`Evaluation`](tilebase_expectimax::Evaluation) of afterstates for
//! expectimax. [`train`] makes one by self-play, on one core or on a GPU, with optimistic
//! initialization, TC learning and two stages. [`NTupleNetwork::pruned`] makes a trained network
//! small: it drops weights that play does not need and quantizes the others.
//!
//! With the feature `built-in`, [`built_in`] returns the file of the network that the program
//! plays with, 23 MB, and [`built_in_small`] a smaller one, for the web page to begin with.

mod error;
mod file;
#[cfg(not(target_family = "wasm"))]
mod gpu_search;
mod network;
mod pages;
pub mod patterns;
mod pruning;
mod shared;
mod stages;
#[cfg(not(target_family = "wasm"))]
pub mod train;

pub use error::NetworkError;
#[cfg(not(target_family = "wasm"))]
pub use gpu_search::{GpuSearch, SlideValues, best_slide};
pub use network::NTupleNetwork;
pub use pages::Pages;
pub use shared::shared;
pub use stages::{STAGES, staged_indices};

/// A static, not a constant: code that is inlined into several crates must not carry several
/// copies of 23 MB.
#[cfg(feature = "built-in")]
static NETWORK: &[u8] = include_bytes!("../weights/4x4.network");
#[cfg(feature = "built-in")]
static SMALL_NETWORK: &[u8] = include_bytes!("../weights/4x4-small.network");

/// The file of the network that comes with the program, if this crate was built with the feature
/// `built-in`. docs/playing.md says how it was trained. The web page fetches it instead.
pub fn built_in() -> Option<&'static [u8]> {
    #[cfg(feature = "built-in")]
    return Some(NETWORK);
    #[cfg(not(feature = "built-in"))]
    None
}

/// The file of a network for quick estimates, about a fifth as large: the other one pruned
/// further, as docs/site.md says.
pub fn built_in_small() -> Option<&'static [u8]> {
    #[cfg(feature = "built-in")]
    return Some(SMALL_NETWORK);
    #[cfg(not(feature = "built-in"))]
    None
}
