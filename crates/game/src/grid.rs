//! Boards of any shape up to 32×32, a byte a cell.

use crate::board::{Board, MAX_PACKED_EXPONENT};
use crate::moves::{Move, MoveSet};
use crate::shape::Shape;

/// The largest exponent that notation accepts: the tile 2^100.
///
/// It keeps every tile sum and score within a `u128`, and no game of feasible length can
/// carry a board that starts below it past the byte that a grid's cell has.
pub const MAX_EXPONENT: u8 = 100;

/// A position of any [`Shape`]: the plain counterpart of [`Board`], without its limits.
///
/// ```
/// use tilebase_game::{Grid, Move};
///
/// let mut grid: Grid = "2,2,4,.,4/.,.,.,.,./65536,.,.,.,65536".parse().unwrap();
/// assert_eq!(grid.slide(Move::Left), Some(4 + 8 + 131072));
/// assert_eq!(grid.to_string(), "4,8,.,.,./.,.,.,.,./131072,.,.,.,.");
/// assert_eq!(grid.slide(Move::Left), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Grid {
    shape: Shape,
    cells: Box<[u8]>,
}

impl Grid {
    /// A grid without a tile.
    pub fn empty(shape: Shape) -> Grid {
        let cells = vec![0; usize::from(shape.cells())].into();
        Grid { shape, cells }
    }

    /// A grid with these exponents, row by row; `None` if their number is not the shape's
    /// or one is above [`MAX_EXPONENT`].
    pub fn from_exponents(shape: Shape, exponents: &[u8]) -> Option<Grid> {
        let fits = exponents.len() == usize::from(shape.cells())
            && exponents.iter().all(|&e| e <= MAX_EXPONENT);
        fits.then(|| Grid {
            shape,
            cells: exponents.into(),
        })
    }

    /// The grid's shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The exponents, row by row from the top; 0 is empty.
    pub fn exponents(&self) -> &[u8] {
        &self.cells
    }

    /// The exponents of each row, from the top.
    pub fn rows(&self) -> impl Iterator<Item = &[u8]> {
        self.cells.chunks_exact(usize::from(self.shape.cols()))
    }

    /// The exponent in a cell (`row` and `col` within the shape).
    pub fn get(&self, row: u8, col: u8) -> u8 {
        self.cells[self.at(row, col)]
    }

    /// Sets the exponent of a cell.
    pub fn set(&mut self, row: u8, col: u8, exponent: u8) {
        self.cells[self.at(row, col)] = exponent;
    }

    fn at(&self, row: u8, col: u8) -> usize {
        usize::from(row) * usize::from(self.shape.cols()) + usize::from(col)
    }

    /// Slides all tiles; returns the score, or `None` (and nothing changed) if the
    /// slide is not legal.
    pub fn slide(&mut self, m: Move) -> Option<u128> {
        let (rows, cols) = (
            usize::from(self.shape.rows()),
            usize::from(self.shape.cols()),
        );
        // Each line is walked from the wall that the tiles slide towards.
        let (lines, next_line, length, step) = match m {
            Move::Left | Move::Right => (rows, cols, cols, 1),
            Move::Up | Move::Down => (cols, 1, rows, cols),
        };
        let backward = matches!(m, Move::Right | Move::Down);
        let mut changed = false;
        let mut score = 0;
        for line in 0..lines {
            let at = |i: usize| line * next_line + step * if backward { length - 1 - i } else { i };
            let mut filled = 0;
            let mut may_merge = false;
            for i in 0..length {
                let tile = std::mem::take(&mut self.cells[at(i)]);
                if tile == 0 {
                    continue;
                }
                if may_merge && self.cells[at(filled - 1)] == tile {
                    self.cells[at(filled - 1)] += 1;
                    score += tile_value(tile + 1);
                    may_merge = false;
                    changed = true;
                } else {
                    self.cells[at(filled)] = tile;
                    changed |= filled != i;
                    filled += 1;
                    may_merge = true;
                }
            }
        }
        changed.then_some(score)
    }

    /// The grid after a legal slide, and its score.
    pub fn after(&self, m: Move) -> Option<(Grid, u128)> {
        let mut after = self.clone();
        let score = after.slide(m)?;
        Some((after, score))
    }

    /// The moves that change the grid.
    pub fn legal_moves(&self) -> MoveSet {
        Move::ALL
            .into_iter()
            .filter(|&m| self.after(m).is_some())
            .collect()
    }

    /// Whether no slide changes the grid.
    pub fn is_lost(&self) -> bool {
        let cols = usize::from(self.shape.cols());
        if self.cells.contains(&0) {
            // A tile beside an empty cell can always move towards it.
            return self.cells.iter().all(|&e| e == 0);
        }
        let across = self.rows().any(|row| row.windows(2).any(|w| w[0] == w[1]));
        let down = || {
            self.cells
                .iter()
                .zip(&self.cells[cols..])
                .any(|(a, b)| a == b)
        };
        !(across || down())
    }

    /// Whether some tile has at least this exponent.
    pub fn reaches(&self, exponent: u8) -> bool {
        self.max_exponent() >= exponent
    }

    /// Exponent of the largest tile, 0 on the empty grid.
    pub fn max_exponent(&self) -> u8 {
        self.cells.iter().copied().max().unwrap_or(0)
    }

    /// Sum of the tiles' values.
    pub fn sum(&self) -> u128 {
        Grid::line_sum(&self.cells)
    }

    pub(crate) fn line_sum(line: &[u8]) -> u128 {
        line.iter().map(|&e| tile_value(e)).sum()
    }

    /// The empty cells, as (row, column), row by row.
    pub fn empty_cells(&self) -> impl Iterator<Item = (u8, u8)> {
        let shape = self.shape;
        (0..shape.rows())
            .flat_map(move |row| (0..shape.cols()).map(move |col| (row, col)))
            .filter(|&(row, col)| self.get(row, col) == 0)
    }

    /// The same position as a packed board, if its shape and tiles fit one.
    pub fn pack(&self) -> Option<Board> {
        let fits = self.shape.rows() <= 4
            && self.shape.cols() <= 4
            && self.max_exponent() <= MAX_PACKED_EXPONENT;
        fits.then(|| {
            self.rows().zip(0..).fold(Board::EMPTY, |board, (row, r)| {
                row.iter()
                    .zip(0..)
                    .fold(board, |board, (&exponent, c)| board.with(r, c, exponent))
            })
        })
    }
}

impl Board {
    /// The same position as a grid; cells outside the shape are dropped.
    ///
    /// Sides of the shape beyond 4 are empty.
    pub fn unpack(self, shape: Shape) -> Grid {
        let mut grid = Grid::empty(shape);
        for row in 0..shape.rows().min(4) {
            for col in 0..shape.cols().min(4) {
                grid.set(row, col, self.get(row, col));
            }
        }
        grid
    }
}

/// The value of a tile, 2^exponent; 0 for an empty cell.
pub const fn tile_value(exponent: u8) -> u128 {
    if exponent == 0 { 0 } else { 1 << exponent }
}
