//! Lines of play in games that no table covers: every move is searched.

use tilebase_game::{Grid, Rng, tile_value};
use tilebase_schema::{Line, LineEnd, LineMove, SpawnRule, Value};
use tilebase_util::progress::Progress;

use crate::analysis::Analysis;
use crate::deadline::Deadline;
use crate::error::ApiError;
use crate::limits;
use crate::probed::{game, notation};
use crate::searchers::Effort;
use crate::spawns::cell;

/// A line from a board, or from a random start without one. It ends early when time is up.
pub fn follow(
    analysis: &Analysis<'_>,
    board: Option<&str>,
    seed: u64,
    plies: u32,
    effort: Effort,
) -> Result<Line, ApiError> {
    let variant = &analysis.id.variant;
    let shape = variant.shape();
    let mut dice = Rng::for_game(seed, 0);
    let mut grid = match board {
        Some(text) => analysis.grid(text)?,
        None => {
            let mut grid = Grid::empty(shape);
            for _ in 0..variant.start_tiles() {
                grid.spawn(variant.spawn(), &mut dice);
            }
            grid
        }
    };
    let search = analysis.search(effort)?;
    let deadline = Deadline::new(limits::SEARCH, &analysis.service.stop);
    let mut line = Line {
        game: game(variant),
        start: notation(&grid),
        spawn_rule: SpawnRule::Random,
        seed,
        moves: Vec::new(),
        board: String::new(),
        value: Value::default(),
        end: LineEnd::Plies,
        score: 0,
    };
    loop {
        let position = search.position(&grid);
        line.board = notation(&grid);
        line.value = position.value;
        let Some(best) = position.moves.into_iter().next() else {
            line.end = LineEnd::Lost;
            return Ok(line);
        };
        if line.moves.len() >= plies as usize || deadline.interrupted() {
            return Ok(line);
        }
        line.score += best.score;
        grid = analysis.grid(&best.afterstate)?;
        let wins = best.wins_now;
        let mut played = LineMove {
            ply: line.moves.len(),
            board: line.board.clone(),
            played: best,
            cell: None,
            tile: None,
        };
        if wins {
            line.board = notation(&grid);
            line.end = LineEnd::Won;
            line.moves.push(played);
            return Ok(line);
        }
        if let Some((row, col)) = grid.spawn(variant.spawn(), &mut dice) {
            played.cell = Some(cell(row, col, shape));
            played.tile = Some(tile_value(grid.get(row, col)));
        }
        line.moves.push(played);
    }
}
