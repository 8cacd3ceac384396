//! What a record holds: the series, and each game of it.

use tilebase_game::{Grid, Move, Variant};

use crate::game::{Ending, Game};
use crate::series::Series;

/// What all games of a record have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordHeader {
    /// The variant.
    pub variant: Variant,
    /// Name of the player.
    pub player: String,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Random number streams of each game. The first one is for the spawns.
    pub streams: u8,
    /// Whether games start from a given position instead of random start tiles.
    pub given_start: bool,
}

impl RecordHeader {
    /// The header of a series that [`crate::play_series`] plays, with one stream for the spawns
    /// and one for the player.
    pub fn of_series(series: &Series, player: &str) -> RecordHeader {
        RecordHeader {
            variant: series.variant,
            player: player.to_owned(),
            seed: series.seed,
            streams: 2,
            given_start: series.start.is_some(),
        }
    }
}

/// A move and the tile that spawned after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedMove {
    /// The slide.
    pub m: Move,
    /// Which of the empty cells after the slide got the new tile, in reading order from 0.
    pub place: u16,
    /// The new tile's exponent.
    pub exponent: u8,
}

/// A game, move by move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameLog {
    /// Its number in the series, from 0.
    pub index: u64,
    /// The position before the first move.
    pub start: Grid,
    /// The moves.
    pub moves: Vec<RecordedMove>,
    /// The final score.
    pub score: u128,
    /// How it ended; `None` if it was given up.
    pub ending: Option<Ending>,
}

impl GameLog {
    /// The log of a game before its first move.
    pub fn new(index: u64, game: &Game) -> GameLog {
        GameLog {
            index,
            start: game.grid().clone(),
            moves: Vec::new(),
            score: game.score(),
            ending: None,
        }
    }

    /// Adds the move that was just made in the game.
    pub fn push(&mut self, m: Move, game: &Game) {
        // After a legal slide there is always an empty cell.
        let Some((row, col)) = game.spawned() else {
            return;
        };
        let cols = usize::from(game.grid().shape().cols());
        let at = usize::from(row) * cols + usize::from(col);
        let before = &game.grid().exponents()[..at];
        self.moves.push(RecordedMove {
            m,
            // At most 1,024 cells, so the number fits.
            place: before.iter().filter(|&&e| e == 0).count() as u16,
            exponent: game.grid().get(row, col),
        });
    }

    /// Adds the score and the ending of the game.
    pub fn close(&mut self, game: &Game) {
        self.score = game.score();
        self.ending = game.ending();
    }
}
