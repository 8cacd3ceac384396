//! What a job tells while it goes on, as server-sent events.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::stream::{Stream, StreamExt, iter, unfold};
use serde::Serialize;
use tilebase_service::{ApiError, Job, JobState, Layer, Reply};
use tokio::sync::OwnedSemaphorePermit;

use crate::executor::At;
use crate::limits;
use crate::response::Fail;

#[derive(Serialize)]
struct Layers {
    layers: Vec<Layer>,
}

/// Someone who listens to a job.
struct Listener {
    job: Arc<Job>,
    /// Layers that were told.
    told: usize,
    begun: bool,
    /// The state that was told last.
    state: Option<JobState>,
    _permit: OwnedSemaphorePermit,
}

/// `GET /api/v1/jobs/ID/events`: `layers` with those that are new, `progress`, and `end` with
/// the whole job, after which nothing comes.
pub async fn events(
    State(executor): At,
    Path(id): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Fail> {
    let job = executor.jobs.get(&id)?;
    let permit = Arc::clone(&executor.listeners).try_acquire_owned();
    let permit = permit.map_err(|_| ApiError::Busy("too many listen to jobs".to_owned()))?;
    let listener = Listener {
        job,
        told: 0,
        begun: false,
        state: None,
        _permit: permit,
    };
    let stream = unfold(listener, next).flat_map(|events| iter(events.into_iter().map(Ok)));
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()))
}

/// What happened since the last look.
async fn next(mut listener: Listener) -> Option<(Vec<Event>, Listener)> {
    if listener.state.is_some_and(JobState::is_over) {
        return None;
    }
    if listener.begun {
        tokio::time::sleep(limits::TICK).await;
    }
    listener.begun = true;
    // The state is read before what it is about, so that nothing is missed at the end.
    let job = &listener.job;
    let pace = job.pace();
    let layers = job.layers(listener.told);
    let mut events = Vec::new();
    listener.told += layers.len();
    if !layers.is_empty() {
        events.extend(event("layers", Layers { layers }));
    }
    let over = pace.state.is_over();
    listener.state = Some(pace.state);
    events.extend(event("progress", pace));
    if over {
        events.extend(event("end", job.told()));
    }
    Some((events, listener))
}

/// An event with an object. What cannot be written is left out, which no object here is.
fn event(name: &str, answer: impl Serialize) -> Option<Event> {
    let event = Event::default().event(name);
    event.json_data(Reply::new(answer)).ok()
}
