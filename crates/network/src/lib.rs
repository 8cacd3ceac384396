//! N-tuple networks for the 4×4 game: what they are, their files, their training, and the
//! network that comes with the program.
//!
//! [`NTupleNetwork`] is a network ready to be searched with; [`train`] makes one by self-play, on a
//! core or on a GPU. With the feature `built-in`, [`built_in`] has the file of the network
//! that the program plays with, 23 MB.

mod network;
mod pages;
pub mod patterns;
mod stages;
#[cfg(not(target_family = "wasm"))]
pub mod train;

pub use network::{NTupleNetwork, NetworkError};
pub use pages::Pages;
pub use stages::{STAGES, staged_places};

/// The file of the network that comes with the program, if it was built with the feature
/// `built-in`: docs/playing.md says how it was trained. A page fetches it instead.
pub fn built_in() -> Option<&'static [u8]> {
    #[cfg(feature = "built-in")]
    return Some(include_bytes!("../weights/4x4.tuples"));
    #[cfg(not(feature = "built-in"))]
    None
}
