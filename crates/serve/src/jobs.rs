//! All jobs. One runs at a time, a few wait, and the last ones are remembered. Small games have
//! a queue of their own, so that they need not wait for large ones.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use axum::extract::{Path, State};
use axum::http::StatusCode;
use tilebase_schema::Jobs as JobList;
use tilebase_service::{ApiError, Job, JobSpec, Stop, TableCache, lock};

use crate::body::Body;
use crate::executor::{ExecutorState, blocking};
use crate::limits;
use crate::response::{Answered, HttpAnswer};

/// All jobs.
pub struct Jobs {
    remembered: Mutex<RememberedJobs>,
    stop: Stop,
}

struct RememberedJobs {
    next: u64,
    jobs: VecDeque<Arc<Job>>,
    queues: Option<Queues>,
}

/// The queues of jobs by size.
struct Queues {
    small: Sender<Arc<Job>>,
    large: Sender<Arc<Job>>,
}

/// The worker's end of a queue.
pub struct Queue(Receiver<Arc<Job>>);

impl Queue {
    /// Runs jobs one after the other until the queue is closed.
    pub fn work(self, cache: &TableCache) {
        for job in self.0 {
            job.run(cache);
        }
    }
}

impl Jobs {
    /// No jobs yet, and the queues for the workers.
    pub fn new(stop: &Stop) -> (Jobs, [Queue; 2]) {
        let (small, smalls) = channel();
        let (large, larges) = channel();
        let remembered = RememberedJobs {
            next: 1,
            jobs: VecDeque::new(),
            queues: Some(Queues { small, large }),
        };
        let jobs = Jobs {
            remembered: Mutex::new(remembered),
            stop: stop.clone(),
        };
        (jobs, [Queue(smalls), Queue(larges)])
    }

    /// Starts a job, if there are not too many.
    fn start(&self, spec: JobSpec) -> Result<Arc<Job>, ApiError> {
        let mut remembered = lock(&self.remembered);
        let open = remembered.jobs.iter().filter(|job| !job.state().is_over());
        if open.count() >= limits::JOBS {
            let most = limits::JOBS;
            return Err(ApiError::Busy(format!(
                "{most} jobs are waiting or running already: cancel one, or try again later"
            )));
        }
        let job = Arc::new(Job::new(remembered.next, spec, self.stop.clone()));
        let sent = remembered.queues.as_ref().map(|queues| {
            let queue = match spec.is_small() {
                true => &queues.small,
                false => &queues.large,
            };
            queue.send(Arc::clone(&job)).is_ok()
        });
        if sent != Some(true) {
            return Err(ApiError::Busy("the server is stopping".to_owned()));
        }
        remembered.next += 1;
        remembered.jobs.push_back(Arc::clone(&job));
        while remembered.jobs.len() > limits::REMEMBERED {
            // The oldest that is over goes. There are never so many that are not.
            let over = remembered.jobs.iter().position(|job| job.state().is_over());
            remembered.jobs.remove(over.unwrap_or(0));
        }
        Ok(job)
    }

    /// The job with a number.
    pub fn get(&self, id: &str) -> Result<Arc<Job>, ApiError> {
        let remembered = lock(&self.remembered);
        let mut jobs = remembered.jobs.iter();
        let job = jobs.find(|job| id.parse() == Ok(job.id)).cloned();
        job.ok_or_else(|| ApiError::Missing(format!("there is no job '{id}'")))
    }

    /// Cancels all jobs and closes the queues.
    pub fn close(&self) {
        let mut remembered = lock(&self.remembered);
        remembered.queues = None;
        for job in &remembered.jobs {
            job.cancel();
        }
    }
}

/// `POST /api/v1/jobs`
pub async fn start(State(executor): ExecutorState, body: Body) -> Answered {
    let spec = blocking(move || JobSpec::parse(&body.0)).await?;
    let job = executor.jobs.start(spec)?;
    HttpAnswer::json(StatusCode::ACCEPTED, job.status())
}

/// `GET /api/v1/jobs`
pub async fn list(State(executor): ExecutorState) -> Answered {
    let jobs = {
        let remembered = lock(&executor.jobs.remembered);
        remembered
            .jobs
            .iter()
            .rev()
            .map(|job| job.status())
            .collect()
    };
    HttpAnswer::json(StatusCode::OK, JobList { jobs })
}

/// `GET /api/v1/jobs/ID`
pub async fn show(State(executor): ExecutorState, Path(id): Path<String>) -> Answered {
    HttpAnswer::json(StatusCode::OK, executor.jobs.get(&id)?.status())
}

/// `DELETE /api/v1/jobs/ID`
pub async fn cancel(State(executor): ExecutorState, Path(id): Path<String>) -> Answered {
    let job = executor.jobs.get(&id)?;
    job.cancel();
    HttpAnswer::json(StatusCode::OK, job.status())
}
