//! Tiles with their cells: a sparse view of a board.

use tilebase_game::Grid;

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
