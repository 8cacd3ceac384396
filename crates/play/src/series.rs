//! Many seeded games on all cores.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use tilebase_game::{Rng, Variant};
use tilebase_progress::{Progress, Unit};

use crate::game::{Ending, Game};
use crate::player::MakePlayer;
use crate::summary::Summary;

/// Which games to play. Game number i depends on the seed and i alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Series {
    /// The rules.
    pub variant: Variant,
    /// How many games.
    pub games: u64,
    /// The seed of all their dice.
    pub seed: u64,
}

/// The result of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The final score.
    pub score: u128,
    /// How many moves were made.
    pub moves: u64,
    /// Exponent of the largest tile at the end.
    pub largest: u8,
    /// Whether the target tile was reached.
    pub won: bool,
}

impl From<&Game> for GameRecord {
    fn from(game: &Game) -> GameRecord {
        GameRecord {
            score: game.score(),
            moves: game.moves(),
            largest: game.grid().max_exponent(),
            won: game.ending() == Some(Ending::Won),
        }
    }
}

/// Plays game number `index` of a series.
pub fn play_game(series: &Series, players: &dyn MakePlayer, index: u64) -> GameRecord {
    let dice = |which| Rng::for_game(series.seed, index.wrapping_mul(2).wrapping_add(which));
    let mut game = Game::new(series.variant, dice(0));
    let mut player = players.make(dice(1));
    while game.ending().is_none() {
        let chosen = player.choose(game.grid());
        if !chosen.is_some_and(|m| game.slide(m)) {
            // A player that makes no legal move gives up.
            break;
        }
    }
    GameRecord::from(&game)
}

/// Plays a series on so many threads and sums it up.
///
/// If it is interrupted, games under way are finished and the summary is of the first
/// games of the series, as many as were begun.
pub fn play_series(
    series: &Series,
    players: &dyn MakePlayer,
    threads: usize,
    progress: &dyn Progress,
) -> Summary {
    progress.begin(Unit::Games, Some(series.games));
    let next = AtomicU64::new(0);
    let total = Mutex::new(Summary::default());
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                let mut own = Summary::default();
                while !progress.interrupted() {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= series.games {
                        break;
                    }
                    own.add(&play_game(series, players, index));
                    progress.advance(1);
                }
                // Only a panic elsewhere poisons the lock, and that ends the scope anyway.
                total
                    .lock()
                    .unwrap_or_else(|poisoned| poisoned.into_inner())
                    .merge(&own);
            });
        }
    });
    progress.finish();
    total
        .into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}
