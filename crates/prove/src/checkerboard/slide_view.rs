//! A board seen from a wall.

use tilebase_game::{Move, Shape};

/// How to read the cells of a board, row by row in memory, as lines that start at the wall
/// of a slide. The lines themselves are counted from one of the two other walls.
#[derive(Clone, Copy, Debug)]
pub struct SlideView {
    /// How many lines there are.
    pub lines: usize,
    /// How many cells each has.
    pub length: usize,
    start: isize,
    line_step: isize,
    cell_step: isize,
}

impl SlideView {
    /// The view along a slide; with `turned` the lines are counted from the other side.
    pub fn new(shape: Shape, m: Move, turned: bool) -> SlideView {
        let (rows, cols) = (isize::from(shape.rows()), isize::from(shape.cols()));
        let (lines, length, mut line_step, mut cell_step) = match m {
            Move::Left | Move::Right => (rows, cols, cols, 1),
            Move::Up | Move::Down => (cols, rows, 1, cols),
        };
        let mut start = 0;
        if matches!(m, Move::Right | Move::Down) {
            start += (length - 1) * cell_step;
            cell_step = -cell_step;
        }
        if turned {
            start += (lines - 1) * line_step;
            line_step = -line_step;
        }
        SlideView {
            lines: lines as usize,
            length: length as usize,
            start,
            line_step,
            cell_step,
        }
    }

    /// Where a cell is in memory.
    pub fn at(&self, line: usize, cell: usize) -> usize {
        (self.start + line as isize * self.line_step + cell as isize * self.cell_step) as usize
    }

    /// The tiles of a line from the wall, if they all lie against it.
    pub fn packed(&self, cells: &[u8], line: usize) -> Option<Vec<u8>> {
        let mut tiles: Vec<u8> = (0..self.length)
            .map(|cell| cells[self.at(line, cell)])
            .collect();
        let number = tiles.iter().take_while(|&&tile| tile != 0).count();
        if tiles[number..].iter().any(|&tile| tile != 0) {
            return None;
        }
        tiles.truncate(number);
        Some(tiles)
    }
}
