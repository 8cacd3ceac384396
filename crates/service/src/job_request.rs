//! Requests for jobs, and whether they are within the limits.

use schemars::JsonSchema;
use serde::Deserialize;
use tilebase_count::CountPlan;
use tilebase_game::{Shape, Spawn, Variant};
use tilebase_schema::JobKind;
use tilebase_solve::estimate;
use tilebase_util::bytes_text;

use crate::cache::{is_small, no_such_variant};
use crate::error::ApiError;
use crate::limits;
use crate::question::{from_body, text};
use crate::table_id::{TableId, target};

/// `POST /api/v1/jobs`: a variant, or a shape with the rest of the game.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JobRequest {
    /// What to do.
    kind: JobKind,
    #[schemars(with = "Option<text::VariantId>")]
    variant: Option<String>,
    /// Rows and columns.
    #[schemars(with = "Option<text::Shape>")]
    shape: Option<String>,
    /// The target tile.
    to: Option<u64>,
    /// How tiles spawn, such as `2:0.9,4:0.1`, which is the default.
    spawn: Option<String>,
    /// Tiles on the board at the start; 2 without it.
    start_tiles: Option<u16>,
    /// Name of the objective; `win` without it. Only for a game that is solved.
    objective: Option<String>,
    /// The discount per move. Only for the objective `win`.
    discount: Option<f64>,
}

/// Work within the limits.
#[derive(Clone, Copy, Debug)]
pub struct JobSpec {
    /// What to do.
    pub kind: JobKind,
    /// The game, and the objective if it is to be solved.
    pub id: TableId,
}

impl JobSpec {
    /// Reads the body of a request, and refuses what is beyond the limits.
    pub fn parse(body: &[u8]) -> Result<JobSpec, ApiError> {
        let request: JobRequest = from_body(body)?;
        let kind = request.kind;
        let id = match (&request.variant, &request.shape) {
            (Some(id), None) if request.is_bare() => {
                TableId::parse(id).ok_or_else(|| no_such_variant(id))?
            }
            (None, Some(shape)) => request.id(shape)?,
            _ => {
                return Err(ApiError::request(
                    "give either variant, such as 3x3-to-256, or shape with to, spawn, \
                     start_tiles, objective and discount",
                ));
            }
        };
        check_limits(kind, &id)?;
        Ok(JobSpec { kind, id })
    }

    /// Whether it makes a table.
    pub fn makes_a_table(&self) -> bool {
        self.kind == JobKind::Solve
    }

    /// Whether it takes seconds at most.
    pub fn is_small(&self) -> bool {
        self.kind == JobKind::Solve && is_small(&self.id).unwrap_or(false)
    }
}

impl JobRequest {
    /// Whether no part of the game is given on its own.
    fn is_bare(&self) -> bool {
        self.to.is_none()
            && self.spawn.is_none()
            && self.start_tiles.is_none()
            && self.objective.is_none()
            && self.discount.is_none()
    }

    fn id(&self, shape: &str) -> Result<TableId, ApiError> {
        let shape: Shape = shape.parse().map_err(ApiError::request)?;
        let to = self.to.map(|to| target(&to.to_string())).transpose()?;
        let spawn = self.spawn.as_deref().map(str::parse::<Spawn>);
        let spawn = spawn.transpose().map_err(ApiError::request)?;
        let spawn = spawn.unwrap_or(Spawn::STANDARD);
        let tiles = self.start_tiles.unwrap_or(Variant::START_TILES);
        let variant = Variant::new(shape, to, spawn, tiles).map_err(ApiError::request)?;
        if self.kind == JobKind::Solve {
            return TableId::of(variant, self.objective.as_deref(), self.discount);
        }
        if self.objective.is_some() || self.discount.is_some() {
            return Err(ApiError::request(
                "a count has no objective: leave out objective and discount",
            ));
        }
        let id = TableId::parse(&variant.to_string());
        id.ok_or_else(|| no_such_variant(&variant.to_string()))
    }
}

/// Refuses a game that is too large.
fn check_limits(kind: JobKind, id: &TableId) -> Result<(), ApiError> {
    let variant = &id.variant;
    let (memory, disk) = match kind {
        JobKind::Count => {
            let plan = CountPlan::sizes(variant, limits::JOB_MEMORY)?;
            (plan.whole_bytes(), 0)
        }
        JobKind::Solve => {
            let estimate = estimate(variant, id.objective, 1, false)?;
            (estimate.memory, estimate.disk)
        }
    };
    if memory <= limits::JOB_MEMORY && disk <= limits::JOB_DISK {
        return Ok(());
    }
    Err(ApiError::Request(format!(
        "{variant} is too large for a job: it needs about {} of memory and {} of disk, and {} and \
         {} are allowed",
        bytes_text(memory),
        bytes_text(disk),
        bytes_text(limits::JOB_MEMORY),
        bytes_text(limits::JOB_DISK)
    )))
}
