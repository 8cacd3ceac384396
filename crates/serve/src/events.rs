//! The progress of a job as server-sent events.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::stream::{Stream, StreamExt, iter, unfold};
use serde::Serialize;
use tilebase_schema::{JobLayers, JobState, Versioned};
use tilebase_service::{ApiError, Job};
use tokio::sync::OwnedSemaphorePermit;

use crate::executor::ExecutorState;
use crate::limits;
use crate::response::HttpError;

/// A client that listens to a job.
struct Listener {
    job: Arc<Job>,
    /// Number of layers sent so far.
    sent: usize,
    begun: bool,
    /// The state that was sent last.
    state: Option<JobState>,
    _permit: OwnedSemaphorePermit,
}

/// `GET /api/v1/jobs/ID/events`: `layers` with new layers, `progress`, and at last `end` with
/// the whole job.
pub async fn events(
    State(executor): ExecutorState,
    Path(id): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, HttpError> {
    let job = executor.jobs.get(&id)?;
    let permit = Arc::clone(&executor.listeners).try_acquire_owned();
    let permit =
        permit.map_err(|_| ApiError::Busy("too many clients listen to jobs".to_owned()))?;
    let listener = Listener {
        job,
        sent: 0,
        begun: false,
        state: None,
        _permit: permit,
    };
    let stream = unfold(listener, next).flat_map(|events| iter(events.into_iter().map(Ok)));
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()))
}

/// The events since the last tick.
async fn next(mut listener: Listener) -> Option<(Vec<Event>, Listener)> {
    if listener.state.is_some_and(JobState::is_over) {
        return None;
    }
    if listener.begun {
        tokio::time::sleep(limits::TICK).await;
    }
    listener.begun = true;
    // The state is read first, so that no layer is missed at the end.
    let job = &listener.job;
    let progress = job.progress();
    let layers = job.layers(listener.sent);
    let mut events = Vec::new();
    listener.sent += layers.len();
    if !layers.is_empty() {
        events.extend(event("layers", JobLayers { layers }));
    }
    let over = progress.state.is_over();
    listener.state = Some(progress.state);
    events.extend(event("progress", progress));
    if over {
        events.extend(event("end", job.status()));
    }
    Some((events, listener))
}

/// An event with an answer. All of ours can be written as JSON.
fn event(name: &str, answer: impl Serialize) -> Option<Event> {
    let event = Event::default().event(name);
    event.json_data(Versioned::new(answer)).ok()
}
