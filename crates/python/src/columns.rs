//! A table as columns, for data frames.

use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tilebase_export::{Row, for_each_part};
use tilebase_game::Category;
use tilebase_table::{Table, Value};
use tilebase_util::progress::Progress;

use crate::cells::{ACTIONS, action_of};
use crate::error::export;

/// Every live state, column by column.
#[derive(Default)]
pub struct Columns {
    codes: Vec<u64>,
    sums: Vec<u32>,
    largest: Vec<u8>,
    values: Vec<f64>,
    wins: Vec<f64>,
    categories: Vec<u8>,
    best: Vec<u8>,
    actions: [Vec<f64>; 4],
}

impl Columns {
    /// Reads a whole table.
    pub fn of(table: &Table, progress: &dyn Progress) -> PyResult<Columns> {
        let mut all = Columns::default();
        let rows = table.manifest().states() as usize;
        all.reserve(rows);
        let make = |rows: &[Row]| {
            let mut part = Columns::default();
            rows.iter().for_each(|row| part.push(table, row));
            part
        };
        let take = |part: Columns| {
            all.append(part);
            Ok(())
        };
        for_each_part(table, progress, make, take).map_err(export)?;
        Ok(all)
    }

    fn reserve(&mut self, rows: usize) {
        self.codes.reserve_exact(rows);
        self.sums.reserve_exact(rows);
        self.largest.reserve_exact(rows);
        self.values.reserve_exact(rows);
        self.wins.reserve_exact(rows);
        self.categories.reserve_exact(rows);
        self.best.reserve_exact(rows);
        self.actions.iter_mut().for_each(|a| a.reserve_exact(rows));
    }

    fn push(&mut self, table: &Table, row: &Row) {
        let number = |value: Value| value.value.unwrap_or(f64::NAN);
        self.codes.push(row.board.bits());
        self.sums.push(table.rules().sum(row.board));
        self.largest.push(table.rules().max_exponent(row.board));
        self.values.push(number(row.value));
        self.wins
            .push(row.value.win.map_or(f64::NAN, |win| win.p()));
        self.categories.push(match row.value.category {
            Category::Open => 0,
            Category::SureWin => 1,
            Category::SureLoss => 2,
        });
        let best = row.best.iter().map(|m| 1 << action_of(m));
        self.best.push(best.fold(0, |set, bit: u8| set | bit));
        for (column, m) in self.actions.iter_mut().zip(ACTIONS) {
            column.push(row.moves[m.index()].map_or(f64::NAN, number));
        }
    }

    fn append(&mut self, mut part: Columns) {
        self.codes.append(&mut part.codes);
        self.sums.append(&mut part.sums);
        self.largest.append(&mut part.largest);
        self.values.append(&mut part.values);
        self.wins.append(&mut part.wins);
        self.categories.append(&mut part.categories);
        self.best.append(&mut part.best);
        for (to, from) in self.actions.iter_mut().zip(&mut part.actions) {
            to.append(from);
        }
    }

    /// The columns by name. Their memory becomes that of the arrays.
    pub fn into_dict(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("code", self.codes.into_pyarray(py))?;
        dict.set_item("sum", self.sums.into_pyarray(py))?;
        dict.set_item("largest", self.largest.into_pyarray(py))?;
        dict.set_item("value", self.values.into_pyarray(py))?;
        dict.set_item("win", self.wins.into_pyarray(py))?;
        dict.set_item("category", self.categories.into_pyarray(py))?;
        dict.set_item("best", self.best.into_pyarray(py))?;
        for (column, name) in self
            .actions
            .into_iter()
            .zip(["up", "right", "down", "left"])
        {
            dict.set_item(name, column.into_pyarray(py))?;
        }
        Ok(dict)
    }
}
