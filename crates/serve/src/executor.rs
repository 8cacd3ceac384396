//! What all requests share, and how they get work done without holding up others.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, RawQuery, State};
use axum::http::StatusCode;
use tilebase_service::{Answer, ApiError, Method, Request, Service};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::body::Body;
use crate::jobs::Jobs;
use crate::limits;
use crate::response::{Answered, Responded};

/// Where questions are taken.
pub struct Executor {
    pub service: Arc<Service>,
    pub jobs: Jobs,
    /// Those who may listen to jobs.
    pub listeners: Arc<Semaphore>,
    /// Work that takes more than a look-up.
    heavy: Arc<Semaphore>,
}

/// How handlers get at it.
pub type At = State<Arc<Executor>>;

impl Executor {
    /// With these tables and jobs.
    pub fn new(service: Arc<Service>, jobs: Jobs) -> Executor {
        Executor {
            service,
            jobs,
            listeners: Arc::new(Semaphore::new(limits::LISTENERS)),
            heavy: Arc::new(Semaphore::new(limits::AT_ONCE)),
        }
    }

    /// Answers a question, when it is its turn.
    async fn answer(&self, asked: Request) -> Result<Answer, ApiError> {
        let service = Arc::clone(&self.service);
        if !service.is_long(&asked) {
            return off(move || service.answer(&asked)).await;
        }
        let turn = Arc::clone(&self.heavy).acquire_owned();
        let turn = tokio::time::timeout(limits::PATIENCE, turn).await;
        let busy = || ApiError::Busy("too much is asked at a time: try again soon".to_owned());
        let turn = turn.map_err(|_| busy())?.map_err(|_| busy())?;
        off(move || {
            let answer = service.answer(&asked);
            // The turn is over with the work, even if nobody waits for the answer any more.
            drop(turn);
            answer
        })
        .await
    }

    async fn respond(&self, method: Method, path: &str, query: &str, body: Bytes) -> Answered {
        let asked = Request::parse(method, path, query, &body)?;
        Ok(Responded(StatusCode::OK, self.answer(asked).await?))
    }
}

/// Works on a thread where it may wait for the disk.
pub async fn off<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let done = spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(ApiError::Work("the work broke off".to_owned())))
}

/// `GET /api/v1/...`
pub async fn get(
    State(executor): At,
    Path(path): Path<String>,
    RawQuery(query): RawQuery,
) -> Answered {
    let query = query.unwrap_or_default();
    executor
        .respond(Method::Get, &path, &query, Bytes::new())
        .await
}

/// `POST /api/v1/...`
pub async fn post(State(executor): At, Path(path): Path<String>, body: Body) -> Answered {
    executor.respond(Method::Post, &path, "", body.0).await
}
