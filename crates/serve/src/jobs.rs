//! All jobs: one runs at a time, a few wait, the last ones are remembered. Small games are
//! solved beside them: nobody should wait minutes for a second of work.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Serialize;
use tilebase_service::{ApiError, Job, JobSpec, JobStatus, Stop, TableCache, lock};

use crate::body::Body;
use crate::executor::{At, off};
use crate::limits;
use crate::response::{Answered, Responded};

/// All jobs.
pub struct Jobs {
    kept: Mutex<Kept>,
    stop: Stop,
}

struct Kept {
    next: u64,
    jobs: VecDeque<Arc<Job>>,
    lanes: Option<Lanes>,
}

/// Where jobs go.
struct Lanes {
    small: Sender<Arc<Job>>,
    large: Sender<Arc<Job>>,
}

/// A list of jobs.
#[derive(Serialize)]
pub struct List {
    jobs: Vec<JobStatus>,
}

/// The worker's end of the queue.
pub struct Queue(Receiver<Arc<Job>>);

impl Queue {
    /// Does all jobs one after the other, until no more can come.
    pub fn work(self, cache: &TableCache) {
        for job in self.0 {
            job.run(cache);
        }
    }
}

impl Jobs {
    /// No jobs, and the queues of those to come.
    pub fn new(stop: &Stop) -> (Jobs, [Queue; 2]) {
        let (small, smalls) = channel();
        let (large, larges) = channel();
        let kept = Kept {
            next: 1,
            jobs: VecDeque::new(),
            lanes: Some(Lanes { small, large }),
        };
        let jobs = Jobs {
            kept: Mutex::new(kept),
            stop: stop.clone(),
        };
        (jobs, [Queue(smalls), Queue(larges)])
    }

    /// Starts a job, if there are not too many.
    fn start(&self, order: JobSpec) -> Result<Arc<Job>, ApiError> {
        let mut kept = lock(&self.kept);
        let open = kept.jobs.iter().filter(|job| !job.state().is_over());
        if open.count() >= limits::JOBS {
            let most = limits::JOBS;
            return Err(ApiError::Busy(format!(
                "{most} jobs wait or run already: cancel one, or wait"
            )));
        }
        let job = Arc::new(Job::new(kept.next, order, self.stop.clone()));
        let sent = kept.lanes.as_ref().map(|lanes| {
            let lane = match order.is_small() {
                true => &lanes.small,
                false => &lanes.large,
            };
            lane.send(Arc::clone(&job)).is_ok()
        });
        if sent != Some(true) {
            return Err(ApiError::Busy("the server is stopping".to_owned()));
        }
        kept.next += 1;
        kept.jobs.push_back(Arc::clone(&job));
        while kept.jobs.len() > limits::REMEMBERED {
            // Those that are over go first; there are never more open ones than that.
            let over = kept.jobs.iter().position(|job| job.state().is_over());
            kept.jobs.remove(over.unwrap_or(0));
        }
        Ok(job)
    }

    /// The job with a number.
    pub fn get(&self, id: &str) -> Result<Arc<Job>, ApiError> {
        let kept = lock(&self.kept);
        let mut jobs = kept.jobs.iter();
        let job = jobs.find(|job| id.parse() == Ok(job.id)).cloned();
        job.ok_or_else(|| ApiError::Missing(format!("there is no job '{id}'")))
    }

    /// Stops all jobs and takes no more.
    pub fn close(&self) {
        let mut kept = lock(&self.kept);
        kept.lanes = None;
        for job in &kept.jobs {
            job.cancel();
        }
    }
}

/// `POST /api/v1/jobs`
pub async fn start(State(executor): At, body: Body) -> Answered {
    let order = off(move || JobSpec::parse(&body.0)).await?;
    let job = executor.jobs.start(order)?;
    Responded::json(StatusCode::ACCEPTED, job.told())
}

/// `GET /api/v1/jobs`
pub async fn list(State(executor): At) -> Answered {
    let jobs = {
        let kept = lock(&executor.jobs.kept);
        kept.jobs.iter().rev().map(|job| job.told()).collect()
    };
    Responded::json(StatusCode::OK, List { jobs })
}

/// `GET /api/v1/jobs/ID`
pub async fn show(State(executor): At, Path(id): Path<String>) -> Answered {
    Responded::json(StatusCode::OK, executor.jobs.get(&id)?.told())
}

/// `DELETE /api/v1/jobs/ID`
pub async fn cancel(State(executor): At, Path(id): Path<String>) -> Answered {
    let job = executor.jobs.get(&id)?;
    job.cancel();
    Responded::json(StatusCode::OK, job.told())
}
