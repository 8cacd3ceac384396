//! The API without HTTP: the same questions and answers as of the server.

use std::sync::OnceLock;

use pyo3::prelude::*;
use tilebase_service::{ApiError, Method, Request, Service};

use crate::error::{request, work};

static SERVICE: OnceLock<Service> = OnceLock::new();

/// Loads the network that positions are searched with.
#[pyfunction]
pub fn load_network(py: Python<'_>, data: &[u8]) -> PyResult<()> {
    let service = SERVICE.get_or_init(Service::default);
    py.detach(|| service.load_network(data)).map_err(failure)
}

/// Answers a question with a query.
#[pyfunction]
pub fn ask(py: Python<'_>, path: &str, query: &str) -> PyResult<String> {
    answer(py, Request::parse(Method::Get, path, query, b""))
}

/// Answers a question with a JSON body.
#[pyfunction]
pub fn send(py: Python<'_>, path: &str, body: &str) -> PyResult<String> {
    answer(py, Request::parse(Method::Post, path, "", body.as_bytes()))
}

fn answer(py: Python<'_>, question: Result<Request, ApiError>) -> PyResult<String> {
    let question = question.map_err(failure)?;
    let service = SERVICE.get_or_init(Service::default);
    let response = py.detach(|| service.answer(&question)).map_err(failure)?;
    String::from_utf8(response.body).map_err(work)
}

fn failure(error: ApiError) -> PyErr {
    match error.status() {
        400..500 => request(error.text()),
        _ => work(error.text()),
    }
}
