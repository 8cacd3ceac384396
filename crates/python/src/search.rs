//! Expectimax.

use std::time::Duration;

use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyReadonlyArray3};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use rayon::prelude::*;
use tilebase_expectimax::{Advice, ExpectimaxOptions, MAX_DEPTH, SearchLimit};
use tilebase_game::{Board, Variant};
use tilebase_play::{EvaluationKind, Expectimax, SearchConfig, Searcher};
use tilebase_util::progress::Progress;

use crate::cells::{Cells, FourEach, Numbers, action_of};
use crate::error::request;
use crate::network::Network;
use crate::pool::on_threads;
use crate::progress::watch;

/// The longest search of a board.
const MOST_SECONDS: f64 = 86_400.0;

/// The player of a variant.
pub fn expectimax(
    variant: Variant,
    depth: Option<u8>,
    seconds: Option<f64>,
    network: Option<&Network>,
) -> PyResult<Expectimax> {
    let evaluation = match network {
        Some(_) => EvaluationKind::Network,
        None => EvaluationKind::Smooth,
    };
    if let Some(depth) = depth.filter(|depth| !(1..=MAX_DEPTH).contains(depth)) {
        return Err(request(format!("depth {depth}: use 1 to {MAX_DEPTH}")));
    }
    if let Some(seconds) = seconds.filter(|seconds| !(0.0..=MOST_SECONDS).contains(seconds)) {
        return Err(request(format!(
            "{seconds} seconds: use 0 to {MOST_SECONDS}"
        )));
    }
    let time = seconds.map(Duration::from_secs_f64);
    let limit = match (depth, time) {
        (Some(depth), _) => SearchLimit::Depth(depth),
        (None, Some(_)) => SearchLimit::Positions {
            min_depth: 1,
            positions: u64::MAX,
        },
        (None, None) => evaluation.default_limit(),
    };
    let config = SearchConfig {
        limit,
        options: ExpectimaxOptions::default(),
        time,
    };
    let network = network.map(|network| network.0.clone());
    Expectimax::new(variant, evaluation, network, config).map_err(request)
}

/// Searches positions.
#[pyclass(frozen, module = "tilebase._native")]
pub struct Search {
    expectimax: Expectimax,
    cells: Cells,
}

#[pymethods]
impl Search {
    #[new]
    #[pyo3(signature = (variant, depth=None, seconds=None, network=None))]
    fn new(
        variant: &str,
        depth: Option<u8>,
        seconds: Option<f64>,
        network: Option<&Bound<'_, Network>>,
    ) -> PyResult<Search> {
        let variant: Variant = variant.parse().map_err(request)?;
        let network = network.map(|network| network.get());
        Ok(Search {
            expectimax: expectimax(variant, depth, seconds, network)?,
            cells: Cells::new(variant.shape()),
        })
    }

    #[pyo3(signature = (boards, threads=0))]
    fn advise<'py>(
        &self,
        py: Python<'py>,
        boards: PyReadonlyArray3<'py, u8>,
        threads: usize,
    ) -> PyResult<(FourEach<'py, f64>, Numbers<'py, u8>)> {
        let len = self.cells.len();
        let from = self.cells.boards(&boards)?;
        let packed: PyResult<Vec<_>> = from.chunks(len).map(|b| self.cells.packed(b)).collect();
        let packed = packed?;
        if let Some(board) = packed.iter().find(|board| !board.slides_exactly()) {
            let board = board.unpack(self.cells.shape);
            return Err(request(format!(
                "{board} has two tiles of 32768 or more, which the search does not merge"
            )));
        }
        let found = watch(py, None, |progress| {
            let searcher = || self.expectimax.searcher();
            let advise = |searcher: &mut Box<dyn Searcher + '_>, board: &Board| match progress
                .interrupted()
            {
                true => Err(PyKeyboardInterrupt::new_err("interrupted")),
                false => Ok(searcher.advise(*board)),
            };
            on_threads(threads, || {
                let found = packed.par_iter().map_init(searcher, advise);
                found.collect::<PyResult<Vec<Option<Advice>>>>()
            })
        })???;
        let mut values = vec![f64::NAN; 4 * packed.len()];
        let mut depths = vec![0; packed.len()];
        for (i, advice) in found.iter().enumerate() {
            let Some(advice) = advice else { continue };
            depths[i] = advice.depth;
            for scored in &advice.moves {
                values[4 * i + action_of(scored.m)] = scored.value;
            }
        }
        let values = Array2::from_shape_vec((packed.len(), 4), values).map_err(request)?;
        Ok((values.into_pyarray(py), depths.into_pyarray(py)))
    }
}
