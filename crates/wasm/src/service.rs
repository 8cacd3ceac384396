//! The API's answers for a page without a server.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use js_sys::{Function, Uint8Array};
use tilebase_service::{ApiError, JobSpec, Method, Request, TableId, VERSION};
use tilebase_table::Table;
use tilebase_util::progress::Moment;
use wasm_bindgen::prelude::*;

use crate::objects::object;

/// Answers what the server answers: the same paths, the same JSON.
#[wasm_bindgen]
#[derive(Default)]
pub struct Service(Arc<tilebase_service::Service>);

/// Time between two words of a job.
const TICK: Duration = Duration::from_millis(100);

#[wasm_bindgen]
impl Service {
    /// Without a table.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Service {
        Service::default()
    }

    /// The version that answers carry.
    #[wasm_bindgen(getter)]
    pub fn version(&self) -> String {
        VERSION.to_owned()
    }

    /// Answers a question with parameters, such as `ask("position",
    /// "variant=2x2-to-16&board=0x1102")`.
    #[wasm_bindgen(unchecked_return_type = "Answer")]
    pub fn ask(&self, path: &str, query: &str) -> JsValue {
        self.respond(Request::parse(Method::Get, path, query, b""))
    }

    /// Answers a question with a body.
    #[wasm_bindgen(unchecked_return_type = "Answer")]
    pub fn send(&self, path: &str, body: &str) -> JsValue {
        self.respond(Request::parse(Method::Post, path, "", body.as_bytes()))
    }

    fn respond(&self, asked: Result<Request, ApiError>) -> JsValue {
        match asked.and_then(|asked| self.0.answer(&asked)) {
            Ok(answer) => reply(200, answer.kind, answer.body),
            Err(fault) => refusal(&fault),
        }
    }

    /// The full id of a variant; `undefined` if it is none.
    pub fn id(&self, variant: &str) -> Option<String> {
        TableId::parse(variant).map(|question| question.to_string())
    }

    /// Whether there is a table of a variant.
    pub fn has(&self, variant: &str) -> bool {
        matches!(self.0.cache.get(variant), Ok(Some(_)))
    }

    /// Takes a table in one piece, as `tilebase site` writes it or a job leaves it; `how` says
    /// whether it was `solved` here.
    pub fn adopt(&self, bytes: &[u8], solved: bool) -> Result<(), JsError> {
        let how = if solved { "solved" } else { "table" };
        self.0.cache.adopt(Table::from_bytes(bytes)?, how);
        Ok(())
    }

    /// Takes the learned evaluation for 4x4 from the bytes of a weights file.
    #[wasm_bindgen(js_name = loadWeights)]
    pub fn load_weights(&self, bytes: &[u8]) -> Result<(), JsError> {
        Ok(self.0.load_weights(bytes)?)
    }

    /// A job with a number, as a body asks for it.
    pub fn job(&self, id: u32, body: &str) -> Job {
        let service = Arc::clone(&self.0);
        let order = JobSpec::parse(body.as_bytes());
        let job = order.map(|order| {
            let job = tilebase_service::Job::new(id.into(), order, service.stop.clone());
            (order, job.telling(tell))
        });
        Job { service, job }
    }
}

/// Work of seconds or minutes: done by `run`, which a worker calls that may be ended.
#[wasm_bindgen]
pub struct Job {
    service: Arc<tilebase_service::Service>,
    job: Result<(JobSpec, tilebase_service::Job), ApiError>,
}

#[wasm_bindgen]
impl Job {
    /// The job as it stands, or why it is refused.
    #[wasm_bindgen(getter, unchecked_return_type = "Answer")]
    pub fn answer(&self) -> JsValue {
        match &self.job {
            Ok((_, job)) => match tilebase_service::Answer::json(job.told()) {
                Ok(answer) => reply(202, answer.kind, answer.body),
                Err(fault) => refusal(&fault),
            },
            Err(fault) => refusal(fault),
        }
    }

    /// Whether it takes seconds at most.
    #[wasm_bindgen(getter, js_name = isSmall)]
    pub fn is_small(&self) -> bool {
        matches!(&self.job, Ok((order, _)) if order.is_small())
    }

    /// The id of the table that it makes, if it makes one.
    #[wasm_bindgen(getter)]
    pub fn makes(&self) -> Option<String> {
        let order = self.job.as_ref().ok().map(|(order, _)| order);
        let order = order.filter(|order| order.makes_a_table());
        order.map(|order| order.question.to_string())
    }

    /// Does the work. Meanwhile `listener` gets the job's JSON ten times a second.
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
            .map(|held| held.table.to_bytes())
            .transpose()?;
        Ok(bytes.map(|bytes| Uint8Array::from(&bytes[..])))
    }
}

thread_local! {
    /// Who listens to the job that runs, and when it was told last. There is one thread, and
    /// one job on it at a time.
    static LISTENER: RefCell<Option<(Function, Moment)>> = const { RefCell::new(None) };
}

/// Tells the listener how far a job is, if it is time.
fn tell(job: &tilebase_service::Job) {
    LISTENER.with_borrow_mut(|listener| {
        let Some((listener, told)) = listener else {
            return;
        };
        if told.elapsed() < TICK {
            return;
        }
        *told = Moment::now();
        if let Ok(answer) = tilebase_service::Answer::json(job.told()) {
            // A listener that fails is not worth the work.
            let _ = listener.call1(&JsValue::NULL, &text(answer.body));
        }
    });
}

fn refusal(fault: &ApiError) -> JsValue {
    reply(fault.status(), "application/json", fault.body())
}

fn reply(status: u16, kind: &str, body: Vec<u8>) -> JsValue {
    object(&[
        ("status", status.into()),
        ("kind", kind.into()),
        ("body", text(body)),
    ])
}

/// All bodies are text.
fn text(body: Vec<u8>) -> JsValue {
    String::from_utf8(body).unwrap_or_default().into()
}
