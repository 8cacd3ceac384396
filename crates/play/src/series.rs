//! Many seeded games on all cores.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use tilebase_game::{Rng, Variant};
use tilebase_util::progress::{Progress, Unit};

use crate::game::{Ending, Game};
use crate::player::MakePlayer;
use crate::record::GameLog;
use crate::summary::Summary;
use crate::times::Times;

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
    /// After how many moves a 2048 was first made, if one was.
    pub moves_to_2048: Option<u64>,
}

impl From<&Game> for GameRecord {
    fn from(game: &Game) -> GameRecord {
        GameRecord {
            score: game.score(),
            moves: game.moves(),
            largest: game.grid().max_exponent(),
            won: game.ending() == Some(Ending::Won),
            moves_to_2048: game.moves_to_2048(),
        }
    }
}

/// Takes the games of a series as they are finished, by any thread and in any order.
pub trait TakeGame: Sync {
    /// Takes a game; `false` asks for no more games to be begun.
    fn take(&self, game: &GameLog) -> bool;
}

/// A series that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// What it came to: the same on every machine.
    pub summary: Summary,
    /// How long it took.
    pub times: Times,
}

/// Plays game number `index` of a series.
pub fn play_game(series: &Series, players: &dyn MakePlayer, index: u64) -> GameRecord {
    play_one(series, players, index, false, &mut Times::default()).0
}

/// Plays a game, notes how long it took, and logs its moves if that is asked for.
fn play_one(
    series: &Series,
    players: &dyn MakePlayer,
    index: u64,
    logged: bool,
    times: &mut Times,
) -> (GameRecord, Option<GameLog>) {
    let begin = Instant::now();
    let dice = |which| Rng::for_game(series.seed, index.wrapping_mul(2).wrapping_add(which));
    let mut game = Game::new(series.variant, dice(0));
    let mut player = players.make(dice(1));
    let mut log = logged.then(|| GameLog::new(index, &game));
    while game.ending().is_none() {
        let chosen = player.choose(game.grid());
        let Some(m) = chosen.filter(|&m| game.slide(m)) else {
            // A player that makes no legal move gives up.
            break;
        };
        if game.moves_to_2048() == Some(game.moves()) {
            times.to_2048.push(begin.elapsed());
        }
        if let Some(log) = &mut log {
            log.push(m, &game);
        }
    }
    if let Some(log) = &mut log {
        log.close(&game);
    }
    times.busy += begin.elapsed();
    (GameRecord::from(&game), log)
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
    play_timed(series, players, threads, progress, None).summary
}

/// Like [`play_series`], and tells how long it took, and gives every game away where
/// somebody takes them.
pub fn play_timed(
    series: &Series,
    players: &dyn MakePlayer,
    threads: usize,
    progress: &dyn Progress,
    games: Option<&dyn TakeGame>,
) -> Played {
    progress.begin(Unit::Games, Some(series.games));
    let next = AtomicU64::new(0);
    let stopped = AtomicBool::new(false);
    let total = Mutex::new(Played {
        summary: Summary::default(),
        times: Times::default(),
    });
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                let (mut own, mut times) = (Summary::default(), Times::default());
                while !progress.interrupted() && !stopped.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= series.games {
                        break;
                    }
                    let (game, log) = play_one(series, players, index, games.is_some(), &mut times);
                    own.add(&game);
                    if let (Some(games), Some(log)) = (games, &log)
                        && !games.take(log)
                    {
                        stopped.store(true, Ordering::Relaxed);
                    }
                    progress.advance(1);
                }
                // Only a panic elsewhere poisons the lock, and that ends the scope anyway.
                let mut total = total
                    .lock()
                    .unwrap_or_else(|poisoned| poisoned.into_inner());
                total.summary.merge(&own);
                total.times.merge(times);
            });
        }
    });
    progress.finish();
    total
        .into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}
