//! The state that requests share, and the threads that answer them.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, RawQuery, State};
use axum::http::StatusCode;
use tilebase_service::{ApiError, Method, Request, Response, Service};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::body::Body;
use crate::jobs::Jobs;
use crate::limits;
use crate::response::{Answered, HttpAnswer};

/// Answers requests: lookups at once, longer work a few at a time.
pub struct Executor {
    pub service: Arc<Service>,
    pub jobs: Jobs,
    /// Permits to listen to jobs.
    pub listeners: Arc<Semaphore>,
    /// Permits for work that takes more than a lookup.
    long: Arc<Semaphore>,
}

/// The executor as handlers get it.
pub type ExecutorState = State<Arc<Executor>>;

impl Executor {
    /// An executor with these tables and jobs.
    pub fn new(service: Arc<Service>, jobs: Jobs) -> Executor {
        Executor {
            service,
            jobs,
            listeners: Arc::new(Semaphore::new(limits::LISTENERS)),
            long: Arc::new(Semaphore::new(limits::AT_ONCE)),
        }
    }

    /// Answers a request as soon as it has a permit.
    async fn answer(&self, request: Request) -> Result<Response, ApiError> {
        let service = Arc::clone(&self.service);
        // Whether it is long takes a lookup too.
        let first = blocking(move || match service.is_long(&request) {
            true => Ok(Err(request)),
            false => service.answer(&request).map(Ok),
        });
        let request = match first.await? {
            Ok(response) => return Ok(response),
            Err(request) => request,
        };
        let service = Arc::clone(&self.service);
        let permit = Arc::clone(&self.long).acquire_owned();
        let permit = tokio::time::timeout(limits::PERMIT_TIME, permit).await;
        let busy = || ApiError::Busy("the server is busy: try again soon".to_owned());
        let permit = permit.map_err(|_| busy())?.map_err(|_| busy())?;
        blocking(move || {
            let answer = service.answer(&request);
            // The permit is held as long as the work, even if the client has gone.
            drop(permit);
            answer
        })
        .await
    }

    async fn respond(&self, method: Method, path: &str, query: &str, body: Bytes) -> Answered {
        let request = Request::parse(method, path, query, &body)?;
        Ok(HttpAnswer(StatusCode::OK, self.answer(request).await?))
    }
}

/// Runs work that may block on a thread of its own.
pub async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let done = spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(ApiError::Work("the work panicked".to_owned())))
}

/// `GET /api/v1/...`
pub async fn get(
    State(executor): ExecutorState,
    Path(path): Path<String>,
    RawQuery(query): RawQuery,
) -> Answered {
    let query = query.unwrap_or_default();
    executor
        .respond(Method::Get, &path, &query, Bytes::new())
        .await
}

/// `POST /api/v1/...`
pub async fn post(
    State(executor): ExecutorState,
    Path(path): Path<String>,
    body: Body,
) -> Answered {
    executor.respond(Method::Post, &path, "", body.0).await
}
