//! Two-player and cooperative questions about 2048, answered by proof.
//!
//! **Slider against Dropper.** From the empty board Dropper drops a tile on any empty cell, then
//! Slider slides, and so on in turn. Slider wins when the target tile is made, Dropper when no
//! slide is legal. A [`Contest`] is such a question, and three engines answer it:
//!
//! - [`ProofSearch`] searches depth first with a table of proven positions, within a [`Family`]
//!   of strategies where one is known to be enough. A [`Strategy`] is read off its table, and
//!   [`check_strategy`] verifies one with rules of its own.
//! - [`solve_layers`] goes backward through every position that can arise, on the ranked
//!   bitmaps of `tilebase-index`; several processes can share the work
//!   ([`solve_layers_together`]).
//! - [`bdd::solve`] goes backward through sets of positions, kept as decision diagrams.
//!
//! **Checkerboards.** [`checkerboard`] is about players who cooperate: which boards can be filled
//! with alternating 2s and 4s, in how many ways, and how soon a game can be over.

#[cfg(not(target_family = "wasm"))]
pub mod bdd;
pub mod checkerboard;
mod contest;
mod family;
mod layers;
mod search;
mod strategy;

pub use contest::{Contest, ContestError, DropTiles, Winner};
pub use family::Family;
#[cfg(not(target_family = "wasm"))]
pub use layers::solve_layers_together;
pub use layers::{
    LayerResult, LayersError, LayersOptions, LayersReport, SolvedLayer, solve_layers,
    solve_layers_with,
};
pub use search::{ProofSearch, ProofSearchError, ProofSearchOptions};
pub use strategy::{CheckedStrategy, Strategy, StrategyChoice, StrategyError, check_strategy};
