//! Where the cells of a board lie among the variables of a diagram.

use oxidd_core::LevelNo;
use tilebase_game::Shape;

use crate::bdd::options::{CellEncoding, CellOrder};

/// One bit of the code of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CodeBit {
    Zero,
    One,
    /// The bits above already determine the value.
    Any,
}

/// The codes of some values as a tree that asks for one bit after another.
#[derive(Clone, Debug)]
pub(crate) enum CodeTree {
    /// No value has such a code.
    None,
    Value(u8),
    /// What follows a bit that is one, and one that is zero.
    CodeBit(usize, Box<[CodeTree; 2]>),
}

impl CodeTree {
    fn new(codes: &[Vec<CodeBit>], bit: usize, values: &[u8]) -> CodeTree {
        let Some(&first) = values.first() else {
            return CodeTree::None;
        };
        let code = |value: u8| codes[usize::from(value)].get(bit).copied();
        if code(first).is_none_or(|bit| bit == CodeBit::Any) {
            return CodeTree::Value(first);
        }
        let side = |wanted: CodeBit| {
            let values = values.iter().copied();
            let values: Vec<u8> = values
                .filter(|&value| code(value) == Some(wanted))
                .collect();
            CodeTree::new(codes, bit + 1, &values)
        };
        CodeTree::CodeBit(bit, Box::new([side(CodeBit::One), side(CodeBit::Zero)]))
    }
}

/// The variables of a board: `bits` for each cell, the cells in a chosen order.
#[derive(Clone, Debug)]
pub(crate) struct VariableLayout {
    shape: Shape,
    /// How many values a cell has: empty, and the tiles below the target.
    values: u8,
    /// The code of each value.
    codes: Vec<Vec<CodeBit>>,
    tree: CodeTree,
    /// The place of each cell in the order.
    places: Vec<usize>,
}

impl VariableLayout {
    pub(crate) fn new(
        shape: Shape,
        values: u8,
        encoding: CellEncoding,
        order: CellOrder,
    ) -> VariableLayout {
        let codes = match encoding {
            CellEncoding::Binary => truncated_binary(values),
            CellEncoding::OneHot | CellEncoding::ZeroSuppressed => one_hot(values),
        };
        let (rows, cols) = (usize::from(shape.rows()), usize::from(shape.cols()));
        let mut cells: Vec<(usize, usize)> = (0..rows)
            .flat_map(|row| (0..cols).map(move |col| (row, col)))
            .collect();
        cells.sort_by_key(|&(row, col)| match order {
            CellOrder::Rows => (row, col),
            CellOrder::Columns => (col, row),
            CellOrder::Snake if row % 2 == 1 => (row, cols - col),
            CellOrder::Snake => (row, col),
            CellOrder::Diagonals => (row + col, row),
        });
        let mut places = vec![0; cells.len()];
        for (place, (row, col)) in cells.into_iter().enumerate() {
            places[row * cols + col] = place;
        }
        VariableLayout {
            shape,
            values,
            tree: CodeTree::new(&codes, 0, &(0..values).collect::<Vec<_>>()),
            codes,
            places,
        }
    }

    /// For each place, the place of the cell to which its cell is led; none if some cell
    /// is led out of the board.
    pub(crate) fn moved(&self, to: impl Fn(usize, usize) -> (usize, usize)) -> Option<Vec<usize>> {
        let (rows, cols) = (
            usize::from(self.shape.rows()),
            usize::from(self.shape.cols()),
        );
        let mut moved = vec![0; self.cells()];
        for (cell, &place) in self.places.iter().enumerate() {
            let (row, col) = to(cell / cols, cell % cols);
            if row >= rows || col >= cols {
                return None;
            }
            moved[place] = self.places[row * cols + col];
        }
        Some(moved)
    }

    /// The code of the values as a tree.
    pub(crate) fn tree(&self) -> &CodeTree {
        &self.tree
    }

    pub(crate) fn cells(&self) -> usize {
        self.places.len()
    }

    pub(crate) fn values(&self) -> u8 {
        self.values
    }

    /// The code of a value, highest variable first.
    pub(crate) fn code(&self, value: u8) -> &[CodeBit] {
        &self.codes[usize::from(value)]
    }

    /// How many variables a cell has.
    pub(crate) fn bits(&self) -> usize {
        self.codes[0].len()
    }

    pub(crate) fn variables(&self) -> LevelNo {
        (self.cells() * self.bits()) as LevelNo
    }

    /// The level of a bit of the cell at a place.
    pub(crate) fn level(&self, place: usize, bit: usize) -> LevelNo {
        (place * self.bits() + bit) as LevelNo
    }

    /// The places of the lines along which a slide moves tiles, each from the side to
    /// which they move.
    pub(crate) fn lines(&self, slide: Slide) -> Vec<Vec<usize>> {
        let (rows, cols) = (
            usize::from(self.shape.rows()),
            usize::from(self.shape.cols()),
        );
        let place = |row: usize, col: usize| self.places[row * cols + col];
        let row = |row| (0..cols).map(|col| place(row, col)).collect::<Vec<_>>();
        let col = |col| (0..rows).map(|row| place(row, col)).collect::<Vec<_>>();
        let mut lines: Vec<Vec<usize>> = match slide {
            Slide::Left | Slide::Right => (0..rows).map(row).collect(),
            Slide::Up | Slide::Down => (0..cols).map(col).collect(),
        };
        if matches!(slide, Slide::Right | Slide::Down) {
            lines.iter_mut().for_each(|line| line.reverse());
        }
        lines
    }
}

pub(crate) use tilebase_game::Move as Slide;

/// Binary numbers of one length, but values determined by fewer bits end early. There
/// are no codes without a value then, and no nodes to exclude them.
fn truncated_binary(values: u8) -> Vec<Vec<CodeBit>> {
    let bits = usize::from(values).next_power_of_two().trailing_zeros() as usize;
    let short = (1usize << bits) - usize::from(values);
    let digit = |number: usize, at: usize| {
        if number >> at & 1 == 1 {
            CodeBit::One
        } else {
            CodeBit::Zero
        }
    };
    (0..usize::from(values))
        .map(|value| {
            if value < short {
                let head = (0..bits - 1).rev().map(|at| digit(value, at));
                head.chain([CodeBit::Any]).collect()
            } else {
                (0..bits).rev().map(|at| digit(value + short, at)).collect()
            }
        })
        .collect()
}

fn one_hot(values: u8) -> Vec<Vec<CodeBit>> {
    let bit = |on| if on { CodeBit::One } else { CodeBit::Zero };
    (0..values)
        .map(|value| (0..values).map(|at| bit(at == value)).collect())
        .collect()
}
