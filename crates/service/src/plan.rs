//! Plans: short sequences of slides to a tile when spawns are known.

use schemars::JsonSchema;
use serde::Deserialize;
use tilebase_game::{Grid, Shape, Spawn, Variant, tile_value};
use tilebase_plan::{
    Heuristic, PlanOptions, PlanOutcome, PlanStart, PlanTask, RingCorners, SearchEnd, SearchLimits,
    SearchMethod, SpawnRule, guarantee, plan,
};
use tilebase_schema as schema;
use tilebase_util::progress::Moment;

use crate::deadline::Deadline;
use crate::error::ApiError;
use crate::limits;
use crate::probed::notation;
use crate::question::{Question, text};
use crate::service::{Response, Service};
use crate::spawns::cell;
use crate::table_id::{grid, target};

/// `GET /api/v1/plan`
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanRequest {
    /// Rows and columns; not needed with a board of tile values.
    #[schemars(with = "Option<text::Shape>")]
    shape: Option<String>,
    /// The target tile.
    to: String,
    /// Who says what spawns; the first empty cell without it.
    #[schemars(with = "Option<schema::SpawnRule>")]
    spawn_rule: Option<String>,
    /// How tiles spawn, such as `2:0.9,4:0.1`; only 2s without it.
    spawn: Option<String>,
    /// Seed of the dice.
    #[serde(default)]
    seed: u64,
    /// The first board; start tiles without it.
    #[schemars(with = "Option<text::Board>")]
    board: Option<String>,
    /// Tiles on the board at the start; 2 without it.
    start_tiles: Option<u16>,
}

impl Question for PlanRequest {
    const PATH: &str = "plan";
    const SUMMARY: &str = "A short sequence of slides to a tile when spawns are known";
    const EXAMPLE: &str = "shape=4x4&to=64";
    type Answer = schema::Plan;

    fn answer(&self, service: &Service) -> Result<Response, ApiError> {
        let deadline = Deadline::new(limits::THINKING_TIME, &service.stop);
        Response::json(find(self, &deadline)?)
    }
}

fn find(request: &PlanRequest, deadline: &Deadline) -> Result<schema::Plan, ApiError> {
    let begin = Moment::now();
    let task = task(request)?;
    let options = PlanOptions {
        limits: SearchLimits {
            nodes: u64::MAX,
            memory: limits::THINKING_MEMORY,
        },
        ..PlanOptions::default()
    };
    let outcome = if task.rule() == SpawnRule::Worst {
        guarantee(&task, options.limits, deadline)
            .ok_or_else(|| ApiError::request("spawn_rule=worst is for boards up to 4x4"))?
    } else {
        plan(&task, &options, deadline)
    };
    // The searches have rules of their own, so a plan is replayed by those of grids.
    let boards = if outcome.reached {
        outcome.plan.replay(&task)
    } else {
        outcome.plan.walk(&task)
    };
    let boards = boards.map_err(|error| ApiError::Work(format!("replaying the plan: {error}")))?;
    let listed = boards.len() <= limits::LISTED_BOARDS;
    let seconds = begin.elapsed().as_secs_f64();
    Ok(plan_answer(
        &task, &options, &outcome, &boards, listed, seconds,
    ))
}

/// A plan as answers give it. `boards` are its boards from the first to the last; they and the
/// spawns are part of the answer if they are to be `listed`, and spawns that the planner or the
/// adversary chose always are.
pub fn plan_answer(
    task: &PlanTask,
    options: &PlanOptions,
    outcome: &PlanOutcome,
    boards: &[Grid],
    listed: bool,
    seconds: f64,
) -> schema::Plan {
    let plan = &outcome.plan;
    let worst = task.rule() == SpawnRule::Worst;
    let chosen = matches!(task.rule(), SpawnRule::Best | SpawnRule::Worst);
    let uses_heuristic = !worst && options.method != SearchMethod::Breadth;
    let last = boards.last().unwrap_or(&plan.start);
    let spawns = plan.drops.iter().map(|drop| schema::SpawnedTile {
        cell: cell(drop.row, drop.col, task.shape()),
        tile: tile_value(drop.exponent),
    });
    schema::Plan {
        shape: task.shape().to_string(),
        to: tile_value(task.goal()),
        spawn_rule: spawn_rule(task.rule()),
        spawn: task.spawn().to_string(),
        seed: (!chosen).then_some(task.seed()),
        start: notation(&plan.start),
        method: match worst {
            true => schema::PlanMethod::Guarantee,
            false => search_method(options.method),
        },
        heuristic: uses_heuristic.then(|| options.heuristic.name().to_owned()),
        corners: (options.heuristic == Heuristic::AdjacentPropagation).then_some(
            match options.corners {
                RingCorners::Once => 1,
                RingCorners::Twice => 2,
            },
        ),
        width: outcome.width.or(options.width),
        weight: (options.method == SearchMethod::Weighted)
            .then_some(f64::from(options.weight) / 100.0),
        reached: outcome.reached,
        reachable: match (outcome.reached, outcome.unreachable) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        },
        optimal: outcome.optimal,
        steps: outcome.reached.then_some(plan.steps()),
        lower_bound: outcome.lower_bound,
        end: search_end(outcome.end),
        moves: plan.letters(),
        spawns: (chosen || listed).then(|| spawns.collect()),
        board: notation(last),
        largest: tile_value(last.max_exponent()),
        boards: listed.then(|| boards.iter().map(notation).collect()),
        expanded: outcome.work.expanded,
        stored: outcome.work.stored,
        bytes_per_node: outcome.work.bytes_per_node(),
        seconds,
    }
}

fn spawn_rule(rule: SpawnRule) -> schema::SpawnRule {
    match rule {
        SpawnRule::First => schema::SpawnRule::First,
        SpawnRule::Random => schema::SpawnRule::Random,
        SpawnRule::Best => schema::SpawnRule::Best,
        SpawnRule::Worst => schema::SpawnRule::Worst,
    }
}

fn search_method(method: SearchMethod) -> schema::PlanMethod {
    match method {
        SearchMethod::Beam => schema::PlanMethod::Beam,
        SearchMethod::AStar => schema::PlanMethod::Astar,
        SearchMethod::Weighted => schema::PlanMethod::Weighted,
        SearchMethod::Greedy => schema::PlanMethod::Greedy,
        SearchMethod::Breadth => schema::PlanMethod::Breadth,
    }
}

fn search_end(end: SearchEnd) -> schema::PlanEnd {
    match end {
        SearchEnd::Found => schema::PlanEnd::Found,
        SearchEnd::Exhausted => schema::PlanEnd::Exhausted,
        SearchEnd::Nodes => schema::PlanEnd::Nodes,
        SearchEnd::Memory => schema::PlanEnd::Memory,
        SearchEnd::Interrupted => schema::PlanEnd::Interrupted,
    }
}

fn task(request: &PlanRequest) -> Result<PlanTask, ApiError> {
    let shape = request.shape.as_deref().map(str::parse::<Shape>);
    let shape = shape.transpose().map_err(ApiError::request)?;
    let board = request.board.as_deref().map(|text| grid(text, shape));
    let board = board.transpose()?;
    let shape = match (&board, shape) {
        (Some(board), _) => board.shape(),
        (None, Some(shape)) => shape,
        (None, None) => {
            return Err(ApiError::request(
                "shape or board is missing, such as shape=4x4",
            ));
        }
    };
    if shape.cells() > limits::PLAN_CELLS {
        let most = limits::PLAN_CELLS;
        return Err(ApiError::Request(format!(
            "the shape {shape} is too large: plans are for boards of up to {most} cells"
        )));
    }
    let rule = request.spawn_rule.as_deref().map(str::parse::<SpawnRule>);
    let rule = rule.transpose().map_err(ApiError::request)?;
    let spawn = request.spawn.as_deref().map(str::parse::<Spawn>);
    let spawn = spawn.transpose().map_err(ApiError::request)?;
    let tiles = request.start_tiles.unwrap_or(Variant::START_TILES);
    let start = board.map_or(PlanStart::Tiles(tiles), PlanStart::Board);
    let goal = target(&request.to)?;
    let (rule, spawn) = (rule.unwrap_or_default(), spawn.unwrap_or(Spawn::TWOS));
    let task = PlanTask::new(shape, goal, start, spawn, rule, request.seed);
    let task = task.map_err(ApiError::request)?;
    if task.lower_bound() > limits::PLAN_SLIDES {
        let (least, most) = (task.lower_bound(), limits::PLAN_SLIDES);
        return Err(ApiError::Request(format!(
            "the target is at least {least} slides away: plans are for up to {most}"
        )));
    }
    Ok(task)
}
