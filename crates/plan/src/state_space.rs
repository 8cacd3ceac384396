//! The interface that the searches need from positions.

use std::hash::Hash;

use tilebase_game::{Grid, Move};

use crate::tile::Tile;

/// The game on one shape, as searches see it.
pub trait StateSpace {
    /// A position.
    type State: Clone + Default;
    /// What tells positions apart.
    type Key: Copy + Default + Eq + Hash + Ord;

    /// The state of a grid.
    fn state(&self, grid: &Grid) -> Self::State;

    /// The state as a grid.
    fn grid(&self, state: &Self::State) -> Grid;

    /// What tells the state from others.
    fn key(&self, state: &Self::State) -> Self::Key;

    /// The same for all images of a state under the symmetries of the shape, if that is cheap.
    fn canonical_key(&self, state: &Self::State) -> Self::Key;

    /// The state after a legal slide.
    fn slide(&self, state: &Self::State, m: Move) -> Option<Self::State>;

    /// Puts a tile into an empty cell, numbered row by row.
    fn put(&self, state: &mut Self::State, cell: u16, exponent: u8);

    /// How many cells are empty.
    fn empty(&self, state: &Self::State) -> u32;

    /// The empty cell with so many empty cells before it, row by row.
    fn nth_empty(&self, state: &Self::State, n: u32) -> Option<u16>;

    /// The cells that a planner who may choose tries: all empty ones on small boards.
    fn choices(&self, state: &Self::State, cells: &mut Vec<u16>);

    /// Whether [`choices`](Ground::choices) leaves nothing out.
    fn lists_all_choices(&self) -> bool;

    /// Whether some tile has at least this exponent.
    fn reaches(&self, state: &Self::State, exponent: u8) -> bool;

    /// The tiles, row by row, in place of what the list has.
    fn tiles(&self, state: &Self::State, tiles: &mut Vec<Tile>);

    /// How untidy the position is.
    fn roughness(&self, state: &Self::State) -> u64;

    /// Bytes that a kept state takes.
    fn state_bytes(&self, state: &Self::State) -> usize;
}
