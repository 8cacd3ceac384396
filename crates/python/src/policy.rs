//! A Python function as a policy: asked about many boards at once.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError, RwLock};

use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use tilebase_game::{Board, EachBoard, Policy, Rules};

use crate::cells::{ACTIONS, Cells};
use crate::error::request;

/// How far probabilities of actions may be from adding up to 1.
const TOLERANCE: f64 = 1e-6;

/// A policy in Python.
pub struct PythonPolicy {
    pub function: Py<PyAny>,
    pub cells: Cells,
    pub rules: Rules,
    /// Whether only canonical boards are asked about.
    pub symmetric: bool,
    /// Boards of a call.
    pub batch: usize,
    answers: RwLock<HashMap<Board, [f64; 4]>>,
    error: Mutex<Option<PyErr>>,
}

impl PythonPolicy {
    pub fn new(function: Py<PyAny>, cells: Cells, rules: Rules, symmetric: bool) -> PythonPolicy {
        PythonPolicy {
            function,
            cells,
            rules,
            symmetric,
            batch: 1 << 16,
            answers: RwLock::default(),
            error: Mutex::default(),
        }
    }

    /// The exception that ended the work, if there was one.
    pub fn take_error(&self) -> Option<PyErr> {
        let mut error = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        error.take()
    }

    /// Asks about some boards.
    fn ask(&self, py: Python<'_>, boards: &[Board]) -> PyResult<Vec<[f64; 4]>> {
        let mut cells = vec![0; boards.len() * self.cells.len()];
        for (to, &board) in cells.chunks_mut(self.cells.len()).zip(boards) {
            self.cells.unpack(board, to);
        }
        let array = self.cells.array(py, cells)?;
        let answer = self.function.bind(py).call1((array,))?;
        let answer: PyReadonlyArray2<'_, f64> = answer.extract()?;
        let answer = answer.as_array();
        if answer.shape() != [boards.len(), 4] {
            return Err(request(format!(
                "the policy returned an array of shape {:?} for {} boards",
                answer.shape(),
                boards.len()
            )));
        }
        let row = |(row, &board): (_, &Board)| self.checked(row, board);
        answer.rows().into_iter().zip(boards).map(row).collect()
    }

    /// The probabilities of the moves of a board, in the order of the rules.
    fn checked(
        &self,
        row: numpy::ndarray::ArrayView1<'_, f64>,
        board: Board,
    ) -> PyResult<[f64; 4]> {
        let legal = self.rules.legal_moves(board);
        let mut weights = [0.0; 4];
        for (m, &weight) in ACTIONS.iter().zip(row) {
            if !(0.0..=1.0 + TOLERANCE).contains(&weight) || weight > 0.0 && !legal.contains(*m) {
                let board = board.unpack(self.cells.shape);
                let why = if legal.contains(*m) {
                    ""
                } else {
                    ", which is illegal"
                };
                return Err(request(format!(
                    "the policy gives probability {weight} to {m}{why}, on {board}"
                )));
            }
            weights[m.index()] = weight;
        }
        let sum: f64 = weights.iter().sum();
        if (sum - 1.0).abs() > TOLERANCE {
            let board = board.unpack(self.cells.shape);
            return Err(request(format!(
                "the policy's probabilities add up to {sum}, on {board}"
            )));
        }
        Ok(weights.map(|weight| weight / sum))
    }
}

impl Policy for PythonPolicy {
    fn probabilities(&self, _: &Rules, board: Board) -> [f64; 4] {
        let answers = self.answers.read().unwrap_or_else(PoisonError::into_inner);
        answers.get(&board).copied().unwrap_or_default()
    }

    fn is_symmetric(&self) -> bool {
        self.symmetric
    }

    fn prepare(&self, boards: &EachBoard<'_>) -> bool {
        let mut all = Vec::new();
        boards(&mut |board| all.push(board));
        let mut answers = HashMap::with_capacity(all.len());
        for part in all.chunks(self.batch.max(1)) {
            match Python::attach(|py| self.ask(py, part)) {
                Ok(rows) => answers.extend(part.iter().copied().zip(rows)),
                Err(error) => {
                    *self.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    return false;
                }
            }
        }
        *self.answers.write().unwrap_or_else(PoisonError::into_inner) = answers;
        true
    }
}
