//! Solving on a GPU, which leaves no table: the values of the start and of given boards.

use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyReadonlyArray3};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tilebase_solve::{GpuOptions, solve_on_gpu};

use crate::cells::action_of;
use crate::error;
use crate::progress::watch;
use crate::rules::Setting;
use crate::table::objective as parse_objective;

/// Solves a game on the first GPU.
#[pyfunction]
#[pyo3(signature = (variant, objective, discount, boards, memory=None, progress=None))]
pub fn solve_gpu<'py>(
    py: Python<'py>,
    variant: &str,
    objective: &str,
    discount: Option<f64>,
    boards: PyReadonlyArray3<'py, u8>,
    memory: Option<u64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let setting = Setting::new(variant)?;
    let Setting { variant, cells, .. } = setting;
    let objective = parse_objective(objective, discount)?;
    let from = setting.boards(&boards)?.chunks(cells.len());
    let boards: Vec<_> = from.map(|b| cells.packed(b)).collect::<PyResult<_>>()?;
    let options = GpuOptions {
        width: None,
        memory: memory.unwrap_or(u64::MAX),
        boards,
        ..GpuOptions::default()
    };
    let solution = watch(py, progress.as_ref(), |progress| {
        solve_on_gpu(&variant, objective, &options, progress)
    })?
    .map_err(error::solve)?;
    let n = solution.answers.len();
    let (mut values, mut actions) = (vec![f64::NAN; n], vec![f64::NAN; 4 * n]);
    for (i, answer) in solution.answers.iter().enumerate() {
        let number = |value: tilebase_table::Value| value.value.unwrap_or(f64::NAN);
        values[i] = answer.value.map_or(f64::NAN, number);
        for &(m, _, value) in &answer.moves {
            actions[4 * i + action_of(m)] = number(value);
        }
    }
    let dict = PyDict::new(py);
    let actions = Array2::from_shape_vec((n, 4), actions).map_err(error::request)?;
    dict.set_item("start_value", solution.start.value)?;
    dict.set_item("relative_error", solution.relative_error_bound)?;
    let states: u64 = solution.layers.iter().map(|layer| layer.states).sum();
    dict.set_item("states", states)?;
    dict.set_item("values", values.into_pyarray(py))?;
    dict.set_item("q_values", actions.into_pyarray(py))?;
    Ok(dict)
}
