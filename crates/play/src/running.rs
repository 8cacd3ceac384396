//! A game of a series while it is played.

use std::time::{Duration, Instant};

use tilebase_game::{Move, Rng};

use crate::game::Game;
use crate::record::GameLog;
use crate::series::Series;

/// A game of a series, its moves and its time.
pub(crate) struct Running {
    pub game: Game,
    pub log: Option<GameLog>,
    begin: Instant,
    /// From the start to the first 2048.
    pub to_2048: Option<Duration>,
}

/// The random numbers of a game: stream 0 is for the spawns, 1 for the player.
pub(crate) fn stream(series: &Series, index: u64, which: u64) -> Rng {
    Rng::for_game(series.seed, index.wrapping_mul(2).wrapping_add(which))
}

impl Running {
    /// Game number `index` before its first move. Its moves are logged if `logged`.
    pub fn new(series: &Series, index: u64, logged: bool) -> Running {
        let begin = Instant::now();
        let spawns = stream(series, index, 0);
        let game = match &series.start {
            Some(start) => Game::from_position(series.variant, start.clone(), spawns),
            None => Game::new(series.variant, spawns),
        };
        Running {
            log: logged.then(|| GameLog::new(index, &game)),
            game,
            begin,
            to_2048: None,
        }
    }

    /// Makes the chosen move. `false` if there is none or it is not legal: the player gives up.
    pub fn make(&mut self, chosen: Option<Move>) -> bool {
        let Some(m) = chosen.filter(|&m| self.game.slide(m)) else {
            return false;
        };
        if self.game.moves_to_2048() == Some(self.game.moves()) {
            self.to_2048 = Some(self.begin.elapsed());
        }
        if let Some(log) = &mut self.log {
            log.push(m, &self.game);
        }
        true
    }

    /// The time since it began.
    pub fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }
}
