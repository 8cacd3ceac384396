//! Jobs: long computations that report their progress and can be cancelled.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use tilebase_count::{CountError, count};
use tilebase_game::tile_value;
use tilebase_schema::{
    Game, JobKind, JobLayer, JobPhase, JobProgress, JobResult, JobState, JobStatus, JobUnit,
};
use tilebase_solve::SolveError;
use tilebase_util::progress::{Moment, Progress, Unit};

use crate::cache::{TableCache, lock};
use crate::deadline::Stop;
use crate::error::ApiError;
use crate::job_request::JobSpec;
use crate::limits;
use crate::probed::game;
use crate::table_id::TableId;

/// The changing part of a job.
struct Track {
    state: JobState,
    phase: JobPhase,
    unit: JobUnit,
    done: u64,
    total: Option<u64>,
    began: Option<Moment>,
    phase_began: Option<Moment>,
    ended: Option<Moment>,
    layers: Vec<JobLayer>,
    result: Option<JobResult>,
    error: Option<String>,
}

/// A job.
pub struct Job {
    /// Its number.
    pub id: u64,
    spec: JobSpec,
    stop: Stop,
    /// Called on every progress.
    on_progress: fn(&Job),
    cancelled: AtomicBool,
    track: Mutex<Track>,
}

impl Job {
    /// A job that waits to be run.
    pub fn new(id: u64, spec: JobSpec, stop: Stop) -> Job {
        Job {
            id,
            spec,
            stop,
            on_progress: |_| (),
            cancelled: AtomicBool::new(false),
            track: Mutex::new(Track {
                state: JobState::Waiting,
                phase: JobPhase::Count,
                unit: JobUnit::Boards,
                done: 0,
                total: None,
                began: None,
                phase_began: None,
                ended: None,
                layers: Vec::new(),
                result: None,
                error: None,
            }),
        }
    }

    /// Calls a function on every progress of the job.
    #[must_use]
    pub fn on_progress(mut self, call: fn(&Job)) -> Job {
        self.on_progress = call;
        self
    }

    /// Cancels the job. One that waits is over at once.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
        let mut track = lock(&self.track);
        if track.state == JobState::Waiting {
            track.state = JobState::Cancelled;
        }
    }

    /// Its state.
    pub fn state(&self) -> JobState {
        lock(&self.track).state
    }

    /// Its status, as answers give it.
    pub fn status(&self) -> JobStatus {
        let progress = self.progress();
        let track = lock(&self.track);
        let TableId { variant, objective } = &self.spec.id;
        let objective = Some(objective).filter(|_| self.spec.kind == JobKind::Solve);
        JobStatus {
            id: self.id,
            kind: self.spec.kind,
            game: Game {
                objective: objective.map(|objective| objective.name().to_owned()),
                discount: objective.map(|objective| objective.discount()),
                ..game(variant)
            },
            shape: variant.shape().to_string(),
            to: variant.target().map(tile_value),
            progress,
            layers: track.layers.clone(),
            result: track.result.clone(),
            error: track.error.clone(),
        }
    }

    /// How far it is.
    pub fn progress(&self) -> JobProgress {
        let track = lock(&self.track);
        let now = track.ended.unwrap_or_else(Moment::now);
        let since = |then: Option<Moment>| then.map(|then| now.since(then).as_secs_f64());
        let per_second = since(track.phase_began)
            .filter(|&seconds| seconds > 0.0 && track.done > 0)
            .map(|seconds| track.done as f64 / seconds);
        let left = track.total.map(|total| total.saturating_sub(track.done));
        let running = track.state == JobState::Running;
        JobProgress {
            state: track.state,
            phase: track.phase,
            unit: track.unit,
            done: track.done,
            total: track.total,
            per_second,
            seconds: since(track.began).unwrap_or(0.0),
            seconds_left: match (left, per_second) {
                (Some(left), Some(per_second)) if running => Some(left as f64 / per_second),
                _ => None,
            },
            states: track.layers.iter().map(|layer| layer.states).sum(),
        }
    }

    /// Its layers from a number on.
    pub fn layers(&self, from: usize) -> Vec<JobLayer> {
        let track = lock(&self.track);
        track.layers.get(from..).unwrap_or_default().to_vec()
    }

    /// Does the work, unless the job was cancelled before.
    pub fn run(&self, cache: &TableCache) {
        {
            let mut track = lock(&self.track);
            if track.state != JobState::Waiting {
                return;
            }
            track.state = JobState::Running;
            track.began = Some(Moment::now());
        }
        let result = match self.spec.kind {
            JobKind::Count => self.count(),
            JobKind::Solve => self.solve(cache),
        };
        let mut track = lock(&self.track);
        track.ended = Some(Moment::now());
        let stopped = self.cancelled.load(Ordering::Relaxed) || self.stop.is_requested();
        (track.state, track.error) = match result {
            Ok(Some(result)) => {
                track.result = Some(result);
                (JobState::Done, None)
            }
            Ok(None) if stopped => (JobState::Cancelled, None),
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

    /// Counts the game. `None` if that was interrupted.
    fn count(&self) -> Result<Option<JobResult>, ApiError> {
        let options = tilebase_count::CountOptions {
            threads: 0,
            memory: limits::JOB_MEMORY,
            by_largest: false,
            ..tilebase_count::CountOptions::default()
        };
        match count(&self.spec.id.variant, &options, None, self) {
            Ok(count) => Ok(Some(JobResult {
                states: count.states(),
                lost: Some(count.lost()),
                afterstates: count.afterstates(),
                ..JobResult::default()
            })),
            Err(CountError::Interrupted) => Ok(None),
            Err(error) => Err(ApiError::Work(error.to_string())),
        }
    }

    /// Solves the game. `None` if that was interrupted.
    fn solve(&self, cache: &TableCache) -> Result<Option<JobResult>, ApiError> {
        let cached = match cache.solve(self.spec.id, self) {
            Ok(cached) => cached,
            Err(SolveError::Interrupted) => return Ok(None),
            Err(error) => return Err(ApiError::from(error)),
        };
        let manifest = cached.table.manifest();
        let mut track = lock(&self.track);
        if track.layers.is_empty() {
            // The table was there already.
            let layers = cached.table.layers().map(|layer| JobLayer {
                sum: layer.sum,
                states: layer.states,
            });
            track.layers.extend(layers);
            (track.phase, track.unit) = (JobPhase::Solve, JobUnit::States);
            (track.done, track.total) = (manifest.states(), Some(manifest.states()));
        }
        let start = manifest.start.as_ref();
        Ok(Some(JobResult {
            states: manifest.states(),
            lost: None,
            afterstates: manifest.afterstates(),
            start_value: start.and_then(|start| start.value),
            start_complement: start.and_then(|start| start.win_complement),
            table: Some(self.spec.id.to_string()),
        }))
    }
}

impl Progress for Job {
    fn begin(&self, unit: Unit, total: Option<u64>) {
        let mut track = lock(&self.track);
        (track.phase, track.unit) = match unit {
            Unit::Boards => (JobPhase::Count, JobUnit::Boards),
            _ => (JobPhase::Solve, JobUnit::States),
        };
        track.done = 0;
        track.total = total;
        track.phase_began = Some(Moment::now());
    }

    fn stage(&self, _: &str) {}

    fn layer(&self, sum: u32, states: u64) {
        lock(&self.track).layers.push(JobLayer { sum, states });
        (self.on_progress)(self);
    }

    fn advance(&self, units: u64) {
        lock(&self.track).done += units;
        (self.on_progress)(self);
    }

    fn finish(&self) {}

    fn interrupted(&self) -> bool {
        let late = || {
            let began = lock(&self.track).began;
            began.is_some_and(|began| began.elapsed() >= limits::JOB)
        };
        self.cancelled.load(Ordering::Relaxed) || self.stop.is_requested() || late()
    }
}
