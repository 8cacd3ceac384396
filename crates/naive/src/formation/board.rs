//! Boards with walls, and how they slide.

use std::collections::BTreeSet;

use crate::Direction;

/// A set of cells: (row, column), both from 0.
pub type Cells = BTreeSet<(usize, usize)>;

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// The tile with this exponent, 1 or more.
    Tile(u8),
    /// A wall.
    Wall,
}

/// A board with walls, of any shape.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    rows: usize,
    cols: usize,
    // Row by row in one list, so that a clone is one allocation.
    cells: Vec<Cell>,
}

impl Board {
    /// A board without tiles and walls.
    pub fn empty(rows: usize, cols: usize) -> Board {
        Board {
            rows,
            cols,
            cells: vec![Cell::Empty; rows * cols],
        }
    }

    /// The board that [`Board::hex`] writes so, `0x` in front or not; `None` if it is no such
    /// text.
    pub fn from_hex(rows: usize, cols: usize, text: &str) -> Option<Board> {
        let digits = text.strip_prefix("0x").unwrap_or(text);
        let mut cells = Vec::new();
        for digit in digits.chars() {
            cells.push(match digit.to_digit(16)? {
                0 => Cell::Empty,
                15 => Cell::Wall,
                exponent => Cell::Tile(exponent as u8),
            });
        }
        (cells.len() == rows * cols).then_some(Board { rows, cols, cells })
    }

    /// The board as text: `0x` and one hex digit a cell, rows from the top: the exponent, 0 if
    /// empty, f for a wall. A tile above 16384 has no digit and is written `?`.
    pub fn hex(&self) -> String {
        let mut text = String::from("0x");
        for &cell in &self.cells {
            text.push(match cell {
                Cell::Empty => '0',
                Cell::Tile(15..) => '?',
                Cell::Tile(exponent) => char::from_digit(exponent.into(), 16).unwrap_or('?'),
                Cell::Wall => 'f',
            });
        }
        text
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// What a cell holds.
    pub fn get(&self, (row, col): (usize, usize)) -> Cell {
        assert!(row < self.rows && col < self.cols, "a cell of the board");
        self.cells[row * self.cols + col]
    }

    /// Puts something in a cell.
    pub fn set(&mut self, (row, col): (usize, usize), cell: Cell) {
        assert!(row < self.rows && col < self.cols, "a cell of the board");
        self.cells[row * self.cols + col] = cell;
    }

    /// All cells row by row.
    pub fn all_cells(&self) -> Vec<(usize, usize)> {
        let mut cells = Vec::new();
        for row in 0..self.rows {
            for col in 0..self.cols {
                cells.push((row, col));
            }
        }
        cells
    }

    /// The empty cells row by row.
    pub fn empty_cells(&self) -> Vec<(usize, usize)> {
        let mut cells = self.all_cells();
        cells.retain(|&at| self.get(at) == Cell::Empty);
        cells
    }

    /// Sum of the tiles' values, without walls.
    pub fn sum(&self) -> u64 {
        let mut sum = 0;
        for &cell in &self.cells {
            if let Cell::Tile(exponent) = cell {
                sum += 2u64.pow(exponent.into());
            }
        }
        sum
    }

    /// The board after a slide, and the score gained. The same board if nothing moves.
    pub fn slide(&self, direction: Direction) -> (Board, u64) {
        let mut after = self.clone();
        let mut score = 0;
        for line in self.lines(direction) {
            let contents: Vec<Cell> = line.iter().map(|&at| self.get(at)).collect();
            let (slid, gained) = slide_line(&contents);
            for (&at, cell) in line.iter().zip(slid) {
                after.set(at, cell);
            }
            score += gained;
        }
        (after, score)
    }

    /// The cells of every row or column, each from the edge that a slide goes towards.
    fn lines(&self, direction: Direction) -> Vec<Vec<(usize, usize)>> {
        let row = |row| (0..self.cols).map(|col| (row, col)).collect();
        let col = |col| (0..self.rows).map(|row| (row, col)).collect();
        let mut lines: Vec<Vec<(usize, usize)>> = match direction {
            Direction::Left | Direction::Right => (0..self.rows).map(row).collect(),
            Direction::Up | Direction::Down => (0..self.cols).map(col).collect(),
        };
        if matches!(direction, Direction::Right | Direction::Down) {
            for line in &mut lines {
                line.reverse();
            }
        }
        lines
    }
}

/// Slides a line towards its first cell: close the gaps, merge pairs of equal tiles from the
/// edge, each tile once. Walls move and do not merge.
fn slide_line(line: &[Cell]) -> (Vec<Cell>, u64) {
    let mut pieces = line.to_vec();
    pieces.retain(|&cell| cell != Cell::Empty);
    let mut merged = Vec::new();
    let mut score = 0;
    let mut i = 0;
    while i < pieces.len() {
        match (pieces[i], pieces.get(i + 1)) {
            (Cell::Tile(exponent), Some(&Cell::Tile(next))) if exponent == next => {
                merged.push(Cell::Tile(exponent + 1));
                score += 2u64.pow(u32::from(exponent) + 1);
                i += 2;
            }
            (piece, _) => {
                merged.push(piece);
                i += 1;
            }
        }
    }
    merged.resize(line.len(), Cell::Empty);
    (merged, score)
}
