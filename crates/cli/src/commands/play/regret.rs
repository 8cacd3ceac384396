//! What a player's moves cost, as `play --table` tells it.

use serde::Serialize;
use tilebase_play::Judgement;
use tilebase_table::Table;

use crate::output;

/// The mean loss of a game against optimal play.
#[derive(Serialize)]
pub struct Regret {
    objective: String,
    /// The sum of the losses of a game's moves, the mean over the games.
    per_game: Option<f64>,
    mistakes_per_game: Option<f64>,
    /// Moves in positions that the table knows.
    moves: u64,
}

impl Regret {
    /// The regret of so many games.
    pub fn new(table: &Table, judgement: &Judgement, games: u64) -> Regret {
        let mean = |total: f64| (games > 0).then(|| total / games as f64);
        Regret {
            objective: table.objective().to_string(),
            per_game: mean(judgement.loss()),
            mistakes_per_game: mean(judgement.mistakes as f64),
            moves: judgement.moves,
        }
    }

    /// The regret in a line.
    pub fn text(&self) -> String {
        match (self.per_game, self.mistakes_per_game) {
            (Some(loss), Some(mistakes)) => format!(
                "  loses {} a game against optimal play ({}), by {mistakes:.2} mistakes\n",
                output::small(loss),
                self.objective
            ),
            _ => String::new(),
        }
    }
}
