//! Plans: short ways to a tile when new tiles are known.

use serde::{Deserialize, Serialize};
use tilebase_game::{Shape, Spawn, Variant, tile_value};
use tilebase_plan::{
    PlanOptions, PlanStart, PlanTask, SearchEnd, SearchLimits, SpawnRule, guarantee, plan,
};

use crate::deadline::Deadline;
use crate::error::ApiError;
use crate::limits;
use crate::service::Service;
use crate::table_id::{grid, notation, target};

/// What is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanRequest {
    shape: Option<String>,
    to: String,
    spawn_rule: Option<String>,
    spawn: Option<String>,
    #[serde(default)]
    seed: u64,
    board: Option<String>,
    start_tiles: Option<u16>,
}

/// A plan.
#[derive(Serialize)]
pub struct Route {
    shape: String,
    to: u128,
    spawn_rule: &'static str,
    spawn: String,
    seed: u64,
    start: String,
    reached: bool,
    /// Whether no plan is shorter.
    optimal: bool,
    steps: usize,
    lower_bound: u128,
    /// `found`, `exhausted`, `nodes`, `memory` or `interrupted`.
    end: &'static str,
    /// One letter a slide.
    moves: String,
    drops: Vec<Drop>,
    /// The boards with the player to move, and the last; null if they are too many.
    boards: Option<Vec<String>>,
    expanded: u64,
}

/// A tile that falls after a slide.
#[derive(Serialize)]
struct Drop {
    cell: u16,
    tile: u128,
}

impl Service {
    /// `GET /api/v1/plan`
    pub(crate) fn plan(&self, request: &PlanRequest) -> Result<Route, ApiError> {
        find(request, &Deadline::new(limits::THOUGHT, &self.stop))
    }
}

fn find(request: &PlanRequest, deadline: &Deadline) -> Result<Route, ApiError> {
    let task = task(request)?;
    let options = PlanOptions {
        limits: SearchLimits {
            nodes: u64::MAX,
            memory: limits::THOUGHT_MEMORY,
        },
        ..PlanOptions::default()
    };
    let outcome = if task.rule() == SpawnRule::Worst {
        guarantee(&task, options.limits, deadline)
            .ok_or_else(|| ApiError::request("spawn_rule worst is for boards up to 4x4"))?
    } else {
        plan(&task, &options, deadline)
    };
    // Searches have rules of their own: what they find must stand by those of grids.
    let boards = if outcome.reached {
        outcome.plan.replay(&task)
    } else {
        outcome.plan.walk(&task)
    };
    let boards = boards.map_err(|error| ApiError::Work(format!("replaying the plan: {error}")))?;
    let cols = u16::from(task.shape().cols());
    let drops = outcome.plan.drops.iter().map(|drop| Drop {
        cell: u16::from(drop.row) * cols + u16::from(drop.col),
        tile: tile_value(drop.exponent),
    });
    Ok(Route {
        shape: task.shape().to_string(),
        to: tile_value(task.goal()),
        spawn_rule: task.rule().name(),
        spawn: task.spawn().to_string(),
        seed: task.seed(),
        start: notation(&outcome.plan.start),
        reached: outcome.reached,
        optimal: outcome.optimal,
        steps: outcome.plan.steps(),
        lower_bound: outcome.lower_bound,
        end: match outcome.end {
            SearchEnd::Found => "found",
            SearchEnd::Exhausted => "exhausted",
            SearchEnd::Nodes => "nodes",
            SearchEnd::Memory => "memory",
            SearchEnd::Interrupted => "interrupted",
        },
        moves: outcome.plan.letters(),
        drops: drops.collect(),
        boards: (boards.len() <= limits::LISTED).then(|| boards.iter().map(notation).collect()),
        expanded: outcome.work.expanded,
    })
}

fn task(request: &PlanRequest) -> Result<PlanTask, ApiError> {
    let shape = request.shape.as_deref().map(str::parse::<Shape>);
    let shape = shape.transpose().map_err(ApiError::request)?;
    let board = request.board.as_deref().map(|text| grid(text, shape));
    let board = board.transpose()?;
    let shape = match (&board, shape) {
        (Some(board), _) => board.shape(),
        (None, Some(shape)) => shape,
        (None, None) => return Err(ApiError::request("give a shape, such as 4x4, or a board")),
    };
    if shape.cells() > limits::PLAN_CELLS {
        let most = limits::PLAN_CELLS;
        let text = format!("plans are for boards up to {most} cells here: use 'tilebase plan'");
        return Err(ApiError::Request(text));
    }
    let rule = request.spawn_rule.as_deref().map(str::parse::<SpawnRule>);
    let rule = rule
        .transpose()
        .map_err(ApiError::Request)?
        .unwrap_or_default();
    let spawn = request.spawn.as_deref().map(str::parse::<Spawn>);
    let spawn = spawn
        .transpose()
        .map_err(ApiError::request)?
        .unwrap_or(Spawn::TWOS);
    let tiles = request.start_tiles.unwrap_or(Variant::START_TILES);
    let start = board.map_or(PlanStart::Tiles(tiles), PlanStart::Board);
    let goal = target(&request.to)?;
    let task =
        PlanTask::new(shape, goal, start, spawn, rule, request.seed).map_err(ApiError::request)?;
    if task.lower_bound() > limits::SLIDES {
        let most = limits::SLIDES;
        let text =
            format!("plans are for goals up to {most} slides away here: use 'tilebase plan'");
        return Err(ApiError::Request(text));
    }
    Ok(task)
}
