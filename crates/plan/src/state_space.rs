//! The interface that the searches need from positions.

use std::hash::Hash;

use tilebase_game::{Grid, Move};

use crate::tile::Tile;

/// The game on one shape: its states and their successors.
pub trait StateSpace {
    /// A position.
    type State: Clone + Default;
    /// Identifies a position.
    type Key: Copy + Default + Eq + Hash + Ord;

    /// The state of a grid.
    fn state(&self, grid: &Grid) -> Self::State;

    /// The state as a grid.
    fn grid(&self, state: &Self::State) -> Grid;

    /// Key of a state.
    fn key(&self, state: &Self::State) -> Self::Key;

    /// Key that all images of a state under the symmetries of the shape share, if it is cheap.
    fn canonical_key(&self, state: &Self::State) -> Self::Key;

    /// The state after a legal slide.
    fn slide(&self, state: &Self::State, m: Move) -> Option<Self::State>;

    /// Puts a tile into an empty cell, numbered row by row.
    fn put(&self, state: &mut Self::State, cell: u16, exponent: u8);

    /// Number of empty cells.
    fn empty(&self, state: &Self::State) -> u32;

    /// The empty cell with `n` empty cells before it, row by row.
    fn nth_empty(&self, state: &Self::State, n: u32) -> Option<u16>;

    /// The cells that a planner who may choose tries: all empty ones on small boards.
    fn choices(&self, state: &Self::State, cells: &mut Vec<u16>);

    /// Whether [`choices`](StateSpace::choices) leaves nothing out.
    fn lists_all_choices(&self) -> bool;

    /// Whether some tile has at least this exponent.
    fn reaches(&self, state: &Self::State, exponent: u8) -> bool;

    /// Replaces the contents of a list by the tiles, row by row.
    fn tiles(&self, state: &Self::State, tiles: &mut Vec<Tile>);

    /// Roughness of the position.
    fn roughness(&self, state: &Self::State) -> u64;

    /// Bytes of a state, with those on the heap.
    fn state_bytes(&self, state: &Self::State) -> usize;
}
