//! Slider against Dropper: can Slider force a tile whatever Dropper does?
//!
//! From the empty board Dropper drops a tile on any empty cell, then Slider slides, and so
//! on in turn. Slider wins when the target tile is made, Dropper when no slide is legal.

#[cfg(not(target_family = "wasm"))]
pub mod bdd;
mod check;
pub mod checkerboard;
mod contest;
mod layers;
mod plain;
mod search;
mod strategy;

pub use check::{CheckError, Checked, check};
pub use contest::{Contest, ContestError, Drops, Winner};
pub use layers::{
    LayerResult, LayersError, LayersOptions, LayersReport, SolvedLayer, solve_layers,
    solve_layers_with,
};
pub use search::{Search, SearchError, SearchOptions, Tidiness};
pub use strategy::{Choice, Strategy};
