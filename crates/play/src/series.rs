//! Series: many seeded games on all cores.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use tilebase_game::{Grid, Variant};
use tilebase_util::progress::{Progress, Unit};

use crate::game::{Ending, Game};
use crate::player::PlayerFactory;
use crate::record::GameLog;
use crate::running::{Running, stream};
use crate::summary::Summary;
use crate::tally::{Tally, standing};
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
    /// Takes a game and its result. `false` asks to start no more games.
    fn take(&self, game: &GameLog, result: &GameResult) -> bool;
}

/// The result of a series.
#[derive(Clone, Debug, Default)]
pub struct SeriesResult {
    /// The finished games summed up: the same on every machine.
    pub summary: Summary,
    /// The games that were not finished because the series was interrupted, as far as they got.
    pub unfinished: Summary,
    /// How long it took.
    pub timing: Timing,
}

/// Plays game number `index` of a series.
pub fn play_game(series: &Series, players: &dyn PlayerFactory, index: u64) -> GameResult {
    let mut running = Running::new(series, index, false);
    play_on(&mut running, series, players, index, &|| false);
    GameResult::from(&running.game)
}

/// Plays a game to its end, or until it is interrupted, and says whether it has ended.
fn play_on(
    running: &mut Running,
    series: &Series,
    players: &dyn PlayerFactory,
    index: u64,
    interrupted: &dyn Fn() -> bool,
) -> bool {
    let mut player = players.make(stream(series, index, 1));
    while running.game.ending().is_none() {
        let chosen = player.choose(running.game.grid());
        // A search that is interrupted may have chosen anything.
        if interrupted() {
            return false;
        }
        if !running.make(chosen) {
            break;
        }
    }
    true
}

/// Plays a series on this many threads and sums it up.
///
/// If it is interrupted, it ends with the next move of each game, and the summary covers the
/// games that were finished.
pub fn play_series(
    series: &Series,
    players: &dyn PlayerFactory,
    threads: usize,
    progress: &dyn Progress,
) -> Summary {
    play_timed(series, players, threads, progress, None).summary
}

/// Like [`play_series`], with timing, with the games that were not finished, and with a sink for
/// the moves of every game: of those that were not finished too, without an ending.
pub fn play_timed(
    series: &Series,
    players: &dyn PlayerFactory,
    threads: usize,
    progress: &dyn Progress,
    sink: Option<&dyn GameSink>,
) -> SeriesResult {
    play_part(series, 0..series.games, players, threads, progress, sink)
}

/// Like [`play_timed`], only the games with these numbers.
pub fn play_part(
    series: &Series,
    games: Range<u64>,
    players: &dyn PlayerFactory,
    threads: usize,
    progress: &dyn Progress,
    sink: Option<&dyn GameSink>,
) -> SeriesResult {
    progress.begin(Unit::Games, Some(games.end - games.start));
    let next = AtomicU64::new(games.start);
    let tally = Tally::new(progress, sink);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                while !tally.stopped() {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= games.end {
                        break;
                    }
                    let mut running = Running::new(series, index, tally.logs());
                    let interrupted = || tally.interrupted();
                    let finished = play_on(&mut running, series, players, index, &interrupted);
                    tally.add_time(running.elapsed());
                    tally.take(running, finished);
                    if finished {
                        let standing = standing(&tally.lock().summary);
                        progress.stage(&standing);
                        progress.advance(1);
                    }
                }
            });
        }
    });
    progress.finish();
    tally.into_result()
}
