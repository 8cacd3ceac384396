//! Positions with nothing but 2s and 4s, two bits a cell.

use tilebase_game::{Grid, Move, Shape};

use crate::checkerboard::line_table::LineTable;

/// A position of 2s and 4s on a board of at most [`TwoBitRules::MAX_CELLS`] cells: cell i, row by
/// row, in bits 2i and 2i + 1, its exponent.
pub type TwoBitBoard = u128;

/// The game on [`TwoBitBoard`]s of one shape: slides that make no 8, drops, images.
#[derive(Debug)]
pub struct TwoBitRules {
    shape: Shape,
    rows: usize,
    cols: usize,
    row_lines: LineTable,
    col_lines: LineTable,
}

impl TwoBitRules {
    /// The most cells that fit a [`TwoBitBoard`].
    pub const MAX_CELLS: u16 = 64;

    /// The game on a shape, if a field can hold it.
    pub fn new(shape: Shape) -> Option<TwoBitRules> {
        (shape.cells() <= TwoBitRules::MAX_CELLS).then(|| TwoBitRules {
            shape,
            rows: usize::from(shape.rows()),
            cols: usize::from(shape.cols()),
            row_lines: LineTable::new(shape.cols()),
            col_lines: LineTable::new(shape.rows()),
        })
    }

    /// The shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The position after a slide; `None` if the slide changes nothing or makes an 8.
    #[inline]
    pub fn slide(&self, field: TwoBitBoard, m: Move) -> Option<TwoBitBoard> {
        let after = match m {
            Move::Left | Move::Right => self.slide_rows(field, m == Move::Right)?,
            Move::Up | Move::Down => self.slide_cols(field, m == Move::Down)?,
        };
        (after != field).then_some(after)
    }

    fn slide_rows(&self, field: TwoBitBoard, to_end: bool) -> Option<TwoBitBoard> {
        let mut after = 0;
        for row in 0..self.rows {
            let line = self.row_lines.slide(self.row(field, row), to_end)?;
            after |= TwoBitBoard::from(line) << (2 * row * self.cols);
        }
        Some(after)
    }

    fn slide_cols(&self, field: TwoBitBoard, to_end: bool) -> Option<TwoBitBoard> {
        let mut after = 0;
        for col in 0..self.cols {
            let mut line = 0;
            for row in 0..self.rows {
                line |= (self.cell(field, row, col) as u64) << (2 * row);
            }
            let mut line = self.col_lines.slide(line, to_end)?;
            let mut place = 2 * col;
            while line != 0 {
                after |= TwoBitBoard::from(line & 3) << place;
                line >>= 2;
                place += 2 * self.cols;
            }
        }
        Some(after)
    }

    fn row(&self, field: TwoBitBoard, row: usize) -> u64 {
        let mask = if self.cols == 32 {
            u64::MAX
        } else {
            (1 << (2 * self.cols)) - 1
        };
        (field >> (2 * row * self.cols)) as u64 & mask
    }

    fn cell(&self, field: TwoBitBoard, row: usize, col: usize) -> u8 {
        (field >> (2 * (row * self.cols + col))) as u8 & 3
    }

    /// The empty cells, numbered row by row.
    pub fn empty_cells(&self, field: TwoBitBoard) -> impl Iterator<Item = u16> + use<> {
        (0..self.shape.cells()).filter(move |&cell| field >> (2 * cell) & 3 == 0)
    }

    /// The smallest of the images of a position under the symmetries of the shape.
    pub fn canonical(&self, field: TwoBitBoard) -> TwoBitBoard {
        let mut least = self.least_mirror(field);
        if self.shape.is_square() {
            least = least.min(self.least_mirror(self.transposed(field)));
        }
        least
    }

    fn least_mirror(&self, field: TwoBitBoard) -> TwoBitBoard {
        let mirrored = self.mirrored(field);
        let images = [field, mirrored, self.flipped(field), self.flipped(mirrored)];
        images.into_iter().min().unwrap_or(field)
    }

    fn mirrored(&self, field: TwoBitBoard) -> TwoBitBoard {
        (0..self.rows).fold(0, |image, row| {
            let line = self.row_lines.reversed(self.row(field, row));
            image | TwoBitBoard::from(line) << (2 * row * self.cols)
        })
    }

    fn flipped(&self, field: TwoBitBoard) -> TwoBitBoard {
        (0..self.rows).fold(0, |image, row| {
            let to = self.rows - 1 - row;
            image | TwoBitBoard::from(self.row(field, row)) << (2 * to * self.cols)
        })
    }

    /// Rows and columns exchanged, on a square shape.
    fn transposed(&self, field: TwoBitBoard) -> TwoBitBoard {
        let mut image = 0;
        for row in 0..self.rows {
            for col in 0..self.cols {
                let tile = TwoBitBoard::from(self.cell(field, row, col));
                image |= tile << (2 * (col * self.cols + row));
            }
        }
        image
    }

    /// How many different images a position has under the symmetries of the shape.
    pub fn images(&self, field: TwoBitBoard) -> u128 {
        let mut images = Vec::new();
        let mut add = |field| {
            images.push(field);
            images.push(self.mirrored(field));
            images.push(self.flipped(field));
            images.push(self.flipped(self.mirrored(field)));
        };
        add(field);
        if self.shape.is_square() {
            add(self.transposed(field));
        }
        images.sort_unstable();
        images.dedup();
        images.len() as u128
    }

    /// The position as a grid.
    pub fn grid(&self, field: TwoBitBoard) -> Grid {
        let mut grid = Grid::empty(self.shape);
        for row in 0..self.shape.rows() {
            for col in 0..self.shape.cols() {
                grid.set(row, col, self.cell(field, row.into(), col.into()));
            }
        }
        grid
    }

    /// A grid of this shape as a field, if it has no tile above 4.
    pub fn field(&self, grid: &Grid) -> Option<TwoBitBoard> {
        let fits = grid.shape() == self.shape && grid.max_exponent() <= 2;
        fits.then(|| {
            let cells = grid.exponents().iter().rev();
            cells.fold(0, |field, &e| field << 2 | TwoBitBoard::from(e))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilebase_game::Rng;

    /// A grid with cells 0, 1, 2 at random.
    fn random(shape: Shape, rng: &mut Rng) -> Grid {
        let cells: Vec<u8> = (0..shape.cells()).map(|_| rng.below(3) as u8).collect();
        Grid::from_exponents(shape, &cells).unwrap()
    }

    #[test]
    fn fields_slide_like_grids_that_make_no_eight() {
        let mut rng = Rng::new(1);
        for shape in [
            "1x1", "1x5", "2x2", "3x3", "3x5", "4x4", "2x32", "32x2", "9x7", "8x8",
        ] {
            let shape: Shape = shape.parse().unwrap();
            let rules = TwoBitRules::new(shape).unwrap();
            for _ in 0..300 {
                let grid = random(shape, &mut rng);
                let field = rules.field(&grid).unwrap();
                assert_eq!(rules.grid(field), grid);
                let empty: Vec<(u8, u8)> = rules
                    .empty_cells(field)
                    .map(|cell| (cell as u8 / shape.cols(), cell as u8 % shape.cols()))
                    .collect();
                assert_eq!(empty, grid.empty_cells().collect::<Vec<_>>());
                for m in Move::ALL {
                    let expected = grid.after(m).filter(|(after, _)| !after.reaches(3));
                    let found = rules.slide(field, m).map(|field| rules.grid(field));
                    assert_eq!(found, expected.map(|(after, _)| after), "{grid} {m}");
                }
            }
        }
        assert!(TwoBitRules::new("5x13".parse().unwrap()).is_none());
    }

    #[test]
    fn images_share_their_canonical_form() {
        let mut rng = Rng::new(2);
        for shape in ["1x4", "2x3", "3x3", "4x2", "3x32"] {
            let shape: Shape = shape.parse().unwrap();
            let Some(rules) = TwoBitRules::new(shape) else {
                continue;
            };
            for _ in 0..100 {
                let grid = random(shape, &mut rng);
                let field = rules.field(&grid).unwrap();
                let canonical = rules.canonical(field);
                assert_eq!(rules.grid(canonical).canonical(), grid.canonical());
                for image in [rules.mirrored(field), rules.flipped(field)] {
                    assert_eq!(rules.canonical(image), canonical);
                    assert_eq!(rules.images(image), rules.images(field));
                }
            }
        }
        let rules = TwoBitRules::new(Shape::new(2, 2).unwrap()).unwrap();
        assert_eq!(
            [0, 1, 5, 0b1001_0110].map(|field| rules.images(field)),
            [1, 4, 4, 2]
        );
    }
}
