//! The n-tuple network.

use std::sync::Arc;

use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray3};
use pyo3::prelude::*;
use rayon::prelude::*;
use tilebase_expectimax::Evaluation;
use tilebase_game::Shape;
use tilebase_network::{NTupleNetwork, NetworkError, patterns, staged_indices};

use crate::cells::{Cells, FourEach, Numbers};
use crate::error::{request, work};
use crate::pool::on_threads;

/// An n-tuple network for 4x4.
#[pyclass(frozen, module = "tilebase._native")]
pub struct Network(pub Arc<NTupleNetwork>);

fn cells() -> PyResult<Cells> {
    let shape: Shape = "4x4".parse().map_err(work)?;
    Ok(Cells::new(shape))
}

#[pymethods]
impl Network {
    #[staticmethod]
    fn load(data: &[u8]) -> PyResult<Network> {
        let network = NTupleNetwork::from_bytes(data);
        network
            .map(|network| Network(Arc::new(network)))
            .map_err(|error| match error {
                NetworkError::Memory(error) => {
                    pyo3::exceptions::PyMemoryError::new_err(error.to_string())
                }
                error => request(error),
            })
    }

    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        boards: PyReadonlyArray3<'py, u8>,
    ) -> PyResult<Numbers<'py, f64>> {
        let cells = cells()?;
        let from = cells.boards(&boards)?;
        let value = |board: &[u8]| Ok(self.0.value(cells.packed(board)?));
        let values = py.detach(|| {
            on_threads(0, || {
                let boards = from.par_chunks(cells.len()).with_min_len(256);
                boards.map(value).collect::<PyResult<Vec<f64>>>()
            })
        })??;
        Ok(values.into_pyarray(py))
    }

    fn lookups<'py>(
        &self,
        py: Python<'py>,
        boards: PyReadonlyArray3<'py, u8>,
    ) -> PyResult<FourEach<'py, u32>> {
        let cells = cells()?;
        let from = cells.boards(&boards)?;
        let mut lookups = Vec::with_capacity(from.len() / cells.len() * patterns::LOOKUPS);
        for board in from.chunks(cells.len()) {
            lookups.extend(staged_indices(cells.packed(board)?));
        }
        let shape = (from.len() / cells.len(), patterns::LOOKUPS);
        let lookups = Array2::from_shape_vec(shape, lookups).map_err(request)?;
        Ok(lookups.into_pyarray(py))
    }

    /// The weights, as quanta above or below the default weight, without copying them.
    fn quanta<'py>(this: &Bound<'py, Network>) -> Numbers<'py, i16> {
        let quanta = numpy::ndarray::ArrayView1::from(this.get().0.quanta());
        // SAFETY: The memory belongs to the network, which nothing changes or frees as long as the
        // array, whose base is the Python object of the network, is alive. It is read-only, too.
        #[allow(unsafe_code)]
        let array = unsafe { PyArray1::borrow_from_array(&quanta, this.clone().into_any()) };
        array.readwrite().make_nonwriteable();
        array
    }

    #[getter]
    fn quantum(&self) -> f64 {
        self.0.quantum()
    }

    #[getter]
    fn default_weight(&self) -> f32 {
        self.0.default_weight()
    }
}
