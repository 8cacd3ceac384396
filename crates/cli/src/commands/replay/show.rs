//! One recorded game, position by position.

use std::fmt::Write;

use tilebase_game::{Grid, tile_value};
use tilebase_play::{
    Ending, GameLog, GameReplay, RecordError, RecordHeader, RecordedMove, ReplayError,
};
use tilebase_schema::{GameEnding, ReplayedGame, ReplayedPosition};

use super::Replay;
use crate::animation;
use crate::failure::Failure;
use crate::output::{self, grouped, notation};
use crate::picture;

/// A position, with its grid for the picture.
struct Shown {
    position: ReplayedPosition,
    grid: Grid,
}

/// Shows a game, counted from 1.
pub fn run(request: &Replay, game: u64, json: bool) -> Result<(), Failure> {
    let (header, log) = request.find(game)?;
    let moves = log.moves.len() as u64;
    if request.from > moves {
        return Err(Failure::request(format!(
            "game {game} has {moves} moves: use --from 0 to {moves}"
        )));
    }
    let mut shown = positions(&header, &log)
        .map_err(|error| request.failure(&RecordError::Illegal { game, error }))?;
    if request.watch {
        watch(request, &header, game, moves, &shown)?;
    }
    shown.retain(|shown| {
        if request.last || request.watch {
            shown.position.ply == moves
        } else {
            chosen(request, shown.position.ply, moves)
        }
    });
    let pictures: Vec<String> = shown.iter().map(Shown::text).collect();
    let answer = ReplayedGame {
        file: request.file.clone(),
        variant: header.variant.to_string(),
        player: header.player,
        seed: header.seed,
        game,
        moves,
        score: log.score,
        ending: match log.ending {
            Some(Ending::Won) => GameEnding::Won,
            Some(Ending::Lost) => GameEnding::Lost,
            None => GameEnding::GivenUp,
        },
        positions: shown.into_iter().map(|shown| shown.position).collect(),
    };
    output::print(json, &answer, |answer| text(answer, &pictures))
}

/// Plays the chosen positions back in the terminal.
fn watch(
    request: &Replay,
    header: &RecordHeader,
    game: u64,
    moves: u64,
    shown: &[Shown],
) -> Result<(), Failure> {
    if !animation::is_possible() {
        return Err(Failure::request(
            "watching needs a terminal: use one, or leave --watch out",
        ));
    }
    let title = format!(
        "game {game} of {} by {}, seed {}",
        header.variant, header.player, header.seed
    );
    let chosen = shown
        .iter()
        .filter(|shown| chosen(request, shown.position.ply, moves));
    animation::run(&title, chosen.map(Shown::text), request.delay)
}

/// Whether a position is one of those requested.
fn chosen(request: &Replay, ply: u64, last: u64) -> bool {
    let due = |from: u64| {
        ply.checked_sub(from)
            .is_some_and(|n| n % request.every == 0)
    };
    due(request.from) || ply == last
}

/// All positions of a game that follows the rules.
fn positions(header: &RecordHeader, log: &GameLog) -> Result<Vec<Shown>, ReplayError> {
    let mut replay = GameReplay::new(header, log)?;
    let mut shown = vec![Shown::new(&replay, None)];
    while let Some(recorded) = replay.next_move() {
        shown.push(Shown::new(&replay, Some(recorded?)));
    }
    log.check(header)?;
    Ok(shown)
}

impl Shown {
    fn new(replay: &GameReplay, recorded: Option<RecordedMove>) -> Shown {
        let cols = u16::from(replay.grid().shape().cols());
        let spawned = replay.spawned();
        let position = ReplayedPosition {
            ply: replay.moves(),
            direction: recorded.map(|recorded| recorded.m.into()),
            cell: spawned.map(|(row, col)| u16::from(row) * cols + u16::from(col)),
            tile: recorded.map(|recorded| tile_value(recorded.exponent)),
            score: replay.score(),
            board: notation(replay.grid()),
        };
        Shown {
            position,
            grid: replay.grid().clone(),
        }
    }

    /// A line about the move, and the board.
    fn text(&self) -> String {
        let board = picture::board(&self.grid);
        let at = &self.position;
        let cols = u16::from(self.grid.shape().cols());
        match (at.direction, at.tile, at.cell) {
            (Some(direction), Some(tile), Some(cell)) => format!(
                "move {}: {direction}, a {tile} in row {}, column {}, score {}\n{board}",
                at.ply,
                cell / cols + 1,
                cell % cols + 1,
                grouped(at.score)
            ),
            _ => format!("start\n{board}"),
        }
    }
}

fn text(answer: &ReplayedGame, pictures: &[String]) -> String {
    let mut text = format!(
        "game {} of {} by {}, seed {}\n\n",
        answer.game, answer.variant, answer.player, answer.seed
    );
    for picture in pictures {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{picture}");
    }
    let ending = match answer.ending {
        GameEnding::Won => "won",
        GameEnding::Lost => "lost",
        GameEnding::GivenUp => "given up",
    };
    let _ = writeln!(
        text,
        "{ending} after {} moves, score {}",
        grouped(answer.moves.into()),
        grouped(answer.score)
    );
    text
}
