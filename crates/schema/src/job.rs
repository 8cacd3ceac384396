//! Jobs: the answers of the API's `jobs`, and the events of a job.

use schemars::JsonSchema;
use serde::Serialize;

use crate::Game;

words! {
    /// What a job does.
    JobKind {
        /// Counts the states of a game.
        Count = "count",
        /// Solves a game.
        Solve = "solve",
    }
}

words! {
    /// Where a job is in its life.
    JobState {
        /// Others come first.
        Waiting = "waiting",
        /// It is being worked on.
        Running = "running",
        /// It is done.
        Done = "done",
        /// It failed; `error` says why.
        Failed = "failed",
        /// It was cancelled.
        Cancelled = "cancelled",
    }
}

impl JobState {
    /// Whether nothing more happens.
    pub fn is_over(self) -> bool {
        !matches!(self, JobState::Waiting | JobState::Running)
    }
}

words! {
    /// The phase of a job. Solving begins with counting.
    JobPhase {
        /// Counting the states.
        Count = "count",
        /// Solving them.
        Solve = "solve",
    }
}

words! {
    /// The unit of a job's progress.
    JobUnit {
        /// Boards expanded.
        Boards = "boards",
        /// States solved.
        States = "states",
    }
}

/// A layer of a game: all states with the same tile sum.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct JobLayer {
    /// The tile sum.
    pub sum: u32,
    /// Live states in the layer.
    pub states: u64,
}

/// The layers that are new since the last event of a job.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct JobLayers {
    /// The layers.
    pub layers: Vec<JobLayer>,
}

/// How far a job is.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct JobProgress {
    /// Where it is in its life.
    pub state: JobState,
    /// Its phase.
    pub phase: JobPhase,
    /// The unit of `done`, `total` and `per_second`.
    pub unit: JobUnit,
    /// Units done in this phase.
    pub done: u64,
    /// Units of this phase; null if unknown.
    pub total: Option<u64>,
    /// Units a second in this phase.
    pub per_second: Option<f64>,
    /// Time since the job began.
    pub seconds: f64,
    /// Time that this phase will still take.
    pub seconds_left: Option<f64>,
    /// Live states found so far.
    pub states: u64,
}

/// The result of a job.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct JobResult {
    /// Live states.
    pub states: u64,
    /// Reachable lost states; null for a solved game.
    pub lost: Option<u64>,
    /// Distinct canonical afterstates without the target tile.
    pub afterstates: u64,
    /// Mean value of the start positions, weighted by their probability; null for a count.
    pub start_value: Option<f64>,
    /// 1 minus the probability of winning from the start.
    pub start_complement: Option<f64>,
    /// Id of the table that was made; null for a count.
    pub table: Option<String>,
}

/// A job.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Job")]
pub struct JobStatus {
    /// Its number.
    pub id: u64,
    /// What it does.
    pub kind: JobKind,
    /// The game.
    #[serde(flatten)]
    pub game: Game,
    /// Rows and columns.
    pub shape: String,
    /// The target tile.
    pub to: Option<u128>,
    /// How far it is.
    #[serde(flatten)]
    pub progress: JobProgress,
    /// The layers so far.
    pub layers: Vec<JobLayer>,
    /// Its result; null until it is done.
    pub result: Option<JobResult>,
    /// Why it failed; null if it did not.
    pub error: Option<String>,
}

/// All jobs that are remembered.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Jobs {
    /// The jobs, the newest first.
    pub jobs: Vec<JobStatus>,
}
