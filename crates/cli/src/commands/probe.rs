//! `tilebase probe`: the truth about a position.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use tilebase_game::{Grid, Representative};
use tilebase_table::{Probe as Truth, Status, Table, TableError, Value};

use super::batch;
use crate::failure::Failure;
use crate::output::{self, notation, probability};
use crate::picture;

/// Look positions up in a table: their value, and what each move is worth
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase probe tables/3x3-512 --board 2,2,4/.,.,./.,.,8
  tilebase probe tables/3x3-512 --board 0x112000003 --json
  tilebase probe tables/3x3-512 --start                 all start positions
  tilebase probe tables/3x3-512 < boards.txt            one board a line, one JSON object a line

Moves come best first. 'loss' is how much less a move is worth than the best one; for the
objective moves it is how many more moves the win takes on average.")]
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

#[derive(Serialize)]
struct Answer {
    board: String,
    tiles: String,
    standing: &'static str,
    exact: bool,
    value: Option<f64>,
    /// What is missing from the probability of winning to 1.
    complement: Option<f64>,
    win: Option<f64>,
    category: Option<&'static str>,
    moves: Vec<MoveAnswer>,
}

#[derive(Serialize)]
struct MoveAnswer {
    #[serde(rename = "move")]
    name: &'static str,
    value: Option<f64>,
    complement: Option<f64>,
    win: Option<f64>,
    loss: Option<f64>,
    best: bool,
    category: Option<&'static str>,
    wins_now: bool,
    score: u32,
    afterstate: String,
    same_as: Option<&'static str>,
}

#[derive(Serialize)]
struct StartAnswer {
    positions: Vec<StartPosition>,
}

#[derive(Serialize)]
struct StartPosition {
    probability: f64,
    #[serde(flatten)]
    answer: Answer,
}

impl Probe {
    /// Prints what the table knows.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        let table = open(&self.table)?;
        if self.start {
            let answer = start(&table)?;
            return output::print(json, &answer, start_text);
        }
        if let Some(text) = &self.board {
            let answer = answer(&table, text)?;
            return output::print(json, &answer, Answer::text);
        }
        batch::answer_lines(|line| answer(&table, line))
    }
}

/// Opens a table for a command.
pub fn open(dir: &Path) -> Result<Table, Failure> {
    Table::open(dir).map_err(failure)
}

/// What went wrong with a table, as the program reports it.
pub fn failure(error: TableError) -> Failure {
    error.into()
}

fn answer(table: &Table, text: &str) -> Result<Answer, Failure> {
    let shape = table.variant().shape();
    let grid = Grid::parse(text, Some(shape)).map_err(Failure::request)?;
    let board = grid.pack().ok_or_else(|| {
        Failure::request(
            "the board has a tile above 32768, which no table knows: use smaller tiles",
        )
    })?;
    let truth = table.probe(board).map_err(failure)?;
    Ok(Answer::new(table, &grid, &truth))
}

/// The numbers of a value as answers give them.
fn numbers(value: Option<Value>) -> (Option<f64>, Option<f64>, Option<f64>) {
    let chance = value.and_then(|value| value.win);
    let complement = chance.map(|chance| chance.q());
    let win = chance.map(|chance| chance.p());
    (value.and_then(|value| value.value), complement, win)
}

impl Answer {
    fn new(table: &Table, grid: &Grid, truth: &Truth) -> Answer {
        let shape = table.variant().shape();
        let category = |value: Option<Value>| {
            // Without a target every game is lost in the end, which says nothing.
            let target = table.variant().target();
            target.and(value).map(|value| value.category.name())
        };
        let (value, complement, win) = numbers(truth.value);
        Answer {
            board: notation(grid),
            tiles: grid.to_string(),
            standing: truth.status.name(),
            exact: truth.value.is_some(),
            value,
            complement,
            win,
            category: category(truth.value),
            moves: truth
                .moves
                .iter()
                .map(|m| {
                    let (value, complement, win) = numbers(m.value);
                    MoveAnswer {
                        name: m.direction.name(),
                        value,
                        complement,
                        win,
                        loss: m.loss,
                        best: m.best,
                        category: category(m.value),
                        wins_now: m.wins_now,
                        score: m.score,
                        afterstate: notation(&m.afterstate.unpack(shape)),
                        same_as: m.same_as.map(|m| m.name()),
                    }
                })
                .collect(),
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        if let Ok(grid) = Grid::parse(&self.tiles, None) {
            text.push_str(&picture::board(&grid));
        }
        let verdict = match (self.standing, self.category) {
            ("won", _) => "won: the target is on the board".to_owned(),
            ("lost", _) => "lost: no slide changes the board".to_owned(),
            ("unreachable", _) if self.exact => {
                "this position cannot arise in the game, but all that follows can".to_owned()
            }
            ("unreachable", _) => "this position cannot arise in the game".to_owned(),
            (_, Some("sure_win")) => "a sure win".to_owned(),
            (_, Some("sure_loss")) => "a sure loss".to_owned(),
            _ => String::new(),
        };
        let value = match (self.value, self.complement) {
            (Some(value), Some(complement)) if Some(value) == self.win => {
                format!("value {}", probability(value, complement))
            }
            (Some(value), Some(complement)) => format!(
                "{value:.9} moves to the win, which has probability {}",
                probability(self.win.unwrap_or(0.0), complement)
            ),
            (Some(value), None) => format!("value {value:.12}"),
            (None, _) => String::new(),
        };
        let line = [value, verdict].into_iter().filter(|part| !part.is_empty());
        let _ = writeln!(text, "{}", line.collect::<Vec<_>>().join(": "));
        for m in &self.moves {
            let value = match (m.value, m.complement) {
                (Some(value), Some(complement)) if Some(value) == m.win => {
                    probability(value, complement)
                }
                (Some(value), Some(complement)) => format!(
                    "{value:.9} ({})",
                    probability(m.win.unwrap_or(0.0), complement)
                ),
                (Some(value), None) => format!("{value:.12}"),
                (None, _) => "unknown".to_owned(),
            };
            let remark = match (m.best, m.loss, m.same_as) {
                (_, _, Some(other)) => format!("same as {other}"),
                (true, _, _) => "best".to_owned(),
                (false, Some(loss), _) => format!("loses {loss:.3e}"),
                (false, None, _) => String::new(),
            };
            let now = if m.wins_now { ", wins at once" } else { "" };
            let _ = writeln!(text, "  {:<6}{value:<24}{remark}{now}", m.name);
        }
        text
    }
}

fn start(table: &Table) -> Result<StartAnswer, Failure> {
    let variant = table.variant();
    let states = table.rules().start_states(
        variant.spawn(),
        variant.start_tiles(),
        Representative::Canonical,
    );
    let mut positions = Vec::new();
    for (board, probability) in states {
        let truth = table.probe(board).map_err(failure)?;
        debug_assert!(truth.status != Status::Unreachable);
        positions.push(StartPosition {
            probability,
            answer: Answer::new(table, &board.unpack(variant.shape()), &truth),
        });
    }
    positions.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    Ok(StartAnswer { positions })
}

fn start_text(answer: &StartAnswer) -> String {
    let width = answer.positions.iter().map(|p| p.answer.tiles.len()).max();
    let width = width.unwrap_or(0);
    let mut text = String::new();
    for position in &answer.positions {
        let best = position.answer.moves.iter().filter(|m| m.best);
        let best: Vec<&str> = best.map(|m| m.name).collect();
        let value = match (position.answer.value, position.answer.complement) {
            (Some(value), Some(complement)) if Some(value) == position.answer.win => {
                output::probability(value, complement)
            }
            (Some(value), _) => format!("{value:.9}"),
            (None, _) => "none".to_owned(),
        };
        let _ = writeln!(
            text,
            "{:<width$}  falls with {:.6}  value {value}  {}",
            position.answer.tiles,
            position.probability,
            best.join(" or ")
        );
    }
    text
}
