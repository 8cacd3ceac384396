//! The answers of tilebase as JSON: one set of types for the command line's `--json`, the HTTP
//! API, the engine in the browser and other languages.
//!
//! There is one module per question. The same thing has the same field name in every answer.
//! Names and enumerated values are snake_case, an unknown value is `null`, boards are text, and
//! every answer carries the version of the program ([`Versioned`]). This crate holds types only;
//! the code that knows an answer fills them in. Their JSON Schema is derived (`schemars`), and
//! the OpenAPI description of the API is built from it.
//!
//! ```
//! use tilebase_schema::{ErrorAnswer, Versioned};
//!
//! let answer = Versioned::new(ErrorAnswer { error: "no such table".to_owned() });
//! let json = serde_json::to_string(&answer)?;
//! assert!(json.starts_with(r#"{"version":"#) && json.ends_with(r#""error":"no such table"}"#));
//! # Ok::<(), serde_json::Error>(())
//! ```

#[macro_use]
mod words;

mod calibrate;
mod checkerboard;
mod cluster;
mod compare;
mod completions;
mod count;
mod error;
mod evaluate;
mod export;
mod follow;
mod gpu;
mod job;
mod line;
mod lower_bound;
mod moves;
mod objective;
mod plan;
mod play;
mod position;
mod prove;
mod replay;
mod review;
mod search;
mod selftest;
mod serve;
mod site;
mod solve;
mod strategy;
mod table;
mod train;
mod variants;
mod walls;

use schemars::JsonSchema;
use serde::Serialize;

pub use calibrate::{
    CalibrationAnswer, CalibrationBin, CalibrationSample, ForecastAnswer, LossCalibration,
    SampledMove, SamplesAnswer, TileCalibration,
};
pub use checkerboard::{
    CheckerboardAnswer, CheckerboardMethod, EndingAnswer, EndingTask, ExampleGame, PatternAnswer,
};
pub use cluster::ProcessReport;
pub use compare::{CompareAnswer, Compared, ComparedPlayer};
pub use completions::CompletionsAnswer;
pub use count::{
    CountAnswer, CountBounds, CountDryRun, CountGpuNeed, CountLayer, LargestTile, UncountableGame,
};
pub use error::{BoardErrorAnswer, ErrorAnswer};
pub use evaluate::EvaluateAnswer;
pub use export::{ExportAnswer, ExportFormat};
pub use follow::{FollowAnswer, LostWith, PolicyLayer, PolicyOutcome};
pub use gpu::{GpuMove, GpuPosition, GpuSolveAnswer, GpuSolveDryRun, GpuSolveLayer};
pub use job::{
    JobKind, JobLayer, JobLayers, JobPhase, JobProgress, JobResult, JobState, JobStatus, JobUnit,
    Jobs,
};
pub use line::{Line, LineEnd, LineMove};
pub use lower_bound::{LowerBoundAnswer, MoveQuantiles, MovesProbability};
pub use moves::{MoveOutcomes, Moves, Outcome, Spawns};
pub use objective::ObjectiveInfo;
pub use plan::{ComparedPlan, Plan, PlanComparison, PlanEnd, PlanMethod, SpawnedTile};
pub use play::{
    GameStatistics, PlayAnswer, ReachedTile, RegretAnswer, ScoreQuantiles, UnfinishedGames,
};
pub use position::{
    Advice, BatchEntry, BatchError, FormationPosition, Game, Move, Outlook, Position, Positions,
    StartPosition, StartPositions, Value,
};
pub use prove::{
    BddEncoding, BddOrder, BddSweep, ContestAnswer, EvidenceSource, ProveBddAnswer,
    ProveBestAnswer, ProveEngine, ProveEvidence, ProveLayer, ProveLayersAnswer, ProveSearchAnswer,
    StrategyCheckAnswer, SweepLineAnswer, WrittenStrategy,
};
pub use replay::{
    GameEnding, ReplayAnswer, ReplayedGame, ReplayedPosition, ReplayedReview, SpawnMismatch,
};
pub use review::{Review, ReviewedMove};
pub use search::{Search, SearchSettings};
pub use selftest::{SelftestAnswer, SelftestGame, SelftestPlay, SelftestValues};
pub use serve::{ApiIndex, ApiPath, ServeAnswer};
pub use site::{SiteAnswer, SiteTable, SiteTables};
pub use solve::{SolveAnswer, SolveDryRun, StartValue};
pub use strategy::Strategy;
pub use table::{SectionBytes, TableAnswer, TableLayer};
pub use train::{PruneAnswer, TrainAnswer, TrainingProgress};
pub use variants::{TableEntry, Variants};
pub use walls::Walls;
pub use words::{
    Category, Content, Device, Direction, Grade, Source, SpawnRule, Status, Unit, Winner,
};

/// Version of the program, carried by every answer.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A whole answer: one JSON object, the version first.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "{T}Answer")]
pub struct Versioned<T> {
    /// Version of the program that answers.
    pub version: &'static str,
    /// The answer's own fields.
    #[serde(flatten)]
    pub answer: T,
}

impl<T> Versioned<T> {
    /// Adds the version of this program to an answer.
    pub fn new(answer: T) -> Versioned<T> {
        Versioned {
            version: VERSION,
            answer,
        }
    }
}
