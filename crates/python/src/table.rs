//! Tables of solved games: exact values for batches of boards.

use std::path::{Path, PathBuf};

use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyReadonlyArray3};
use pyo3::exceptions::{PyKeyboardInterrupt, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;
use tilebase_game::{Board, Objective, Rng, Status, Variant};
use tilebase_solve::{SolveOptions, evaluate, follow, solve, solve_in_memory};
use tilebase_table::{Probe, Table as SolvedTable, TableError};

use tilebase_util::progress::Progress;

use crate::cells::{Boards, Cells, FourEach, Numbers, action_of, filled};
use crate::columns::Columns;
use crate::error::{self, request, work};
use crate::policy::PythonPolicy;
use crate::pool::on_threads;
use crate::progress::{Watched, watch};
use crate::rules::Setting;

/// Boards that a thread takes at a time.
const TASK: usize = 1 << 10;

/// What is known of some boards.
type Probed<'py> = (
    Numbers<'py, f64>,
    FourEach<'py, f64>,
    FourEach<'py, bool>,
    Numbers<'py, u8>,
    FourEach<'py, f64>,
);

/// The objective of a name.
pub fn objective(name: &str, discount: Option<f64>) -> PyResult<Objective> {
    Objective::from_name(name, discount).ok_or_else(|| {
        let names = Objective::ALL.map(Objective::name).join(", ");
        request(format!(
            "no objective '{name}' with this discount: use {names}; win takes a discount above 0, up to 1"
        ))
    })
}

/// The table of a solved game.
#[pyclass(frozen, module = "tilebase._native")]
pub struct Table {
    table: SolvedTable,
    setting: Setting,
}

impl Table {
    fn new(table: SolvedTable) -> Table {
        let (variant, rules) = (*table.variant(), *table.rules());
        let cells = Cells::new(variant.shape());
        let setting = Setting {
            variant,
            rules,
            cells,
        };
        Table { table, setting }
    }

    /// An array of packed boards.
    fn array<'py>(&self, py: Python<'py>, boards: &[Board]) -> PyResult<Boards<'py>> {
        let mut cells = vec![0; boards.len() * self.setting.cells.len()];
        for (to, &board) in cells.chunks_mut(self.setting.cells.len()).zip(boards) {
            self.setting.cells.unpack(board, to);
        }
        self.setting.cells.array(py, cells)
    }

    /// Random live states, by uniform ranks, in the order of the table.
    fn sampled(&self, n: usize, rng: &mut Rng) -> Result<Vec<Board>, TableError> {
        let states = self.table.manifest().states();
        let rank = |_| ((u128::from(rng.next_u64()) * u128::from(states)) >> 64) as u64;
        let mut ranks: Vec<u64> = (0..n).map(rank).collect();
        ranks.sort_unstable();
        let (mut boards, mut next, mut first) = (Vec::with_capacity(n), 0, 0);
        for entry in self.table.layers() {
            let end = first + entry.states;
            if ranks.get(next).is_some_and(|&rank| rank < end)
                && let Some(sets) = self.table.sets(entry.sum)?
            {
                let mut at = first;
                sets.states.for_each_in(0..usize::MAX, |_, board| {
                    while ranks.get(next) == Some(&at) {
                        boards.push(self.table.index().in_shape(board));
                        next += 1;
                    }
                    at += 1;
                });
            }
            first = end;
        }
        Ok(boards)
    }
}

/// Arrays to be filled for some boards.
struct Answers<'a> {
    values: &'a mut [f64],
    actions: &'a mut [f64],
    best: &'a mut [bool],
    status: &'a mut [u8],
    losses: &'a mut [f64],
}

impl Answers<'_> {
    fn put(&mut self, i: usize, probe: &Probe) {
        let number = |value: Option<f64>| value.unwrap_or(f64::NAN);
        self.values[i] = number(probe.value.and_then(|value| value.value));
        self.status[i] = match probe.status {
            Status::Live => 0,
            Status::Won => 1,
            Status::Lost => 2,
            Status::Unreachable => 3,
        };
        for m in &probe.moves {
            let at = 4 * i + action_of(m.direction);
            self.actions[at] = number(m.value.and_then(|value| value.value));
            self.best[at] = m.best;
            self.losses[at] = number(m.loss);
        }
    }
}

#[pymethods]
impl Table {
    #[staticmethod]
    fn open(path: PathBuf) -> PyResult<Table> {
        SolvedTable::open(&path)
            .map(Table::new)
            .map_err(error::table)
    }

    #[staticmethod]
    #[allow(clippy::too_many_arguments, reason = "Python passes them by name")]
    fn solve(
        py: Python<'_>,
        variant: &str,
        objective: &str,
        discount: Option<f64>,
        path: Option<PathBuf>,
        threads: usize,
        memory: Option<u64>,
        rounded: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Table> {
        let variant: Variant = variant.parse().map_err(request)?;
        let objective = self::objective(objective, discount)?;
        let options = SolveOptions {
            threads,
            memory: memory.unwrap_or(u64::MAX),
            rounded,
        };
        let table = watch(py, progress.as_ref(), |progress| match &path {
            None => solve_in_memory(&variant, objective, &options, progress).map_err(error::solve),
            Some(path) => {
                let solved = solve(&variant, objective, path, &options, progress);
                solved.map_err(error::solve)?;
                SolvedTable::open(path).map_err(error::table)
            }
        })?;
        Ok(Table::new(table?))
    }

    #[getter]
    fn variant(&self) -> String {
        self.table.variant().to_string()
    }

    #[getter]
    fn objective(&self) -> &'static str {
        self.table.objective().name()
    }

    /// Where its files are; `None` if it is in memory.
    #[getter]
    fn path(&self) -> Option<&Path> {
        Some(self.table.dir()).filter(|dir| dir.is_dir())
    }

    #[getter]
    fn relative_error(&self) -> f64 {
        self.table.manifest().relative_error_bound
    }

    #[getter]
    fn states(&self) -> u64 {
        self.table.manifest().states()
    }

    #[getter]
    fn start_value(&self) -> Option<f64> {
        self.table.manifest().start.and_then(|start| start.value)
    }

    fn info(&self) -> PyResult<String> {
        serde_json::to_string(self.table.manifest()).map_err(work)
    }

    #[pyo3(signature = (boards, threads=0))]
    fn probe<'py>(
        &self,
        py: Python<'py>,
        boards: PyReadonlyArray3<'py, u8>,
        threads: usize,
    ) -> PyResult<Probed<'py>> {
        let len = self.setting.cells.len();
        let cells = self.setting.boards(&boards)?;
        let n = cells.len() / len;
        let (mut values, mut actions) = (filled(n, f64::NAN)?, filled(4 * n, f64::NAN)?);
        let (mut best, mut status) = (filled(4 * n, false)?, filled(n, 0)?);
        let mut losses = filled(4 * n, f64::NAN)?;
        let tasks = cells.chunks(TASK * len).zip(values.chunks_mut(TASK));
        let tasks = tasks.zip(actions.chunks_mut(4 * TASK));
        let tasks = tasks.zip(best.chunks_mut(4 * TASK));
        let tasks = tasks.zip(status.chunks_mut(TASK));
        let tasks = tasks.zip(losses.chunks_mut(4 * TASK));
        let tasks = tasks.map(|(((((cells, values), actions), best), status), losses)| {
            let answers = Answers {
                values,
                actions,
                best,
                status,
                losses,
            };
            (cells, answers)
        });
        let tasks: Vec<(&[u8], Answers<'_>)> = tasks.collect();
        let work = |(cells, mut answers): (&[u8], Answers<'_>), progress: Option<&Watched>| {
            if progress.is_some_and(|progress| progress.interrupted()) {
                return Err(PyKeyboardInterrupt::new_err("interrupted"));
            }
            for (i, cells) in cells.chunks(len).enumerate() {
                let probe = self.table.probe(self.setting.cells.packed(cells)?);
                answers.put(i, &probe.map_err(error::table)?);
            }
            Ok::<(), PyErr>(())
        };
        if n <= TASK {
            py.detach(|| tasks.into_iter().try_for_each(|task| work(task, None)))?;
        } else {
            watch(py, None, |progress| {
                let work = |task| work(task, Some(progress));
                on_threads(threads, || tasks.into_par_iter().try_for_each(work))?
            })??;
        }
        let wide = |values| Array2::from_shape_vec((n, 4), values).map_err(request);
        let best = Array2::from_shape_vec((n, 4), best).map_err(request)?;
        Ok((
            values.into_pyarray(py),
            wide(actions)?.into_pyarray(py),
            best.into_pyarray(py),
            status.into_pyarray(py),
            wide(losses)?.into_pyarray(py),
        ))
    }

    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = watch(py, None, |progress| Columns::of(&self.table, progress))?;
        columns?.into_dict(py)
    }

    fn layers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let layers = &self.table.manifest().layers;
        let dict = PyDict::new(py);
        let mut sums: Vec<_> = layers.iter().collect();
        sums.sort_by_key(|layer| layer.sum);
        let column = |of: fn(&tilebase_table::LayerEntry) -> u64| {
            let values: Vec<u64> = sums.iter().map(|layer| of(layer)).collect();
            values.into_pyarray(py)
        };
        dict.set_item("sum", column(|layer| layer.sum.into()))?;
        dict.set_item("states", column(|layer| layer.states))?;
        dict.set_item("afterstates", column(|layer| layer.afterstates))?;
        dict.set_item("sure_wins", column(|layer| layer.sure_wins))?;
        dict.set_item("sure_losses", column(|layer| layer.sure_losses))?;
        Ok(dict)
    }

    fn sample<'py>(&self, py: Python<'py>, n: usize, seed: u64) -> PyResult<Boards<'py>> {
        let least = n.saturating_mul(8);
        if u32::try_from(n).is_err() || Vec::<u8>::new().try_reserve_exact(least).is_err() {
            return Err(error::memory(format_args!("{n} boards")));
        }
        let boards = py.detach(|| {
            let mut rng = Rng::new(seed);
            let mut boards = self.sampled(n, &mut rng).map_err(error::table)?;
            let rules = self.table.rules();
            let symmetries: Vec<_> = rules.symmetries().collect();
            for i in (0..boards.len()).rev() {
                // One by one into a random order, and turned.
                let other = rng.below(i as u32 + 1) as usize;
                boards.swap(i, other);
                let turn = symmetries[rng.below(symmetries.len() as u32) as usize];
                boards[i] = rules.image(boards[i], turn);
            }
            Ok::<_, PyErr>(boards)
        })?;
        self.array(py, &boards)
    }

    #[pyo3(signature = (policy, symmetric, batch, progress=None))]
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        policy: Py<PyAny>,
        symmetric: bool,
        batch: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        if !policy.bind(py).is_callable() {
            return Err(PyTypeError::new_err(
                "the policy is not a function of boards",
            ));
        }
        let mut policy =
            PythonPolicy::new(policy, self.setting.cells, *self.table.rules(), symmetric);
        policy.batch = batch;
        let (table, policy) = (&self.table, &policy);
        let additive = table.objective().value_kind().is_additive();
        let (flow, value) = watch(py, progress.as_ref(), |progress| {
            let flow = follow(table, Some(policy), progress, &mut |_| ())?;
            let value = match table.objective() {
                Objective::Win => Some(flow.won),
                Objective::Discounted(_) => Some(flow.discounted),
                Objective::Score => Some(flow.score),
                Objective::Survival => Some(flow.moves),
                // The mean over the games that are won needs a pass of its own.
                Objective::Moves => {
                    let found = evaluate(table, policy, progress, &mut |_, _| ())?;
                    found.start.value
                }
            };
            Ok((flow, value))
        })?
        .map_err(|error| policy.take_error().unwrap_or_else(|| error::solve(error)))?;
        let optimal = table.manifest().start.and_then(|start| start.value);
        let regret = flow.regret();
        let dict = PyDict::new(py);
        dict.set_item("value", value)?;
        dict.set_item("optimal", optimal)?;
        dict.set_item("regret", additive.then_some(regret))?;
        dict.set_item("won", flow.won)?;
        dict.set_item("score", flow.score)?;
        dict.set_item("moves", flow.moves)?;
        dict.set_item("lost", flow.lost.to_vec().into_pyarray(py))?;
        let layers = PyDict::new(py);
        let column = |of: fn(&tilebase_solve::LayerFlow) -> f64| {
            flow.layers
                .iter()
                .map(of)
                .collect::<Vec<f64>>()
                .into_pyarray(py)
        };
        let counts = |of: fn(&tilebase_solve::LayerFlow) -> u64| {
            flow.layers
                .iter()
                .map(of)
                .collect::<Vec<u64>>()
                .into_pyarray(py)
        };
        layers.set_item("sum", counts(|layer| layer.sum.into()))?;
        layers.set_item("states", counts(|layer| layer.states))?;
        layers.set_item("visited", column(|layer| layer.visited))?;
        layers.set_item("won", column(|layer| layer.won))?;
        layers.set_item("lost", column(|layer| layer.lost))?;
        layers.set_item("mistakes", column(|layer| layer.mistakes))?;
        layers.set_item("regret", column(|layer| layer.regret))?;
        dict.set_item("layers", layers)?;
        Ok(dict)
    }
}
