//! A long computation, what it tells about itself, and how it is stopped.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use tilebase_count::{CountError, count};
use tilebase_game::tile_value;
use tilebase_solve::SolveError;
use tilebase_util::progress::{Moment, Progress, Unit};

use crate::cache::{TableCache, lock};
use crate::deadline::Stop;
use crate::error::ApiError;
use crate::job_spec::{JobSpec, Kind};
use crate::limits;

/// Where a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum JobState {
    /// Others come first.
    Waiting,
    /// It is worked on.
    Running,
    /// It is done.
    Done,
    /// It could not be done.
    Failed,
    /// It was stopped.
    Cancelled,
}

impl JobState {
    /// Whether nothing more happens.
    pub fn is_over(self) -> bool {
        !matches!(self, JobState::Waiting | JobState::Running)
    }
}

/// A layer that was counted.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Layer {
    sum: u32,
    states: u64,
}

/// What a job found.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Found {
    states: u64,
    lost: Option<u64>,
    afterstates: u64,
    start_value: Option<f64>,
    start_complement: Option<f64>,
    /// The id by which the table can be asked.
    table: Option<String>,
}

/// How far a job is.
#[derive(Clone, Debug, Serialize)]
pub struct Pace {
    /// Where it stands.
    pub state: JobState,
    /// `count` or `solve`: solving counts first.
    phase: &'static str,
    /// What is counted in `done` and `total`: `boards` or `states`.
    unit: &'static str,
    done: u64,
    total: Option<u64>,
    /// Units a second in this phase.
    rate: Option<f64>,
    seconds: f64,
    /// Of this phase.
    seconds_left: Option<f64>,
    states: u64,
}

/// A job as answers give it.
#[derive(Serialize)]
pub struct JobStatus {
    id: u64,
    kind: Kind,
    variant: String,
    shape: String,
    to: Option<u128>,
    objective: Option<&'static str>,
    #[serde(flatten)]
    pace: Pace,
    layers: Vec<Layer>,
    found: Option<Found>,
    error: Option<String>,
}

struct Track {
    state: JobState,
    phase: &'static str,
    unit: &'static str,
    done: u64,
    total: Option<u64>,
    began: Option<Moment>,
    phase_began: Option<Moment>,
    ended: Option<Moment>,
    layers: Vec<Layer>,
    found: Option<Found>,
    error: Option<String>,
}

/// A job.
pub struct Job {
    /// Its number.
    pub id: u64,
    order: JobSpec,
    stop: Stop,
    /// JobStatus whenever something happened.
    tell: fn(&Job),
    cancelled: AtomicBool,
    track: Mutex<Track>,
}

impl Job {
    /// A job that waits.
    pub fn new(id: u64, order: JobSpec, stop: Stop) -> Job {
        Job {
            id,
            order,
            stop,
            tell: |_| (),
            cancelled: AtomicBool::new(false),
            track: Mutex::new(Track {
                state: JobState::Waiting,
                phase: "count",
                unit: "boards",
                done: 0,
                total: None,
                began: None,
                phase_began: None,
                ended: None,
                layers: Vec::new(),
                found: None,
                error: None,
            }),
        }
    }

    /// The same, and `tell` is called whenever something happened.
    #[must_use]
    pub fn telling(mut self, tell: fn(&Job)) -> Job {
        self.tell = tell;
        self
    }

    /// Asks it to stop; one that waits is over at once.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
        let mut track = lock(&self.track);
        if track.state == JobState::Waiting {
            track.state = JobState::Cancelled;
        }
    }

    /// Where it stands.
    pub fn state(&self) -> JobState {
        lock(&self.track).state
    }

    /// All about it.
    pub fn told(&self) -> JobStatus {
        let pace = self.pace();
        let track = lock(&self.track);
        let variant = &self.order.question.variant;
        JobStatus {
            id: self.id,
            kind: self.order.kind,
            variant: variant.to_string(),
            shape: variant.shape().to_string(),
            to: variant.target().map(tile_value),
            objective: (self.order.kind == Kind::Solve)
                .then(|| self.order.question.objective.name()),
            pace,
            layers: track.layers.clone(),
            found: track.found.clone(),
            error: track.error.clone(),
        }
    }

    /// How far it is.
    pub fn pace(&self) -> Pace {
        let track = lock(&self.track);
        let now = track.ended.unwrap_or_else(Moment::now);
        let since = |then: Option<Moment>| then.map(|then| now.since(then).as_secs_f64());
        let rate = since(track.phase_began)
            .filter(|&seconds| seconds > 0.0 && track.done > 0)
            .map(|seconds| track.done as f64 / seconds);
        let left = track.total.map(|total| total.saturating_sub(track.done));
        let running = track.state == JobState::Running;
        Pace {
            state: track.state,
            phase: track.phase,
            unit: track.unit,
            done: track.done,
            total: track.total,
            rate,
            seconds: since(track.began).unwrap_or(0.0),
            seconds_left: match (left, rate) {
                (Some(left), Some(rate)) if running => Some(left as f64 / rate),
                _ => None,
            },
            states: track.layers.iter().map(|layer| layer.states).sum(),
        }
    }

    /// Layers from one on.
    pub fn layers(&self, from: usize) -> Vec<Layer> {
        let track = lock(&self.track);
        track.layers.get(from..).unwrap_or_default().to_vec()
    }

    /// Does the work, unless it was stopped before.
    pub fn run(&self, cache: &TableCache) {
        {
            let mut track = lock(&self.track);
            if track.state != JobState::Waiting {
                return;
            }
            track.state = JobState::Running;
            track.began = Some(Moment::now());
        }
        let found = match self.order.kind {
            Kind::Count => self.count(),
            Kind::Solve => self.solve(cache),
        };
        let mut track = lock(&self.track);
        track.ended = Some(Moment::now());
        let request = self.cancelled.load(Ordering::Relaxed) || self.stop.request();
        (track.state, track.error) = match found {
            Ok(Some(found)) => {
                track.found = Some(found);
                (JobState::Done, None)
            }
            Ok(None) if request => (JobState::Cancelled, None),
            Ok(None) => {
                let most = limits::JOB.as_secs();
                (
                    JobState::Failed,
                    Some(format!("it took more than {most} seconds")),
                )
            }
            Err(error) => (JobState::Failed, Some(error.text())),
        };
    }

    /// `None` if it was interrupted.
    fn count(&self) -> Result<Option<Found>, ApiError> {
        let options = tilebase_count::CountOptions {
            threads: 0,
            memory: limits::JOB_MEMORY,
            by_largest: false,
            ..tilebase_count::CountOptions::default()
        };
        match count(&self.order.question.variant, &options, None, self) {
            Ok(count) => Ok(Some(Found {
                states: count.states(),
                lost: Some(count.lost()),
                afterstates: count.afterstates(),
                ..Found::default()
            })),
            Err(CountError::Interrupted) => Ok(None),
            Err(error) => Err(ApiError::Work(error.to_string())),
        }
    }

    fn solve(&self, cache: &TableCache) -> Result<Option<Found>, ApiError> {
        let cached = match cache.solve(self.order.question, self) {
            Ok(cached) => cached,
            Err(SolveError::Interrupted) => return Ok(None),
            Err(error) => return Err(ApiError::from(error)),
        };
        let manifest = cached.table.manifest();
        let mut track = lock(&self.track);
        if track.layers.is_empty() {
            // There was a table already.
            let layers = cached.table.layers().map(|layer| Layer {
                sum: layer.sum,
                states: layer.states,
            });
            track.layers.extend(layers);
            (track.phase, track.unit) = ("solve", "states");
            (track.done, track.total) = (manifest.states(), Some(manifest.states()));
        }
        let start = manifest.start.as_ref();
        Ok(Some(Found {
            states: manifest.states(),
            lost: None,
            afterstates: manifest.afterstates(),
            start_value: start.and_then(|start| start.value),
            start_complement: start.and_then(|start| start.win_complement),
            table: Some(self.order.question.to_string()),
        }))
    }
}

impl Progress for Job {
    fn begin(&self, unit: Unit, total: Option<u64>) {
        let mut track = lock(&self.track);
        (track.phase, track.unit) = match unit {
            Unit::Boards => ("count", "boards"),
            _ => ("solve", "states"),
        };
        track.done = 0;
        track.total = total;
        track.phase_began = Some(Moment::now());
    }

    fn stage(&self, _: &str) {}

    fn layer(&self, sum: u32, states: u64) {
        lock(&self.track).layers.push(Layer { sum, states });
        (self.tell)(self);
    }

    fn advance(&self, units: u64) {
        lock(&self.track).done += units;
        (self.tell)(self);
    }

    fn finish(&self) {}

    fn interrupted(&self) -> bool {
        let late = || {
            let began = lock(&self.track).began;
            began.is_some_and(|began| began.elapsed() >= limits::JOB)
        };
        self.cancelled.load(Ordering::Relaxed) || self.stop.request() || late()
    }
}
