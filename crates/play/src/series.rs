//! Series: many seeded games on all cores.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use tilebase_game::{Grid, Rng, Variant};
use tilebase_util::progress::{Progress, Unit};

use crate::game::{Ending, Game};
use crate::player::PlayerFactory;
use crate::record::GameLog;
use crate::summary::Summary;
use crate::timing::Timing;

/// Which games to play. Game number i depends on the seed and i alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// The variant.
    pub variant: Variant,
    /// The position that all games start from; `None` for start tiles by the dice.
    pub start: Option<Grid>,
    /// Number of games.
    pub games: u64,
    /// The seed of all random numbers.
    pub seed: u64,
}

/// The result of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// The final score.
    pub score: u128,
    /// Number of moves.
    pub moves: u64,
    /// Exponent of the largest tile at the end.
    pub largest: u8,
    /// Whether the target tile was reached.
    pub won: bool,
    /// Number of moves up to the first 2048, if there was one.
    pub moves_to_2048: Option<u64>,
}

impl From<&Game> for GameResult {
    fn from(game: &Game) -> GameResult {
        GameResult {
            score: game.score(),
            moves: game.moves(),
            largest: game.grid().max_exponent(),
            won: game.ending() == Some(Ending::Won),
            moves_to_2048: game.moves_to_2048(),
        }
    }
}

/// Receives the games of a series as they finish, from any thread and in any order.
pub trait GameSink: Sync {
    /// Takes a game. `false` asks to start no more games.
    fn take(&self, game: &GameLog) -> bool;
}

/// The result of a series.
#[derive(Clone, Debug)]
pub struct SeriesResult {
    /// The games summed up: the same on every machine.
    pub summary: Summary,
    /// How long it took.
    pub timing: Timing,
}

/// Plays game number `index` of a series.
pub fn play_game(series: &Series, players: &dyn PlayerFactory, index: u64) -> GameResult {
    play_one(series, players, index, false, &mut Timing::default()).0
}

/// Plays a game, adds its time, and logs its moves if `logged`.
fn play_one(
    series: &Series,
    players: &dyn PlayerFactory,
    index: u64,
    logged: bool,
    timing: &mut Timing,
) -> (GameResult, Option<GameLog>) {
    let begin = Instant::now();
    let rng = |which| Rng::for_game(series.seed, index.wrapping_mul(2).wrapping_add(which));
    let mut game = match &series.start {
        Some(start) => Game::from_position(series.variant, start.clone(), rng(0)),
        None => Game::new(series.variant, rng(0)),
    };
    let mut player = players.make(rng(1));
    let mut log = logged.then(|| GameLog::new(index, &game));
    while game.ending().is_none() {
        let chosen = player.choose(game.grid());
        let Some(m) = chosen.filter(|&m| game.slide(m)) else {
            // A player without a legal move gives up.
            break;
        };
        if game.moves_to_2048() == Some(game.moves()) {
            timing.to_2048.push(begin.elapsed());
        }
        if let Some(log) = &mut log {
            log.push(m, &game);
        }
    }
    if let Some(log) = &mut log {
        log.close(&game);
    }
    timing.busy += begin.elapsed();
    (GameResult::from(&game), log)
}

/// Plays a series on this many threads and sums it up.
///
/// If it is interrupted, running games are finished, and the summary covers the games that
/// were started: the first ones of the series.
pub fn play_series(
    series: &Series,
    players: &dyn PlayerFactory,
    threads: usize,
    progress: &dyn Progress,
) -> Summary {
    play_timed(series, players, threads, progress, None).summary
}

/// Like [`play_series`], with timing, and with a sink for the moves of every game.
pub fn play_timed(
    series: &Series,
    players: &dyn PlayerFactory,
    threads: usize,
    progress: &dyn Progress,
    sink: Option<&dyn GameSink>,
) -> SeriesResult {
    progress.begin(Unit::Games, Some(series.games));
    let next = AtomicU64::new(0);
    let stopped = AtomicBool::new(false);
    let total = Mutex::new(SeriesResult {
        summary: Summary::default(),
        timing: Timing::default(),
    });
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                let (mut own, mut timing) = (Summary::default(), Timing::default());
                while !progress.interrupted() && !stopped.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= series.games {
                        break;
                    }
                    let (game, log) = play_one(series, players, index, sink.is_some(), &mut timing);
                    own.add(&game);
                    if let (Some(sink), Some(log)) = (sink, &log)
                        && !sink.take(log)
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
                total.timing.merge(timing);
            });
        }
    });
    progress.finish();
    total
        .into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}
