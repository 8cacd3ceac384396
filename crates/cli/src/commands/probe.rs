//! `tilebase probe`: positions of a table.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use tilebase_game::Representative;
use tilebase_schema::{
    Category, Direction, Move, Position, Source, StartPosition, StartPositions, Status, Value,
};
use tilebase_service::probed::ProbedTable;
use tilebase_table::{Table, TableError};

use super::batch;
use crate::failure::Failure;
use crate::output::{self, probability};
use crate::picture;

/// Look up positions in a table: their values, and the values of their moves
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase probe tables/3x3-512 --board 2,2,4/.,.,./.,.,8
  tilebase probe tables/3x3-512 --board 0x112000003 --json
  tilebase probe tables/3x3-512 --start                 all start positions
  tilebase probe tables/3x3-512 < boards.txt            one board a line, one JSON object a line

Moves are listed best first. 'loss' is how much worse a move is than the best one: for the objective
moves, how many more moves the win takes on average.")]
pub struct Probe {
    /// Directory of the table
    table: PathBuf,

    /// The position: 0x0132 or .,2/8,4; without it, one position for each line of stdin
    #[arg(long, value_name = "BOARD")]
    board: Option<String>,

    /// All start positions
    #[arg(long, conflicts_with = "board")]
    start: bool,
}

impl Probe {
    /// Prints the positions.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        let table = open(&self.table)?;
        if self.start {
            let answer = start(&table)?;
            return output::print(json, &answer, start_text);
        }
        if let Some(text) = &self.board {
            let answer = answer(&table, text)?;
            return output::print(json, &answer, text_of);
        }
        batch::answer_lines(|line| answer(&table, line))
    }
}

/// Opens a table for a command.
pub fn open(dir: &Path) -> Result<Table, Failure> {
    Table::open(dir).map_err(failure)
}

/// An error of a table, as the program reports it.
pub fn failure(error: TableError) -> Failure {
    error.into()
}

/// Turns the probes of a table into answers.
pub fn probed(table: &Table) -> ProbedTable<'_> {
    ProbedTable {
        table,
        source: Source::Table,
    }
}

fn answer(table: &Table, text: &str) -> Result<Position, Failure> {
    let grid = table.variant().parse_grid(text).map_err(Failure::request)?;
    let board = grid.pack().ok_or_else(|| {
        Failure::request("the board has a tile above 32768, which no table has: use smaller tiles")
    })?;
    let probe = table.probe(board).map_err(failure)?;
    Ok(probed(table).position(&grid, &probe))
}

fn text_of(position: &Position) -> String {
    let mut text = picture::tiles(&position.tiles);
    let value = match (position.value.value, moves_to_win(&position.value)) {
        (Some(_), Some((moves, win))) => {
            format!("{moves:.9} moves to the win, which has probability {win}")
        }
        (Some(_), None) => format!("value {}", number(&position.value)),
        (None, _) => String::new(),
    };
    let line = [value.as_str(), remark(position)];
    let line: Vec<&str> = line.into_iter().filter(|part| !part.is_empty()).collect();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{}", line.join(": "));
    for m in &position.moves {
        let value = match moves_to_win(&m.value) {
            Some((moves, win)) => format!("{moves:.9} ({win})"),
            None => number(&m.value),
        };
        let now = if m.wins_now { ", wins at once" } else { "" };
        let _ = writeln!(
            text,
            "  {:<6}{value:<24}{}{now}",
            m.direction,
            comparison(m)
        );
    }
    text
}

/// What is to be said about a position beside its value.
fn remark(position: &Position) -> &'static str {
    match (position.status, position.value.category) {
        (Status::Won, _) => "won: the target is on the board",
        (Status::Lost, _) if position.game.walls.walls.is_some() => "lost: no slide is allowed",
        (Status::Lost, _) => "lost: no slide changes the board",
        (Status::Unreachable, _) if position.exact => {
            "this position cannot arise in the game, but all that follows can"
        }
        (Status::Unreachable, _) => "this position cannot arise in the game",
        (Status::Live, Some(Category::SureWin)) => "a sure win",
        (Status::Live, Some(Category::SureLoss)) => "a sure loss",
        (Status::Live, _) => "",
    }
}

/// How a move compares with the others.
fn comparison(m: &Move) -> String {
    match (m.same_as, m.is_best, m.loss) {
        (Some(other), ..) => format!("same as {other}"),
        (None, Some(true), _) => "best".to_owned(),
        (None, _, Some(loss)) => format!("loses {loss:.3e}"),
        (None, ..) => String::new(),
    }
}

/// The number of moves and the probability of winning, where the value is that pair.
fn moves_to_win(value: &Value) -> Option<(f64, String)> {
    let (moves, win, complement) = (value.value?, value.win?, value.complement?);
    (moves != win).then(|| (moves, probability(win, complement)))
}

fn number(value: &Value) -> String {
    match (value.value, value.complement) {
        (Some(value), Some(complement)) => probability(value, complement),
        (Some(value), None) => format!("{value:.12}"),
        (None, _) => "unknown".to_owned(),
    }
}

fn start(table: &Table) -> Result<StartPositions, Failure> {
    let variant = table.variant();
    let states = table.rules().start_states(
        variant.spawn(),
        variant.start_tiles(),
        Representative::Canonical,
    );
    let mut positions = Vec::new();
    for (board, probability) in states {
        let probe = table.probe(board).map_err(failure)?;
        positions.push(StartPosition {
            probability,
            position: probed(table).position(&board.unpack(variant.shape()), &probe),
        });
    }
    positions.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    Ok(StartPositions { positions })
}

fn start_text(answer: &StartPositions) -> String {
    let positions = answer.positions.iter();
    let width = positions.map(|start| start.position.tiles.len()).max();
    let width = width.unwrap_or(0);
    let mut text = String::new();
    for StartPosition {
        probability,
        position,
    } in &answer.positions
    {
        let best = position.moves.iter().filter(|m| m.is_best == Some(true));
        let best: Vec<&str> = best.map(|m| Direction::name(m.direction)).collect();
        let value = match (position.value.value, moves_to_win(&position.value)) {
            (Some(_), Some((moves, _))) => format!("{moves:.9}"),
            (Some(value), None) if position.value.complement.is_none() => format!("{value:.9}"),
            (Some(_), None) => number(&position.value),
            (None, _) => "none".to_owned(),
        };
        let _ = writeln!(
            text,
            "{:<width$}  probability {probability:.6}  value {value}  {}",
            position.tiles,
            best.join(" or ")
        );
    }
    text
}
