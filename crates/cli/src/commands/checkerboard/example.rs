//! A game to a board, in JSON and in text.

use std::fmt::Write;

use tilebase_game::{Grid, Shape, tile_value};
use tilebase_prove::checkerboard::Sequence;
use tilebase_schema::ExampleGame;

use crate::failure::Failure;
use crate::output::notation;
use crate::picture;

/// Characters of moves per line of text.
const LINE: usize = 96;

/// A game, and the boards that the text shows.
pub struct Example {
    pub game: ExampleGame,
    grids: Vec<Grid>,
}

impl Example {
    /// Replays a game by the rules of grids, which no search uses.
    pub fn new(shape: Shape, sequence: &Sequence, boards: bool) -> Result<Example, Failure> {
        let replayed = sequence
            .replay(shape)
            .map_err(|error| Failure::work("replaying the sequence", error))?;
        let last = replayed.last().cloned().unwrap_or(Grid::empty(shape));
        Ok(Example {
            game: ExampleGame {
                drops: sequence.drops.len(),
                slides: sequence.letters(),
                moves: sequence.to_string(),
                board: notation(&last),
                largest: tile_value(last.max_exponent()),
                boards: boards.then(|| replayed.iter().map(notation).collect()),
            },
            grids: if boards { replayed } else { vec![last] },
        })
    }

    /// The moves, then the last board, or all boards if they were asked for, each below the
    /// slide and the drop that led to it.
    pub fn text(&self) -> String {
        let mut text = wrapped(&self.game.moves);
        let steps = self.game.moves.split_inclusive(')');
        let steps: Vec<&str> = if self.game.boards.is_some() {
            steps.collect()
        } else {
            Vec::new()
        };
        for (at, grid) in self.grids.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = match steps.get(at) {
                Some(step) => write!(text, "\n{:>5} {step}\n", at + 1),
                None => writeln!(text),
            };
            text.push_str(&picture::board(grid));
        }
        text
    }
}

/// Wraps moves before slides.
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
