//! A game to a board, told in JSON and in text.

use std::fmt::Write;

use serde::Serialize;
use tilebase_game::{Grid, Shape, tile_value};
use tilebase_prove::checkerboard::Sequence;

use crate::failure::Failure;
use crate::output::notation;
use crate::picture;

/// Letters and cells that fit a line of text.
const LINE: usize = 96;

/// A game as JSON shows it.
#[derive(Serialize)]
pub struct Story {
    drops: usize,
    slides: String,
    moves: String,
    board: String,
    largest: u128,
    #[serde(skip_serializing_if = "Option::is_none")]
    boards: Option<Vec<String>>,
    #[serde(skip)]
    shown: Vec<Grid>,
}

impl Story {
    /// Replays a game; what does not replay is a fault of this program, and said so.
    pub fn new(shape: Shape, sequence: &Sequence, boards: bool) -> Result<Story, Failure> {
        let replayed = sequence
            .replay(shape)
            .map_err(|error| Failure::work("replaying the sequence", error))?;
        let last = replayed.last().cloned().unwrap_or(Grid::empty(shape));
        Ok(Story {
            drops: sequence.drops.len(),
            slides: sequence.letters(),
            moves: sequence.to_string(),
            board: notation(&last),
            largest: tile_value(last.max_exponent()),
            boards: boards.then(|| replayed.iter().map(notation).collect()),
            shown: if boards { replayed } else { vec![last] },
        })
    }

    /// How many tiles fall.
    pub fn drops(&self) -> usize {
        self.drops
    }

    /// The moves, and the boards that were asked for: each after the slide and the drop that
    /// are named before it.
    pub fn text(&self) -> String {
        let mut text = wrapped(&self.moves);
        let steps = self.moves.split_inclusive(')');
        let steps: Vec<&str> = if self.boards.is_some() {
            steps.collect()
        } else {
            Vec::new()
        };
        for (turn, grid) in self.shown.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = match steps.get(turn) {
                Some(step) => write!(text, "\n{:>5} {step}\n", turn + 1),
                None => writeln!(text),
            };
            text.push_str(&picture::board(grid));
        }
        text
    }
}

/// Moves in lines of their own, split before slides.
fn wrapped(moves: &str) -> String {
    let mut text = String::new();
    let mut line = String::from("   ");
    for step in moves.split_inclusive(')') {
        if line.len() + step.len() > LINE {
            text.push_str(&line);
            text.push('\n');
            line = String::from("   ");
        }
        if line.len() == 3 {
            line.push(' ');
        }
        line.push_str(step);
    }
    text + &line + "\n"
}
