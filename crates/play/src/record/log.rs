//! What is written down: the series, and each game of it.

use tilebase_game::{Grid, Move, Variant};

use crate::game::{Ending, Game};
use crate::series::Series;

/// What all games of a file have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordHeader {
    /// The rules.
    pub variant: Variant,
    /// Who played.
    pub player: String,
    /// The seed of all dice.
    pub seed: u64,
    /// How many streams of dice each game has; the first of them is the new tiles'.
    pub streams: u8,
    /// Whether games begin from a position that was given, not from tiles that fell.
    pub given_start: bool,
}

impl RecordHeader {
    /// The header of a series that [`crate::play_series`] plays: the new tiles have dice of
    /// their own, and so has the player.
    pub fn of_series(series: &Series, player: &str) -> RecordHeader {
        RecordHeader {
            variant: series.variant,
            player: player.to_owned(),
            seed: series.seed,
            streams: 2,
            given_start: false,
        }
    }
}

/// One move and the tile that fell after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The slide.
    pub m: Move,
    /// The new tile's place among the cells that were empty after the slide, in reading
    /// order from 0.
    pub place: u16,
    /// The new tile's exponent.
    pub exponent: u8,
}

/// A game from its start to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameLog {
    /// Its number in the series, from 0.
    pub index: u64,
    /// The position before the first move.
    pub start: Grid,
    /// The moves.
    pub steps: Vec<Step>,
    /// The final score.
    pub score: u128,
    /// How it ended; `None` if it was given up.
    pub ending: Option<Ending>,
}

impl GameLog {
    /// The log of a game that has not begun.
    pub fn new(index: u64, game: &Game) -> GameLog {
        GameLog {
            index,
            start: game.grid().clone(),
            steps: Vec::new(),
            score: game.score(),
            ending: None,
        }
    }

    /// Takes in the move that has just been made in a game.
    pub fn push(&mut self, m: Move, game: &Game) {
        // After a legal slide there is always room for a tile.
        let Some((row, col)) = game.spawned() else {
            return;
        };
        let cols = usize::from(game.grid().shape().cols());
        let at = usize::from(row) * cols + usize::from(col);
        let before = &game.grid().exponents()[..at];
        self.steps.push(Step {
            m,
            // At most 1,024 cells, so the number fits.
            place: before.iter().filter(|&&e| e == 0).count() as u16,
            exponent: game.grid().get(row, col),
        });
    }

    /// Takes in how a game stands that goes on no more.
    pub fn close(&mut self, game: &Game) {
        self.score = game.score();
        self.ending = game.ending();
    }
}
