//! The rules once more, in the plainest way: what a strategy is checked against.
//!
//! Nothing here is shared with the search: neither packed boards nor tables of rows nor the
//! choice of a canonical form.

/// A board of up to 4×4 cells, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PlainBoard {
    rows: usize,
    cols: usize,
    cells: [u8; 16],
}

/// A way to turn or mirror a board: whether rows are read from below, columns from the right,
/// and rows and columns are exchanged afterwards.
#[derive(Clone, Copy)]
pub(crate) struct Symmetry {
    pub(crate) flip_rows: bool,
    pub(crate) flip_cols: bool,
    pub(crate) transpose: bool,
}

impl PlainBoard {
    /// An empty board.
    pub fn new(rows: usize, cols: usize) -> PlainBoard {
        PlainBoard {
            rows,
            cols,
            cells: [0; 16],
        }
    }

    /// The exponent in a cell.
    pub fn get(&self, row: usize, col: usize) -> u8 {
        self.cells[row * self.cols + col]
    }

    /// Puts an exponent into a cell.
    pub fn set(&mut self, row: usize, col: usize, exponent: u8) {
        self.cells[row * self.cols + col] = exponent;
    }

    /// The board as one number, a digit of base 16 a cell.
    pub fn number(&self) -> u64 {
        let cells = self.cells.iter().take(self.rows * self.cols);
        cells.fold(0, |number, &cell| number << 4 | u64::from(cell))
    }

    /// The cells without a tile.
    pub fn empty(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let board = *self;
        (0..self.rows)
            .flat_map(move |row| (0..board.cols).map(move |col| (row, col)))
            .filter(move |&(row, col)| board.get(row, col) == 0)
    }

    /// Whether a tile of at least this exponent is there.
    pub fn has(&self, exponent: u8) -> bool {
        self.cells.iter().any(|&cell| cell >= exponent)
    }

    /// All turns that keep a shape.
    pub fn symmetries(&self) -> impl Iterator<Item = Symmetry> + use<> {
        let square = self.rows == self.cols;
        (0..if square { 8 } else { 4 }).map(|i| Symmetry {
            flip_rows: i & 1 != 0,
            flip_cols: i & 2 != 0,
            transpose: i & 4 != 0,
        })
    }

    /// The board turned.
    pub fn image(&self, turn: Symmetry) -> PlainBoard {
        let mut image = PlainBoard::new(self.rows, self.cols);
        for row in 0..self.rows {
            for col in 0..self.cols {
                let (mut r, mut c) = (row, col);
                if turn.transpose {
                    (r, c) = (c, r);
                }
                if turn.flip_rows {
                    r = self.rows - 1 - r;
                }
                if turn.flip_cols {
                    c = self.cols - 1 - c;
                }
                image.set(row, col, self.get(r, c));
            }
        }
        image
    }

    /// The board after a slide to the left (`L`), right (`R`), top (`U`) or bottom (`D`).
    pub fn slid(&self, direction: char) -> PlainBoard {
        let mut board = *self;
        let across = matches!(direction, 'L' | 'R');
        let backwards = matches!(direction, 'R' | 'D');
        let (lines, length) = match across {
            true => (self.rows, self.cols),
            false => (self.cols, self.rows),
        };
        for line in 0..lines {
            let cell = |i: usize| {
                let i = if backwards { length - 1 - i } else { i };
                if across { (line, i) } else { (i, line) }
            };
            let mut next = 0;
            let mut last: Option<u8> = None;
            let mut result = [0u8; 4];
            for i in 0..length {
                let (row, col) = cell(i);
                let tile = self.get(row, col);
                if tile == 0 {
                    continue;
                }
                if last == Some(tile) {
                    // Both become one, which does not merge again.
                    result[next - 1] = tile + 1;
                    last = None;
                } else {
                    result[next] = tile;
                    next += 1;
                    last = Some(tile);
                }
            }
            for (i, &tile) in result.iter().enumerate().take(length) {
                let (row, col) = cell(i);
                board.set(row, col, tile);
            }
        }
        board
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilebase_game::{Board, Move, Rng, Rules, Shape};

    #[test]
    fn both_sets_of_rules_agree() {
        let mut rng = Rng::new(3);
        for shape in ["1x3", "2x3", "3x2", "3x4", "4x4"] {
            let shape: Shape = shape.parse().unwrap();
            let rules = Rules::new(shape).unwrap();
            for _ in 0..2000 {
                let mut board = Board::EMPTY;
                let mut plain = PlainBoard::new(shape.rows().into(), shape.cols().into());
                for row in 0..shape.rows() {
                    for col in 0..shape.cols() {
                        let tile = rng.below(5) as u8;
                        board = board.with(row, col, tile);
                        plain.set(row.into(), col.into(), tile);
                    }
                }
                for m in Move::ALL {
                    let slid = plain.slid(m.letter());
                    let hex = rules.slide(board, m).unpack(shape).hex().unwrap();
                    let digits = hex.trim_start_matches("0x");
                    assert_eq!(slid.number(), u64::from_str_radix(digits, 16).unwrap());
                }
                let images: std::collections::HashSet<Board> = rules.images(board).collect();
                let image: std::collections::HashSet<u64> = plain
                    .symmetries()
                    .map(|turn| plain.image(turn).number())
                    .collect();
                assert_eq!(images.len(), image.len());
            }
        }
    }
}
