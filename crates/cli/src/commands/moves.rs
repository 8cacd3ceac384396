//! `tilebase moves`: everything that can happen in a position.

use std::fmt::Write;

use clap::Args;
use tilebase_game::{Grid, Move, Shape, Spawn, tile_value};
use tilebase_schema::{self as schema, Direction, MoveOutcomes, Moves, Outcome, Status, Value};

use crate::failure::Failure;
use crate::output::{self, notation};
use crate::picture;

/// List the legal moves of a position and everything that can spawn after them
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase moves --board .,2/8,4
  tilebase moves --board 0x0132 1x4 --outcomes
  tilebase moves --board 2,2,4/.,.,./.,.,8 --spawn 2:1 --json

Moves that lead to the same position up to symmetry are called equivalent.")]
pub struct MovesCommand {
    /// The position: 0x0132 or .,2/8,4
    #[arg(long, value_name = "BOARD")]
    board: String,

    /// Rows and columns; needed for hex boards that are not square
    shape: Option<Shape>,

    /// How new tiles spawn
    #[arg(long, value_name = "RULE", default_value_t = Spawn::STANDARD)]
    spawn: Spawn,

    /// List every outcome of the spawn (JSON always does)
    #[arg(long)]
    outcomes: bool,
}

impl MovesCommand {
    /// Prints the moves.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        let grid = Grid::parse(&self.board, self.shape).map_err(Failure::request)?;
        let answer = self.answer(&grid);
        output::print(json, &answer, |answer| self.text(&grid, answer))
    }

    fn answer(&self, grid: &Grid) -> Moves {
        let mut classes: Vec<(Grid, Move)> = Vec::new();
        let moves = Move::ALL.into_iter().filter_map(|m| {
            let (afterstate, score) = grid.after(m)?;
            let class = afterstate.canonical();
            let same_as = classes.iter().find(|(other, _)| *other == class);
            let same_as = same_as.map(|(_, m)| Direction::from(*m));
            classes.push((class, m));
            Some(MoveOutcomes {
                played: schema::Move {
                    same_as,
                    ..schema::Move::unvalued(m.into(), score, notation(&afterstate))
                },
                outcomes: self.outcomes(&afterstate),
            })
        });
        Moves {
            shape: grid.shape().to_string(),
            board: notation(grid),
            tiles: grid.to_string(),
            sum: grid.sum(),
            largest: tile_value(grid.max_exponent()),
            status: match grid.is_lost() {
                true => Status::Lost,
                false => Status::Live,
            },
            spawn: self.spawn.to_string(),
            moves: moves.collect(),
        }
    }

    fn outcomes(&self, afterstate: &Grid) -> Vec<Outcome> {
        let cols = u16::from(afterstate.shape().cols());
        let outcomes = afterstate.spawns(self.spawn).map(|outcome| Outcome {
            cell: u16::from(outcome.row) * cols + u16::from(outcome.col),
            tile: tile_value(outcome.exponent),
            probability: outcome.probability,
            board: notation(&outcome.board),
            value: Value::default(),
        });
        outcomes.collect()
    }

    fn text(&self, grid: &Grid, answer: &Moves) -> String {
        let mut text = format!(
            "{} board, sum {}, largest tile {}, {}\n\n{}",
            answer.shape,
            answer.sum,
            answer.largest,
            match answer.moves.len() {
                0 => "lost: no slide changes it".to_owned(),
                1 => "1 legal move".to_owned(),
                n => format!("{n} legal moves"),
            },
            picture::board(grid),
        );
        for &direction in Direction::ALL {
            let found = answer.moves.iter();
            let mut found = found.filter(|m| m.played.direction == direction);
            // Writing to a string cannot fail.
            let _ = match found.next() {
                None => writeln!(text, "\n{direction:<6} not legal"),
                Some(m) => self.write_move(&mut text, grid.shape(), answer, m),
            };
        }
        text
    }

    fn write_move(
        &self,
        text: &mut String,
        shape: Shape,
        answer: &Moves,
        MoveOutcomes { played, outcomes }: &MoveOutcomes,
    ) -> std::fmt::Result {
        let others = equivalent(answer, played);
        let others = match others.as_slice() {
            [] => String::new(),
            others => format!(", equivalent to {}", others.join(" and ")),
        };
        writeln!(
            text,
            "\n{:<6} score {}{others}",
            played.direction, played.score
        )?;
        if let Ok(afterstate) = Grid::parse(&played.afterstate, Some(shape)) {
            let (picture, line) = (picture::board(&afterstate), self.spawn_line(&afterstate));
            writeln!(text, "{picture}       {line}")?;
        }
        if self.outcomes {
            let cols = u16::from(shape.cols());
            for outcome in outcomes {
                writeln!(
                    text,
                    "       {:<8.6}  {} in row {}, column {}  {}",
                    outcome.probability,
                    outcome.tile,
                    outcome.cell / cols + 1,
                    outcome.cell % cols + 1,
                    outcome.board
                )?;
            }
        }
        Ok(())
    }

    /// What can spawn where, in a line.
    fn spawn_line(&self, afterstate: &Grid) -> String {
        let empty = afterstate.empty_cells().count();
        let tiles = self.spawn.exponents().map(|e| {
            let each = self.spawn.probability(e) / empty as f64;
            format!("a {} with probability {each:.6}", tile_value(e))
        });
        let cells = match empty {
            1 => "1 empty cell: ".to_owned(),
            n => format!("{n} empty cells, in each "),
        };
        cells + &tiles.collect::<Vec<_>>().join(" or ")
    }
}

/// The other moves that lead to the same position up to symmetry.
fn equivalent(answer: &Moves, played: &schema::Move) -> Vec<&'static str> {
    let class = |m: &schema::Move| m.same_as.unwrap_or(m.direction);
    let moves = answer.moves.iter().map(|m| &m.played);
    let others = moves.filter(|m| m.direction != played.direction && class(m) == class(played));
    others.map(|m| m.direction.name()).collect()
}
