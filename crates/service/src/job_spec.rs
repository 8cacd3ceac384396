//! What a job is to do, as a request says it, and whether it is within the limits.

use serde::{Deserialize, Serialize};
use tilebase_count::CountPlan;
use tilebase_game::{Shape, Spawn, Variant};
use tilebase_solve::estimate;
use tilebase_util::bytes_text;

use crate::cache::{is_small, unknown};
use crate::error::ApiError;
use crate::limits;
use crate::request::from_body;
use crate::table_id::{TableId, target};

/// What a job does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Counts the states of a game.
    Count,
    /// Solves a game.
    Solve,
}

/// What is asked for: a variant's id, or a game and an objective.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    kind: Kind,
    variant: Option<String>,
    shape: Option<String>,
    to: Option<u64>,
    spawn: Option<String>,
    start_tiles: Option<u16>,
    objective: Option<String>,
    discount: Option<f64>,
}

/// Work that is admitted.
#[derive(Clone, Copy, Debug)]
pub struct JobSpec {
    /// What to do.
    pub kind: Kind,
    /// Of which game, for which objective.
    pub question: TableId,
}

impl JobSpec {
    /// The order in a body, if it is within the limits.
    pub fn parse(body: &[u8]) -> Result<JobSpec, ApiError> {
        let wanted: Wanted = from_body(body)?;
        let kind = wanted.kind;
        let question = match (&wanted.variant, &wanted.shape) {
            (Some(id), None) if wanted.is_bare() => {
                TableId::parse(id).ok_or_else(|| unknown(id))?
            }
            (None, Some(shape)) => wanted.question(shape)?,
            _ => {
                return Err(ApiError::request(
                    "give a variant, such as 3x3-to-256, or a shape with what belongs to it",
                ));
            }
        };
        admit(kind, &question)?;
        Ok(JobSpec { kind, question })
    }

    /// Whether a table comes of it.
    pub fn makes_a_table(&self) -> bool {
        self.kind == Kind::Solve
    }

    /// Whether it takes seconds at most.
    pub fn is_small(&self) -> bool {
        self.kind == Kind::Solve && is_small(&self.question).unwrap_or(false)
    }
}

impl Wanted {
    /// Whether nothing is said of the game but its id.
    fn is_bare(&self) -> bool {
        self.to.is_none()
            && self.spawn.is_none()
            && self.start_tiles.is_none()
            && self.objective.is_none()
            && self.discount.is_none()
    }

    fn question(&self, shape: &str) -> Result<TableId, ApiError> {
        let shape: Shape = shape.parse().map_err(ApiError::request)?;
        let to = self.to.map(|to| target(&to.to_string())).transpose()?;
        let spawn = self.spawn.as_deref().map(str::parse::<Spawn>);
        let spawn = spawn.transpose().map_err(ApiError::request)?;
        let spawn = spawn.unwrap_or(Spawn::STANDARD);
        let tiles = self.start_tiles.unwrap_or(Variant::START_TILES);
        let variant = Variant::new(shape, to, spawn, tiles).map_err(ApiError::request)?;
        if self.kind == Kind::Solve {
            return TableId::of(variant, self.objective.as_deref(), self.discount);
        }
        if self.objective.is_some() || self.discount.is_some() {
            return Err(ApiError::request("counting has no objective: leave it out"));
        }
        let question = TableId::parse(&variant.to_string());
        question.ok_or_else(|| ApiError::request("there is no such game"))
    }
}

/// Refuses what is too large.
fn admit(kind: Kind, question: &TableId) -> Result<(), ApiError> {
    let variant = &question.variant;
    let (memory, disk) = match kind {
        Kind::Count => {
            let plan = CountPlan::sizes(variant, limits::JOB_MEMORY).map_err(ApiError::request)?;
            (plan.whole_bytes(), 0)
        }
        Kind::Solve => {
            let estimate = estimate(variant, question.objective, 1)?;
            (estimate.memory, estimate.disk)
        }
    };
    if memory <= limits::JOB_MEMORY && disk <= limits::JOB_DISK {
        return Ok(());
    }
    Err(ApiError::Request(format!(
        "{variant} is too large for a job: it needs about {} of memory and {} of disk, and {} and \
         {} are allowed; use 'tilebase count' or 'tilebase solve'",
        bytes_text(memory),
        bytes_text(disk),
        bytes_text(limits::JOB_MEMORY),
        bytes_text(limits::JOB_DISK)
    )))
}
