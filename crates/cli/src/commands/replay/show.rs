//! One recorded game, position by position.

use std::fmt::Write;

use serde::Serialize;
use tilebase_game::{Grid, tile_value};
use tilebase_play::{
    Ending, GameLog, Reader, RecordError, RecordHeader, Replay as Positions, Step,
};

use super::Replay;
use crate::animation;
use crate::failure::Failure;
use crate::output::{self, grouped, notation};
use crate::picture;

#[derive(Serialize)]
struct Answer {
    file: std::path::PathBuf,
    variant: String,
    player: String,
    seed: u64,
    game: u64,
    moves: u64,
    score: u128,
    ending: &'static str,
    positions: Vec<Position>,
}

/// A position, and the move and the tile that led to it.
#[derive(Serialize)]
pub struct Position {
    #[serde(rename = "move")]
    number: u64,
    slide: Option<&'static str>,
    tile: Option<u128>,
    row: Option<u8>,
    column: Option<u8>,
    score: u128,
    board: String,
    #[serde(skip)]
    grid: Grid,
}

/// Shows a game, counted from 1.
pub fn run(request: &Replay, game: u64, json: bool) -> Result<(), Failure> {
    let (header, log) = find(request, game)?;
    let moves = log.steps.len() as u64;
    if request.from > moves {
        return Err(Failure::request(format!(
            "game {game} has {moves} moves: use --from 0 to {moves}"
        )));
    }
    let mut positions = positions(&header, &log)
        .map_err(|fault| request.failure(RecordError::Broken { game, fault }))?;
    if request.watch {
        if !animation::is_possible() {
            return Err(Failure::request(
                "watching needs a terminal: use one, or leave --watch out",
            ));
        }
        let title = format!(
            "game {game} of {} by {}, seed {}",
            header.variant, header.player, header.seed
        );
        let shown = positions
            .iter()
            .filter(|position| chosen(request, position.number, moves));
        animation::run(&title, shown.map(Position::text), request.delay)?;
    }
    positions.retain(|position| {
        if request.last || request.watch {
            position.number == moves
        } else {
            chosen(request, position.number, moves)
        }
    });
    let answer = Answer {
        file: request.file.clone(),
        variant: header.variant.to_string(),
        player: header.player,
        seed: header.seed,
        game,
        moves,
        score: log.score,
        ending: match log.ending {
            Some(Ending::Won) => "won",
            Some(Ending::Lost) => "lost",
            None => "given-up",
        },
        positions,
    };
    output::print(json, &answer, Answer::text)
}

/// Whether a position is one of those asked for.
fn chosen(request: &Replay, number: u64, last: u64) -> bool {
    let due = |from: u64| {
        number
            .checked_sub(from)
            .is_some_and(|n| n % request.every == 0)
    };
    due(request.from) || number == last
}

/// Reads the file up to a game.
fn find(request: &Replay, game: u64) -> Result<(RecordHeader, GameLog), Failure> {
    let failure = |error| request.failure(error);
    let mut reader = Reader::new(request.reader()?).map_err(failure)?;
    let mut games = 0;
    while let Some(log) = reader.next_game().map_err(failure)? {
        games += 1;
        if games == game {
            return Ok((reader.header().clone(), log));
        }
    }
    let name = request.file.display();
    Err(Failure::Request(match games {
        0 => format!("there is no game in {name}"),
        1 => format!("there is one game in {name}: use --game 1"),
        games => format!("there are {games} games in {name}: use --game 1 to {games}"),
    }))
}

/// All positions of a game, also where it departs from the rules only at its end.
fn positions(header: &RecordHeader, log: &GameLog) -> Result<Vec<Position>, tilebase_play::Fault> {
    let mut replay = Positions::new(header, log)?;
    let mut found = vec![Position::new(&replay, None)];
    while let Some(step) = replay.step() {
        found.push(Position::new(&replay, Some(step?)));
    }
    log.check(header)?;
    Ok(found)
}

impl Position {
    fn new(replay: &Positions, step: Option<Step>) -> Position {
        let cell = replay.spawned();
        Position {
            number: replay.moves(),
            slide: step.map(|step| step.m.name()),
            tile: step.map(|step| tile_value(step.exponent)),
            row: cell.map(|(row, _)| row + 1),
            column: cell.map(|(_, col)| col + 1),
            score: replay.score(),
            board: notation(replay.grid()),
            grid: replay.grid().clone(),
        }
    }

    /// A line about the move, and the board.
    pub fn text(&self) -> String {
        let board = picture::board(&self.grid);
        match (self.slide, self.tile, self.row, self.column) {
            (Some(slide), Some(tile), Some(row), Some(column)) => format!(
                "move {}: {slide}, a {tile} in row {row}, column {column}, score {}\n{board}",
                self.number,
                grouped(self.score)
            ),
            _ => format!("start\n{board}"),
        }
    }
}

impl Answer {
    fn text(&self) -> String {
        let mut text = format!(
            "game {} of {} by {}, seed {}\n\n",
            self.game, self.variant, self.player, self.seed
        );
        for position in &self.positions {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{}", position.text());
        }
        let ending = match self.ending {
            "given-up" => "given up",
            ending => ending,
        };
        let _ = writeln!(
            text,
            "{ending} after {} moves, score {}",
            grouped(self.moves.into()),
            grouped(self.score)
        );
        text
    }
}
