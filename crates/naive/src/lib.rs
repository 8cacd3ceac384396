//! The rules of 2048 written straight from their text: arrays, loops, no cleverness.
//!
//! Tests and benchmarks hold the fast implementations against this one. It shares no code
//! with them on purpose and depends on nothing.

pub mod formation;

/// A slide towards a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Towards the first column.
    Left,
    /// Towards the last column.
    Right,
    /// Towards the first row.
    Up,
    /// Towards the last row.
    Down,
}

/// All directions.
pub const DIRECTIONS: [Direction; 4] = [
    Direction::Left,
    Direction::Right,
    Direction::Up,
    Direction::Down,
];

/// A position: `cells[row][column]` is the exponent of the tile there, 0 if empty.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The exponents.
    pub cells: Vec<Vec<u8>>,
}

impl Position {
    /// A position from exponents listed row by row.
    pub fn new(rows: usize, cols: usize, exponents: &[u8]) -> Position {
        assert_eq!(exponents.len(), rows * cols, "one exponent a cell");
        Position {
            cells: exponents.chunks(cols).map(<[u8]>::to_vec).collect(),
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.cells.len()
    }

    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.cells[0].len()
    }

    /// The exponents row by row.
    pub fn exponents(&self) -> Vec<u8> {
        self.cells.concat()
    }

    /// The position after a slide, and the score gained. The same position if nothing
    /// moves.
    pub fn slide(&self, direction: Direction) -> (Position, u128) {
        let mut after = self.clone();
        let mut score = 0;
        match direction {
            Direction::Left => {
                for row in 0..self.rows() {
                    let (line, gained) = slide_line(&self.cells[row]);
                    after.cells[row] = line;
                    score += gained;
                }
            }
            Direction::Right => {
                for row in 0..self.rows() {
                    let mut line = self.cells[row].clone();
                    line.reverse();
                    let (mut line, gained) = slide_line(&line);
                    line.reverse();
                    after.cells[row] = line;
                    score += gained;
                }
            }
            Direction::Up => {
                for col in 0..self.cols() {
                    let column: Vec<u8> = self.cells.iter().map(|row| row[col]).collect();
                    let (line, gained) = slide_line(&column);
                    for (row, exponent) in line.into_iter().enumerate() {
                        after.cells[row][col] = exponent;
                    }
                    score += gained;
                }
            }
            Direction::Down => {
                for col in 0..self.cols() {
                    let column: Vec<u8> = self.cells.iter().rev().map(|row| row[col]).collect();
                    let (line, gained) = slide_line(&column);
                    for (row, exponent) in line.into_iter().rev().enumerate() {
                        after.cells[row][col] = exponent;
                    }
                    score += gained;
                }
            }
        }
        (after, score)
    }

    /// Whether no slide changes the position.
    pub fn is_lost(&self) -> bool {
        DIRECTIONS.iter().all(|&d| self.slide(d).0 == *self)
    }

    /// Sum of the tiles' values.
    pub fn sum(&self) -> u128 {
        let mut sum = 0;
        for exponent in self.exponents() {
            if exponent > 0 {
                sum += 2u128.pow(exponent.into());
            }
        }
        sum
    }

    /// Exponent of the largest tile, 0 if there is none.
    pub fn max_exponent(&self) -> u8 {
        let mut largest = 0;
        for exponent in self.exponents() {
            if exponent > largest {
                largest = exponent;
            }
        }
        largest
    }

    /// The positions with a tile of this exponent in each empty cell, row by row.
    pub fn drops(&self, exponent: u8) -> Vec<Position> {
        let mut positions = Vec::new();
        for row in 0..self.rows() {
            for col in 0..self.cols() {
                if self.cells[row][col] == 0 {
                    let mut with = self.clone();
                    with.cells[row][col] = exponent;
                    positions.push(with);
                }
            }
        }
        positions
    }

    /// A quarter turn clockwise.
    pub fn turned(&self) -> Position {
        let mut turned = Position {
            cells: vec![vec![0; self.rows()]; self.cols()],
        };
        for row in 0..self.rows() {
            for col in 0..self.cols() {
                turned.cells[col][self.rows() - 1 - row] = self.cells[row][col];
            }
        }
        turned
    }

    /// Left and right exchanged.
    pub fn mirrored(&self) -> Position {
        let mut mirrored = self.clone();
        for row in &mut mirrored.cells {
            row.reverse();
        }
        mirrored
    }

    /// The images under all turns and mirrors that keep the shape (repeats included).
    pub fn images(&self) -> Vec<Position> {
        let mut images = Vec::new();
        let mut turned = self.clone();
        for _ in 0..4 {
            if turned.rows() == self.rows() && turned.cols() == self.cols() {
                images.push(turned.clone());
                images.push(turned.mirrored());
            }
            turned = turned.turned();
        }
        images
    }

    /// The image with the largest sum in its first half, and among those the one that
    /// reads largest; wide boards are judged by columns.
    pub fn canonical(&self) -> Position {
        let reading = |position: &Position| -> Vec<Vec<u8>> {
            if position.rows() >= position.cols() {
                position.cells.clone()
            } else {
                let column = |col| position.cells.iter().map(|row| row[col]).collect();
                (0..position.cols()).map(column).collect()
            }
        };
        let mut best = self.clone();
        let mut best_key = None;
        for image in self.images() {
            let lines = reading(&image);
            let half = lines.len().div_ceil(2);
            let mut sum = 0u128;
            for &exponent in lines[..half].concat().iter() {
                if exponent > 0 {
                    sum += 1 << exponent;
                }
            }
            let key = Some((sum, lines));
            if key > best_key {
                best_key = key;
                best = image;
            }
        }
        best
    }

    /// The image whose digits form the smallest number.
    pub fn smallest(&self) -> Position {
        let mut smallest = self.clone();
        for image in self.images() {
            if image < smallest {
                smallest = image;
            }
        }
        smallest
    }
}

/// Slides a line towards its first cell: close the gaps, merge pairs from the wall, each
/// tile once.
fn slide_line(line: &[u8]) -> (Vec<u8>, u128) {
    let mut tiles: Vec<u8> = Vec::new();
    for &exponent in line {
        if exponent != 0 {
            tiles.push(exponent);
        }
    }
    let mut merged = Vec::new();
    let mut score = 0;
    let mut i = 0;
    while i < tiles.len() {
        if i + 1 < tiles.len() && tiles[i] == tiles[i + 1] {
            merged.push(tiles[i] + 1);
            score += 2u128.pow(u32::from(tiles[i]) + 1);
            i += 2;
        } else {
            merged.push(tiles[i]);
            i += 1;
        }
    }
    merged.resize(line.len(), 0);
    (merged, score)
}
