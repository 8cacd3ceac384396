//! `tilebase checkerboard`: boards filled with an alternating pattern of 2s and 4s.

mod ending;
mod example;
mod pattern;

use clap::{ArgGroup, Args};
use tilebase_game::Shape;
use tilebase_prove::checkerboard::{CheckerboardError, Corner, DropPlacement};

use crate::arguments::MemoryOptions;
use crate::failure::Failure;

/// Bytes per position, with its entry in the next layer and the spare room of the hash tables.
const POSITION_BYTES: u64 = 128;

/// Decide whether a board can be filled with alternating 2s and 4s, like a checkerboard
#[derive(Args)]
#[command(
    group = ArgGroup::new("task").args(["count", "construction", "fill", "dead_end"]),
    after_help = "Examples:
  tilebase checkerboard 3x5                            whether it can be done, and how
  tilebase checkerboard 2x13 --deterministic --count   in how many ways: 98,859
  tilebase checkerboard 3x3 --boards                   the example, board by board
  tilebase checkerboard 3x31 --construction            the sequence known in closed form
  tilebase checkerboard 6x6 --fill                     2s and 4s alone, one corner wrong
  tilebase checkerboard 4x4 --dead-end                 the shortest game to a dead end

The board starts empty, new tiles are 2s, a drop comes first, and no slide may make an 8.
Dropper cooperates, unless --deterministic."
)]
pub struct Checkerboard {
    /// Rows and columns, such as 3x5
    shape: Shape,

    /// New tiles fall into the topmost, then leftmost empty cell
    #[arg(long)]
    deterministic: bool,

    /// Count the sequences of drops and slides
    #[arg(long)]
    count: bool,

    /// Only the pattern with this tile in the upper left corner, 2 or 4
    #[arg(long, value_name = "TILE", value_parser = corner)]
    corner: Option<Corner>,

    /// Give the sequence known in closed form, checked by replay
    #[arg(long)]
    construction: bool,

    /// Take back all games, however many, instead of citing the theorem
    #[arg(long)]
    exhaustive: bool,

    /// Fill the board with 2s and 4s: a checkerboard, at most one corner wrong
    #[arg(long)]
    fill: bool,

    /// Find a short game to a full board without a legal slide; 8s and larger tiles may be made
    #[arg(long)]
    dead_end: bool,

    /// Seed of the search for fillings of larger boards
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Show the boards of the example
    #[arg(long)]
    boards: bool,

    #[command(flatten)]
    memory: MemoryOptions,
}

fn corner(text: &str) -> Result<Corner, String> {
    match text {
        "2" => Ok(Corner::Two),
        "4" => Ok(Corner::Four),
        _ => Err("use 2 or 4".to_owned()),
    }
}

impl Checkerboard {
    /// Prints the answer.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        if (self.fill || self.dead_end) && (self.deterministic || self.corner.is_some()) {
            return Err(Failure::request(
                "--fill and --dead-end let tiles fall anywhere, in any pattern: \
                 leave out --deterministic and --corner",
            ));
        }
        if self.fill {
            self.print_filling(json)
        } else if self.dead_end {
            self.print_dead_end(json)
        } else {
            self.print_patterns(json)
        }
    }

    fn drops(&self) -> DropPlacement {
        if self.deterministic {
            DropPlacement::First
        } else {
            DropPlacement::Anywhere
        }
    }
}

fn failure(error: CheckerboardError) -> Failure {
    match error {
        CheckerboardError::Interrupted => Failure::Interrupted,
        CheckerboardError::TooLarge(_) => Failure::request(error),
        CheckerboardError::TooManyPositions(_) => {
            Failure::Work(format!("{error}: allow more with --memory"))
        }
        CheckerboardError::TooMany => Failure::Work(error.to_string()),
    }
}
