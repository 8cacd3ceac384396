//! The two checkerboard patterns of a shape.

use std::fmt;

use tilebase_game::{Grid, Shape};

/// The tile in the upper left corner of a checkerboard, which distinguishes the two patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Corner {
    /// A 2: exponents 1, 2, 1, ... in the first row.
    Two,
    /// A 4: exponents 2, 1, 2, ... in the first row.
    Four,
}

impl Corner {
    /// Both patterns.
    pub const ALL: [Corner; 2] = [Corner::Two, Corner::Four];

    /// The tile's value.
    pub const fn tile(self) -> u8 {
        match self {
            Corner::Two => 2,
            Corner::Four => 4,
        }
    }

    /// The exponent of a cell of the pattern.
    pub const fn exponent(self, row: u8, col: u8) -> u8 {
        let odd = (row ^ col) & 1;
        match self {
            Corner::Two => 1 + odd,
            Corner::Four => 2 - odd,
        }
    }

    /// The pattern on a shape.
    ///
    /// ```
    /// use tilebase_prove::checkerboard::Corner;
    ///
    /// let pattern = Corner::Four.pattern("2x3".parse().unwrap());
    /// assert_eq!(pattern.to_string(), "4,2,4/2,4,2");
    /// ```
    pub fn pattern(self, shape: Shape) -> Grid {
        let mut grid = Grid::empty(shape);
        for row in 0..shape.rows() {
            for col in 0..shape.cols() {
                grid.set(row, col, self.exponent(row, col));
            }
        }
        grid
    }

    /// The pattern that a board shows, if any; a single 2 is one, a single 4 too.
    pub fn of(grid: &Grid) -> Option<Corner> {
        Corner::ALL
            .into_iter()
            .find(|corner| corner.pattern(grid.shape()) == *grid)
    }
}

impl fmt::Display for Corner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.tile())
    }
}
