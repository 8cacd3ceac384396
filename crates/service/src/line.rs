//! Lines of best play.

use schemars::JsonSchema;
use serde::Deserialize;
use tilebase_game::{Board, Rng, Status, tile_value};
use tilebase_schema::{Line, LineEnd, LineMove, SpawnRule, Value};
use tilebase_table::Probe;

use crate::cache::CachedTable;
use crate::error::ApiError;
use crate::limits;
use crate::probed::notation;
use crate::question::{Question, text};
use crate::searched_line;
use crate::searchers::Effort;
use crate::service::{Response, Service};
use crate::spawns::cell;
use crate::table_id;

/// Who says what spawns in a line.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum LineSpawnRule {
    /// Seeded dice.
    #[default]
    Random,
    /// What helps the player most.
    Best,
    /// What hurts the player most.
    Worst,
}

impl From<LineSpawnRule> for SpawnRule {
    fn from(rule: LineSpawnRule) -> SpawnRule {
        match rule {
            LineSpawnRule::Random => SpawnRule::Random,
            LineSpawnRule::Best => SpawnRule::Best,
            LineSpawnRule::Worst => SpawnRule::Worst,
        }
    }
}

/// `GET /api/v1/line`
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LineRequest {
    #[schemars(with = "text::VariantId")]
    variant: String,
    /// The first board; a random start without it.
    #[schemars(with = "Option<text::Board>")]
    board: Option<String>,
    /// Who says what spawns; dice without it.
    #[serde(default)]
    spawn_rule: LineSpawnRule,
    /// Seed of the dice.
    #[serde(default)]
    seed: u64,
    /// Moves at most; 100 without it.
    #[schemars(range(max = limits::PLIES))]
    plies: Option<u32>,
    /// Slides to look ahead in a game that is searched; 1 without it.
    #[schemars(range(min = 1, max = limits::DEPTH))]
    depth: Option<u8>,
}

impl Question for LineRequest {
    const PATH: &str = "line";
    const SUMMARY: &str = "A line of best play";
    const EXAMPLE: &str = "variant=2x2-to-16&seed=1&plies=20";
    type Answer = Line;

    fn table(&self) -> Option<&str> {
        Some(&self.variant)
    }

    fn answer(&self, service: &Service) -> Result<Response, ApiError> {
        let plies = self.plies.unwrap_or(100);
        if plies > limits::PLIES {
            let most = limits::PLIES;
            return Err(ApiError::Request(format!("too many plies: at most {most}")));
        }
        let effort = Effort::of(self.depth.or(Some(1)))?;
        let analysis = service.analysis(&self.variant)?;
        if let Some(cached) = &analysis.table {
            return Response::json(follow(cached, self, plies)?);
        }
        if !matches!(self.spawn_rule, LineSpawnRule::Random) {
            return Err(ApiError::request(
                "in a game that is searched, tiles spawn at random: spawn_rule=random",
            ));
        }
        let board = self.board.as_deref();
        let line = searched_line::follow(&analysis, board, self.seed, plies, effort)?;
        Response::json(line)
    }
}

fn follow(cached: &CachedTable, request: &LineRequest, plies: u32) -> Result<Line, ApiError> {
    let shape = cached.id.variant.shape();
    let mut dice = Rng::for_game(request.seed, 0);
    let mut board = match &request.board {
        Some(text) => table_id::board(text, &cached.id.variant)?.1,
        None => start(cached, &mut dice)?,
    };
    let mut line = Line {
        game: cached.probed().game(),
        start: notation(&board.unpack(shape)),
        spawn_rule: request.spawn_rule.into(),
        seed: request.seed,
        moves: Vec::new(),
        board: String::new(),
        value: Value::default(),
        end: LineEnd::Plies,
        score: 0,
    };
    loop {
        let probe = cached.table.probe(board)?;
        line.value = cached.probed().position_value(&probe);
        line.board = notation(&board.unpack(shape));
        line.end = end(&probe);
        let best = probe.moves.first().filter(|_| line.end == LineEnd::Plies);
        let Some(best) = best.filter(|_| line.moves.len() < plies as usize) else {
            return Ok(line);
        };
        line.score += u128::from(best.score);
        let mut played = LineMove {
            ply: line.moves.len(),
            board: line.board.clone(),
            played: cached.probed().played(&probe, best),
            cell: None,
            tile: None,
        };
        board = best.afterstate;
        if !best.wins_now {
            let (row, col, exponent) = spawn(cached, board, request.spawn_rule, &mut dice)?;
            played.cell = Some(cell(row, col, shape));
            played.tile = Some(tile_value(exponent));
            board = board.with(row, col, exponent);
        }
        line.moves.push(played);
    }
}

/// Why a line would end in a position, if not for its length.
fn end(probe: &Probe) -> LineEnd {
    match probe.status {
        Status::Won => LineEnd::Won,
        Status::Lost => LineEnd::Lost,
        Status::Live | Status::Unreachable if probe.value.is_none() => LineEnd::Unknown,
        Status::Live | Status::Unreachable => LineEnd::Plies,
    }
}

/// A random start.
fn start(cached: &CachedTable, dice: &mut Rng) -> Result<Board, ApiError> {
    let variant = &cached.id.variant;
    let placements = cached.table.rules().wall_placements();
    // Games without walls have one placement, and their dice are not asked for it.
    let walls = match placements.as_slice() {
        [only] => *only,
        several => {
            let at = dice.below(several.len() as u32) as usize;
            several.get(at).copied().unwrap_or(Board::EMPTY)
        }
    };
    let mut grid = walls.unpack(variant.shape());
    for _ in 0..variant.start_tiles() {
        grid.spawn(variant.spawn(), dice);
    }
    let board = grid.pack();
    board.ok_or_else(|| ApiError::request("the shape is too large for a table"))
}

/// The row, the column and the exponent of the tile that spawns.
fn spawn(
    cached: &CachedTable,
    afterstate: Board,
    rule: LineSpawnRule,
    dice: &mut Rng,
) -> Result<(u8, u8, u8), ApiError> {
    let variant = &cached.id.variant;
    if let LineSpawnRule::Random = rule {
        let mut grid = afterstate.unpack(variant.shape());
        let place = grid.spawn(variant.spawn(), dice);
        let (row, col) = place.ok_or_else(no_empty_cell)?;
        return Ok((row, col, grid.get(row, col)));
    }
    let mut chosen = None;
    for outcome in cached.table.rules().spawns(afterstate, variant.spawn()) {
        let value = cached.table.probe(outcome.board)?.value;
        let order = |other| tilebase_table::Value::compare(cached.id.objective, value, other);
        let takes = match (rule, chosen) {
            (_, None) => true,
            (LineSpawnRule::Worst, Some((other, _))) => order(other).is_lt(),
            (_, Some((other, _))) => order(other).is_gt(),
        };
        if takes {
            chosen = Some((value, (outcome.row, outcome.col, outcome.exponent)));
        }
    }
    chosen.map(|(_, place)| place).ok_or_else(no_empty_cell)
}

/// A slide always leaves an empty cell, so a full board is not an afterstate.
fn no_empty_cell() -> ApiError {
    ApiError::request("the board has no empty cell for a tile to spawn in")
}
