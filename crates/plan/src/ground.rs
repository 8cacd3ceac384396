//! What a search asks of positions: the same of packed boards and of boards of any size.

use std::hash::Hash;

use tilebase_game::{Grid, Move};

/// A tile and where it lies, in one word that orders tiles row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile(u32);

impl Tile {
    /// A tile of an exponent from 1 in a row and a column from 0.
    #[inline]
    pub const fn new(row: u8, col: u8, exponent: u8) -> Tile {
        Tile((row as u32) << 16 | (col as u32) << 8 | exponent as u32)
    }

    /// Row, from 0 at the top.
    #[inline]
    pub const fn row(self) -> u8 {
        (self.0 >> 16) as u8
    }

    /// Column, from 0 at the left.
    #[inline]
    pub const fn col(self) -> u8 {
        (self.0 >> 8) as u8
    }

    /// The tile's exponent, at least 1.
    #[inline]
    pub const fn exponent(self) -> u8 {
        self.0 as u8
    }

    /// The word.
    #[inline]
    pub(crate) const fn bits(self) -> u32 {
        self.0
    }

    /// The tile doubled, in its place.
    #[inline]
    pub(crate) const fn doubled(self) -> Tile {
        Tile(self.0 + 1)
    }
}

/// The tiles of a grid, row by row.
///
/// ```
/// use tilebase_plan::{Tile, tiles};
///
/// let grid = ".,2/.,8".parse().unwrap();
/// assert_eq!(tiles(&grid), [Tile::new(0, 1, 1), Tile::new(1, 1, 3)]);
/// ```
pub fn tiles(grid: &Grid) -> Vec<Tile> {
    let cells = grid.rows().zip(0..).flat_map(|(cells, row)| {
        let tile = move |(&exponent, col)| Tile::new(row, col, exponent);
        cells.iter().zip(0..).map(tile)
    });
    cells.filter(|tile| tile.exponent() > 0).collect()
}

/// The game on one shape, as searches see it.
pub trait Ground {
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
    fn all_choices(&self) -> bool;

    /// Whether some tile has at least this exponent.
    fn reaches(&self, state: &Self::State, exponent: u8) -> bool;

    /// The tiles, row by row, in place of what the list has.
    fn tiles(&self, state: &Self::State, tiles: &mut Vec<Tile>);

    /// How untidy the position is.
    fn untidiness(&self, state: &Self::State) -> u64;

    /// Bytes that a kept state takes.
    fn state_bytes(&self, state: &Self::State) -> usize;
}
