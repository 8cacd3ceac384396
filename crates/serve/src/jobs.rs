//! All jobs: one runs at a time, a few wait, the last ones are remembered.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use tilebase_count::Plan;
use tilebase_game::{Shape, Spawn, Variant};
use tilebase_solve::estimate;

use crate::deadline::Stop;
use crate::fault::Fault;
use crate::job::{Job, Kind, Told};
use crate::laboratory::Lab;
use crate::limits;
use crate::question::{Question, target};
use crate::reply::{Answered, Body, Reply};
use crate::shelf::{Shelf, lock};

/// All jobs.
pub struct Jobs {
    kept: Mutex<Kept>,
    stop: Stop,
}

struct Kept {
    next: u64,
    jobs: VecDeque<Arc<Job>>,
    sender: Option<Sender<Arc<Job>>>,
}

/// What is asked for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    kind: Kind,
    shape: String,
    to: Option<u64>,
    spawn: Option<String>,
    start_tiles: Option<u16>,
    objective: Option<String>,
    discount: Option<f64>,
}

/// A list of jobs.
#[derive(Serialize)]
pub struct List {
    jobs: Vec<Told>,
}

/// The worker's end of the queue.
pub struct Queue(Receiver<Arc<Job>>);

impl Queue {
    /// Does all jobs one after the other, until no more can come.
    pub fn work(self, shelf: &Shelf) {
        for job in self.0 {
            job.run(shelf);
        }
    }
}

impl Jobs {
    /// No jobs, and the queue of those to come.
    pub fn new(stop: &Stop) -> (Jobs, Queue) {
        let (sender, receiver) = channel();
        let kept = Kept {
            next: 1,
            jobs: VecDeque::new(),
            sender: Some(sender),
        };
        let jobs = Jobs {
            kept: Mutex::new(kept),
            stop: stop.clone(),
        };
        (jobs, Queue(receiver))
    }

    /// Starts a job, if there are not too many.
    fn start(&self, kind: Kind, question: Question) -> Result<Arc<Job>, Fault> {
        let mut kept = lock(&self.kept);
        let open = kept.jobs.iter().filter(|job| !job.state().is_over());
        if open.count() >= limits::JOBS {
            let most = limits::JOBS;
            return Err(Fault::Busy(format!(
                "{most} jobs wait or run already: cancel one, or wait"
            )));
        }
        let job = Arc::new(Job::new(kept.next, kind, question, self.stop.clone()));
        let sent = kept
            .sender
            .as_ref()
            .map(|s| s.send(Arc::clone(&job)).is_ok());
        if sent != Some(true) {
            return Err(Fault::Busy("the server is stopping".to_owned()));
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
    pub fn get(&self, id: &str) -> Result<Arc<Job>, Fault> {
        let kept = lock(&self.kept);
        let mut jobs = kept.jobs.iter();
        let job = jobs.find(|job| id.parse() == Ok(job.id)).cloned();
        job.ok_or_else(|| Fault::Missing(format!("there is no job '{id}'")))
    }

    /// Stops all jobs and takes no more.
    pub fn close(&self) {
        let mut kept = lock(&self.kept);
        kept.sender = None;
        for job in &kept.jobs {
            job.cancel();
        }
    }
}

/// `POST /api/v1/jobs`
pub async fn start(
    State(lab): Lab,
    Body(asked): Body<Asked>,
) -> Result<(StatusCode, Reply<Told>), Fault> {
    let kind = asked.kind;
    let question = lab.look_up(move || admitted(&asked)).await?;
    let job = lab.jobs.start(kind, question)?;
    Ok((StatusCode::ACCEPTED, Reply::new(job.told())))
}

/// `GET /api/v1/jobs`
pub async fn list(State(lab): Lab) -> Reply<List> {
    let kept = lock(&lab.jobs.kept);
    let jobs = kept.jobs.iter().rev().map(|job| job.told()).collect();
    Reply::new(List { jobs })
}

/// `GET /api/v1/jobs/ID`
pub async fn show(State(lab): Lab, Path(id): Path<String>) -> Answered<Told> {
    Ok(Reply::new(lab.jobs.get(&id)?.told()))
}

/// `DELETE /api/v1/jobs/ID`
pub async fn cancel(State(lab): Lab, Path(id): Path<String>) -> Answered<Told> {
    let job = lab.jobs.get(&id)?;
    job.cancel();
    Ok(Reply::new(job.told()))
}

/// The question of a job that is within the limits.
fn admitted(asked: &Asked) -> Result<Question, Fault> {
    let shape: Shape = asked.shape.parse().map_err(Fault::request)?;
    let to = asked.to.map(|to| target(&to.to_string())).transpose()?;
    let spawn = asked.spawn.as_deref().map(str::parse::<Spawn>);
    let spawn = spawn.transpose().map_err(Fault::request)?;
    let spawn = spawn.unwrap_or(Spawn::STANDARD);
    let tiles = asked.start_tiles.unwrap_or(Variant::START_TILES);
    let variant = Variant::new(shape, to, spawn, tiles).map_err(Fault::request)?;
    let (memory, disk) = match asked.kind {
        Kind::Count => {
            if asked.objective.is_some() || asked.discount.is_some() {
                return Err(Fault::request("counting has no objective: leave it out"));
            }
            let plan = Plan::sizes(&variant, limits::JOB_MEMORY).map_err(Fault::request)?;
            let question = Question::parse(&variant.to_string());
            let question = question.ok_or_else(|| Fault::request("there is no such game"))?;
            if plan.whole_bytes() <= limits::JOB_MEMORY {
                return Ok(question);
            }
            (plan.whole_bytes(), 0)
        }
        Kind::Solve => {
            let question = Question::of(variant, asked.objective.as_deref(), asked.discount)?;
            let estimate = estimate(&variant, question.objective, 1)?;
            if estimate.memory <= limits::JOB_MEMORY && estimate.disk <= limits::JOB_DISK {
                return Ok(question);
            }
            (estimate.memory, estimate.disk)
        }
    };
    let text = tilebase_count::bytes_text;
    Err(Fault::Request(format!(
        "{variant} is too large for a job: it needs about {} of memory and {} of disk, and {} and \
         {} are allowed; use 'tilebase count' or 'tilebase solve'",
        text(memory),
        text(disk),
        text(limits::JOB_MEMORY),
        text(limits::JOB_DISK)
    )))
}
