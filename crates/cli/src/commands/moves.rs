//! `tilebase moves`: all that can happen from a position.

use std::fmt::Write;

use clap::Args;
use serde::Serialize;
use tilebase_game::{Grid, Move, Shape, Spawn, tile_value};

use crate::failure::Failure;
use crate::output::{self, notation};
use crate::picture;

/// Show the four slides of a position and everything that can follow
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase moves --board .,2/8,4
  tilebase moves --board 0x0132 1x4 --outcomes
  tilebase moves --board 2,2,4/.,.,./.,.,8 --spawn 2:1 --json

Moves that lead to the same position but for turning and mirroring are named as equivalent.")]
pub struct Moves {
    /// The position: 0x0132 or .,2/8,4
    #[arg(long, value_name = "BOARD")]
    board: String,

    /// Rows and columns; needed for hex boards that are not square
    shape: Option<Shape>,

    /// How new tiles fall
    #[arg(long, value_name = "RULE", default_value_t = Spawn::STANDARD)]
    spawn: Spawn,

    /// List every outcome of the spawn (JSON always does)
    #[arg(long)]
    outcomes: bool,
}

#[derive(Serialize)]
struct Answer {
    shape: String,
    board: String,
    tiles: String,
    sum: u128,
    largest: u128,
    lost: bool,
    spawn: String,
    moves: Vec<MoveAnswer>,
}

#[derive(Serialize)]
struct MoveAnswer {
    #[serde(rename = "move")]
    name: &'static str,
    legal: bool,
    score: Option<u128>,
    afterstate: Option<String>,
    equivalent: Vec<&'static str>,
    outcomes: Vec<OutcomeAnswer>,
}

#[derive(Serialize)]
struct OutcomeAnswer {
    board: String,
    tile: u128,
    row: u8,
    column: u8,
    probability: f64,
}

impl Moves {
    /// Prints the slides.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        let grid = Grid::parse(&self.board, self.shape).map_err(Failure::request)?;
        let after = Move::ALL.map(|m| grid.after(m));
        let answer = self.answer(&grid, &after);
        output::print(json, &answer, |answer| self.text(&grid, &after, answer))
    }

    fn answer(&self, grid: &Grid, after: &[Option<(Grid, u128)>; 4]) -> Answer {
        let class = after
            .each_ref()
            .map(|slide| slide.as_ref().map(|(after, _)| after.canonical()));
        let moves = Move::ALL.map(|m| {
            let slide = after[m.index()].as_ref();
            let twin = |&other: &Move| {
                other != m && slide.is_some() && class[other.index()] == class[m.index()]
            };
            MoveAnswer {
                name: m.name(),
                legal: slide.is_some(),
                score: slide.map(|(_, score)| *score),
                afterstate: slide.map(|(after, _)| notation(after)),
                equivalent: Move::ALL
                    .iter()
                    .filter(|m| twin(m))
                    .map(|m| m.name())
                    .collect(),
                outcomes: slide.map_or(Vec::new(), |(after, _)| self.outcomes(after)),
            }
        });
        Answer {
            shape: grid.shape().to_string(),
            board: notation(grid),
            tiles: grid.to_string(),
            sum: grid.sum(),
            largest: tile_value(grid.max_exponent()),
            lost: grid.is_lost(),
            spawn: self.spawn.to_string(),
            moves: moves.into(),
        }
    }

    fn outcomes(&self, after: &Grid) -> Vec<OutcomeAnswer> {
        after
            .spawns(self.spawn)
            .map(|outcome| OutcomeAnswer {
                board: notation(&outcome.board),
                tile: tile_value(outcome.exponent),
                row: outcome.row + 1,
                column: outcome.col + 1,
                probability: outcome.probability,
            })
            .collect()
    }

    fn text(&self, grid: &Grid, after: &[Option<(Grid, u128)>; 4], answer: &Answer) -> String {
        let legal = answer.moves.iter().filter(|m| m.legal).count();
        let mut text = format!(
            "{} board, sum {}, largest tile {}, {}\n\n{}",
            answer.shape,
            answer.sum,
            answer.largest,
            match legal {
                0 => "lost: no slide changes it".to_owned(),
                1 => "1 legal move".to_owned(),
                n => format!("{n} legal moves"),
            },
            picture::board(grid),
        );
        for (m, slide) in answer.moves.iter().zip(after) {
            // Writing to a string cannot fail.
            let _ = match slide {
                None => write!(text, "\n{:<6} not legal\n", m.name),
                Some((after, score)) => write!(
                    text,
                    "\n{:<6} score {score}{}\n{}       {}\n",
                    m.name,
                    match m.equivalent.as_slice() {
                        [] => String::new(),
                        moves => format!(", equivalent to {}", moves.join(" and ")),
                    },
                    picture::board(after),
                    self.spawn_line(after),
                ),
            };
            if self.outcomes {
                for outcome in &m.outcomes {
                    let _ = writeln!(
                        text,
                        "       {:<8.6}  {} in row {}, column {}  {}",
                        outcome.probability,
                        outcome.tile,
                        outcome.row,
                        outcome.column,
                        outcome.board
                    );
                }
            }
        }
        text
    }

    /// What can fall where, in a line.
    fn spawn_line(&self, after: &Grid) -> String {
        let empty = after.empty_cells().count();
        let tiles: Vec<String> = self
            .spawn
            .exponents()
            .map(|e| {
                let each = self.spawn.probability(e) / empty as f64;
                format!("a {} with probability {each:.6}", tile_value(e))
            })
            .collect();
        let cells = match empty {
            1 => "1 empty cell: ".to_owned(),
            n => format!("{n} empty cells, in each "),
        };
        cells + &tiles.join(" or ")
    }
}
