//! Boards in arrays: a byte a cell.

use numpy::ndarray::{Array3, ArrayView1, ArrayView3};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3, PyArray4, PyReadonlyArray3};
use pyo3::prelude::*;
use tilebase_game::{Board, Grid, Move, Shape};

use crate::error::{memory, request};

/// A new array of numbers.
pub type Numbers<'py, T> = Bound<'py, PyArray1<T>>;
/// A new array with four numbers for each board.
pub type FourEach<'py, T> = Bound<'py, PyArray2<T>>;
/// A new array of boards.
pub type Boards<'py> = Bound<'py, PyArray3<u8>>;
/// A new array of several boards for each board.
pub type BoardsEach<'py> = Bound<'py, PyArray4<u8>>;

/// The largest exponent in arrays. No play gets beyond 17, and scores of larger tiles would not fit
/// 64 bits.
pub const MOST_EXPONENT: u8 = 30;

/// Actions in the order that most environments use.
pub const ACTIONS: [Move; 4] = [Move::Up, Move::Right, Move::Down, Move::Left];

/// The action of a move.
pub fn action_of(m: Move) -> usize {
    match m {
        Move::Up => 0,
        Move::Right => 1,
        Move::Down => 2,
        Move::Left => 3,
    }
}

/// The shape of a board that is played here: at most 4x4.
#[derive(Clone, Copy)]
pub struct Cells {
    pub shape: Shape,
    rows: usize,
    cols: usize,
}

impl Cells {
    pub fn new(shape: Shape) -> Cells {
        Cells {
            shape,
            rows: shape.rows().into(),
            cols: shape.cols().into(),
        }
    }

    /// Cells of a board.
    pub fn len(self) -> usize {
        self.rows * self.cols
    }

    /// The boards of an array of the right shape, one after the other, with all exponents in
    /// range.
    pub fn boards<'a>(self, array: &'a PyReadonlyArray3<'_, u8>) -> PyResult<&'a [u8]> {
        let view: ArrayView3<'_, u8> = array.as_array();
        if view.shape()[1..] != [self.rows, self.cols] {
            let [_, rows, cols] = [0, 1, 2].map(|i| view.shape()[i]);
            return Err(request(format!(
                "boards of shape {rows}x{cols} in a game on {}",
                self.shape
            )));
        }
        let cells = array.as_slice().map_err(request)?;
        match cells.iter().find(|&&exponent| exponent > MOST_EXPONENT) {
            None => Ok(cells),
            Some(exponent) => Err(request(format!(
                "exponent {exponent} is too large: use 0 for an empty cell, 1 for a 2, up to {MOST_EXPONENT}"
            ))),
        }
    }

    /// The packed form of a board's cells, if all exponents are at most 15.
    #[inline]
    pub fn pack(self, cells: &[u8]) -> Option<Board> {
        if let Ok(cells) = <[u8; 16]>::try_from(cells) {
            return pack_frame(cells);
        }
        let mut frame = [0; 16];
        for (to, from) in frame.chunks_mut(4).zip(cells.chunks(self.cols)) {
            to[..self.cols].copy_from_slice(from);
        }
        pack_frame(frame)
    }

    /// A packed board with an error for tiles that do not fit.
    pub fn packed(self, cells: &[u8]) -> PyResult<Board> {
        self.pack(cells).ok_or_else(|| {
            request("a tile above 32768 has no packed form: neither tables nor searches know it")
        })
    }

    /// Writes the cells of a packed board.
    #[inline]
    pub fn unpack(self, board: Board, cells: &mut [u8]) {
        let frame = unpack_frame(board);
        if let Ok(cells) = <&mut [u8; 16]>::try_from(&mut *cells) {
            *cells = frame;
            return;
        }
        for (to, from) in cells.chunks_mut(self.cols).zip(frame.chunks(4)) {
            to.copy_from_slice(&from[..self.cols]);
        }
    }

    /// The grid of a board's cells.
    pub fn grid(self, cells: &[u8]) -> PyResult<Grid> {
        Grid::from_exponents(self.shape, cells).ok_or_else(|| request("not a board of this shape"))
    }

    /// An array of boards from their cells.
    pub fn array<'py>(self, py: Python<'py>, cells: Vec<u8>) -> PyResult<Boards<'py>> {
        let boards = cells.len() / self.len();
        let array = Array3::from_shape_vec((boards, self.rows, self.cols), cells);
        Ok(array.map_err(request)?.into_pyarray(py))
    }

    /// Rows and columns.
    pub fn sides(self) -> (usize, usize) {
        (self.rows, self.cols)
    }
}

/// An array of one value, unless there is no memory for it.
pub fn filled<T: Clone>(len: usize, value: T) -> PyResult<Vec<T>> {
    let mut all = Vec::new();
    let reserved = all.try_reserve_exact(len);
    reserved.map_err(|_| memory(format_args!("{len} entries")))?;
    all.resize(len, value);
    Ok(all)
}

/// The move of each action of an array of `n`.
pub fn moves(actions: ArrayView1<'_, u8>, n: usize) -> PyResult<Vec<Move>> {
    if actions.len() != n {
        return Err(request(format!("{} actions for {n} boards", actions.len())));
    }
    actions
        .iter()
        .map(|&action| ACTIONS.get(usize::from(action)).copied().ok_or(action))
        .collect::<Result<_, _>>()
        .map_err(wrong_action)
}

/// The error for a number that is no action.
pub fn wrong_action(action: impl std::fmt::Display) -> PyErr {
    request(format!(
        "{action} is no action: use 0 up, 1 right, 2 down, 3 left"
    ))
}

#[inline]
fn pack_frame(cells: [u8; 16]) -> Option<Board> {
    let bytes = u128::from_be_bytes(cells);
    const LOW: u128 = 0x0f0f_0f0f_0f0f_0f0f_0f0f_0f0f_0f0f_0f0f;
    if bytes & !LOW != 0 {
        return None;
    }
    let half = |x: u64| {
        let x = (x | x >> 4) & 0x00ff_00ff_00ff_00ff;
        let x = (x | x >> 8) & 0x0000_ffff_0000_ffff;
        (x | x >> 16) & 0xffff_ffff
    };
    Some(Board::from_bits(
        half((bytes >> 64) as u64) << 32 | half(bytes as u64),
    ))
}

#[inline]
fn unpack_frame(board: Board) -> [u8; 16] {
    let half = |x: u64| {
        let x = (x | x << 16) & 0x0000_ffff_0000_ffff;
        let x = (x | x << 8) & 0x00ff_00ff_00ff_00ff;
        (x | x << 4) & 0x0f0f_0f0f_0f0f_0f0f
    };
    let bits = board.bits();
    let [high, low] = [half(bits >> 32), half(bits & 0xffff_ffff)];
    (u128::from(high) << 64 | u128::from(low)).to_be_bytes()
}
