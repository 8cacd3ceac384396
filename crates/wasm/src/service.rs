//! The API's answers for a page without a server.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use js_sys::{Function, Uint8Array};
use tilebase_schema::{Source, VERSION};
use tilebase_service::{ApiError, JobSpec, Method, Request, Response, TableId};
use tilebase_table::Table;
use tilebase_util::progress::Moment;
use wasm_bindgen::prelude::*;

use crate::objects::object;

/// Answers as the server does: the same paths, the same JSON.
#[wasm_bindgen]
#[derive(Default)]
pub struct Service(Arc<tilebase_service::Service>);

/// Time between two reports of a job.
const TICK: Duration = Duration::from_millis(100);

#[wasm_bindgen]
impl Service {
    /// A service without tables.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Service {
        Service::default()
    }

    /// The version that answers carry.
    #[wasm_bindgen(getter)]
    pub fn version(&self) -> String {
        VERSION.to_owned()
    }

    /// Answers a request with a query, such as `ask("position",
    /// "variant=2x2-to-16&board=0x1102")`.
    #[wasm_bindgen(unchecked_return_type = "Answer")]
    pub fn ask(&self, path: &str, query: &str) -> JsValue {
        self.respond(Request::parse(Method::Get, path, query, b""))
    }

    /// Answers a request with a JSON body.
    #[wasm_bindgen(unchecked_return_type = "Answer")]
    pub fn send(&self, path: &str, body: &str) -> JsValue {
        self.respond(Request::parse(Method::Post, path, "", body.as_bytes()))
    }

    fn respond(&self, request: Result<Request, ApiError>) -> JsValue {
        match request.and_then(|request| self.0.answer(&request)) {
            Ok(response) => answer(200, response),
            Err(error) => error_answer(&error),
        }
    }

    /// The full id of a variant; `undefined` if there is no such variant.
    pub fn id(&self, variant: &str) -> Option<String> {
        TableId::parse(variant).map(|id| id.to_string())
    }

    /// Whether there is a table of a variant.
    pub fn has(&self, variant: &str) -> bool {
        matches!(self.0.cache.get(variant), Ok(Some(_)))
    }

    /// Adds a table in one piece, as `tilebase site` writes it or a job makes it. `solved` says
    /// whether it was solved here.
    pub fn adopt(&self, bytes: &[u8], solved: bool) -> Result<(), JsError> {
        let source = match solved {
            true => Source::Exact,
            false => Source::Table,
        };
        self.0.cache.adopt(Table::from_bytes(bytes)?, source);
        Ok(())
    }

    /// Loads the n-tuple network for 4x4 from the bytes of its file.
    #[wasm_bindgen(js_name = loadNetwork)]
    pub fn load_network(&self, bytes: &[u8]) -> Result<(), JsError> {
        Ok(self.0.load_network(bytes)?)
    }

    /// A job with a number, for the body of a request.
    pub fn job(&self, id: u32, body: &str) -> Job {
        let service = Arc::clone(&self.0);
        let spec = JobSpec::parse(body.as_bytes());
        let job = spec.map(|spec| {
            let job = tilebase_service::Job::new(id.into(), spec, service.stop.clone());
            (spec, job.on_progress(report))
        });
        Job { service, job }
    }
}

/// Work of seconds or minutes. `run` blocks, so call it in a worker that can be terminated.
#[wasm_bindgen]
pub struct Job {
    service: Arc<tilebase_service::Service>,
    job: Result<(JobSpec, tilebase_service::Job), ApiError>,
}

#[wasm_bindgen]
impl Job {
    /// The status of the job, or why it was refused.
    #[wasm_bindgen(getter, unchecked_return_type = "Answer")]
    pub fn answer(&self) -> JsValue {
        match &self.job {
            Ok((_, job)) => match Response::json(job.status()) {
                Ok(response) => answer(202, response),
                Err(error) => error_answer(&error),
            },
            Err(error) => error_answer(error),
        }
    }

    /// Whether it takes seconds at most.
    #[wasm_bindgen(getter, js_name = isSmall)]
    pub fn is_small(&self) -> bool {
        matches!(&self.job, Ok((spec, _)) if spec.is_small())
    }

    /// The id of the table that it makes, if it makes one.
    #[wasm_bindgen(getter)]
    pub fn makes(&self) -> Option<String> {
        let spec = self.job.as_ref().ok().map(|(spec, _)| spec);
        let spec = spec.filter(|spec| spec.makes_a_table());
        spec.map(|spec| spec.id.to_string())
    }

    /// Does the work, and calls `listener` with the job's JSON ten times a second.
    pub fn run(&self, listener: Option<Function>) {
        LISTENER.set(listener.map(|listener| (listener, Moment::now())));
        if let Ok((_, job)) = &self.job {
            job.run(&self.service.cache);
        }
        LISTENER.set(None);
    }

    /// The table that it made, in one piece.
    pub fn table(&self) -> Result<Option<Uint8Array>, JsError> {
        let made = self
            .makes()
            .map(|id| self.service.cache.get(&id))
            .transpose()?;
        let bytes = made
            .flatten()
            .map(|cached| cached.table.to_bytes())
            .transpose()?;
        Ok(bytes.map(|bytes| Uint8Array::from(&bytes[..])))
    }
}

thread_local! {
    /// The listener of the running job, and when it was last called. There is one thread, with
    /// one job at a time.
    static LISTENER: RefCell<Option<(Function, Moment)>> = const { RefCell::new(None) };
}

/// Calls the listener with the status of a job, if it is time.
fn report(job: &tilebase_service::Job) {
    LISTENER.with_borrow_mut(|listener| {
        let Some((listener, last_call)) = listener else {
            return;
        };
        if last_call.elapsed() < TICK {
            return;
        }
        *last_call = Moment::now();
        if let Ok(response) = Response::json(job.status()) {
            // The job goes on even if its listener fails.
            let _ = listener.call1(&JsValue::NULL, &text(response.body));
        }
    });
}

fn error_answer(error: &ApiError) -> JsValue {
    let response = Response {
        media: "application/json",
        body: error.body(),
    };
    answer(error.status(), response)
}

fn answer(status: u16, response: Response) -> JsValue {
    object(&[
        ("status", status.into()),
        ("media", response.media.into()),
        ("body", text(response.body)),
    ])
}

/// All bodies are text.
fn text(body: Vec<u8>) -> JsValue {
    String::from_utf8(body).unwrap_or_default().into()
}
