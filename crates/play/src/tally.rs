//! Adding up the games of a series as they end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tilebase_game::tile_value;
use tilebase_util::progress::Progress;

use crate::running::Running;
use crate::series::{GameResult, GameSink, SeriesResult};
use crate::summary::Summary;

/// Takes the games of a series from any thread: adds them up, hands them to a sink, and says how
/// it goes.
pub(crate) struct Tally<'a> {
    progress: &'a dyn Progress,
    sink: Option<&'a dyn GameSink>,
    result: Mutex<SeriesResult>,
    stopped: AtomicBool,
}

impl<'a> Tally<'a> {
    pub fn new(progress: &'a dyn Progress, sink: Option<&'a dyn GameSink>) -> Tally<'a> {
        Tally {
            progress,
            sink,
            result: Mutex::default(),
            stopped: AtomicBool::new(false),
        }
    }

    /// Whether no more moves should be made.
    pub fn interrupted(&self) -> bool {
        self.progress.interrupted()
    }

    /// Whether no more games should be started.
    pub fn stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || self.interrupted()
    }

    /// Whether the moves of games are wanted.
    pub fn logs(&self) -> bool {
        self.sink.is_some()
    }

    /// Takes a game that has ended, or one that has not since the series was interrupted.
    pub fn take(&self, mut running: Running, finished: bool) {
        if let Some(log) = &mut running.log {
            log.close(&running.game);
        }
        let game = GameResult::from(&running.game);
        if let (Some(sink), Some(log)) = (self.sink, &running.log)
            && !sink.take(log, &game)
        {
            self.stopped.store(true, Ordering::Relaxed);
        }
        let mut result = self.lock();
        if finished {
            result.summary.add(&game);
            result.timing.to_2048.extend(running.to_2048);
        } else {
            result.unfinished.add(&game);
        }
    }

    /// Adds playing time.
    pub fn add_time(&self, busy: Duration) {
        self.lock().timing.busy += busy;
    }

    /// The games so far.
    pub fn lock(&self) -> MutexGuard<'_, SeriesResult> {
        // Only a panic elsewhere poisons the lock, and that ends the series anyway.
        self.result.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The whole result.
    pub fn into_result(self) -> SeriesResult {
        self.result
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// How the finished games went, in a few words; empty if there is none.
pub(crate) fn standing(summary: &Summary) -> String {
    let largest = summary.largest_tiles().last_key_value();
    let (Some(mean), Some((&largest, &games))) = (summary.mean_score(), largest) else {
        return String::new();
    };
    let percent = 100.0 * games as f64 / summary.games() as f64;
    format!(
        "mean score {mean:.0}, {} in {percent:.1} %",
        tile_value(largest)
    )
}
