//! Writing games in the order of their numbers.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard};

use super::code::{end_bytes, game_bytes, header_bytes};
use super::log::{GameLog, RecordHeader};
use crate::series::{GameResult, GameSink};

/// Writes games as they finish, from any thread, in the order of their numbers.
///
/// Only games that wait for an earlier one are in memory.
pub struct Recorder<W> {
    state: Mutex<RecorderState<W>>,
}

struct RecorderState<W> {
    out: W,
    /// Number of the next game to write.
    next: u64,
    /// Finished games, as bytes, that wait for an earlier one.
    waiting: BTreeMap<u64, Vec<u8>>,
    /// The first error. Nothing is written after it.
    error: Option<io::Error>,
}

impl<W: Write> Recorder<W> {
    /// Begins a record file.
    pub fn new(mut out: W, header: &RecordHeader) -> io::Result<Recorder<W>> {
        out.write_all(&header_bytes(header))?;
        Ok(Recorder {
            state: Mutex::new(RecorderState {
                out,
                next: 0,
                waiting: BTreeMap::new(),
                error: None,
            }),
        })
    }

    fn state(&self) -> MutexGuard<'_, RecorderState<W>> {
        // Only a panic elsewhere poisons the lock, and that ends the series anyway.
        self.state
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Writes a game, or keeps it until the games before it are written. Returns `false` after
    /// an error, which [`Recorder::finish`] returns.
    pub fn write(&self, game: &GameLog) -> bool {
        // Encode before taking the lock.
        let bytes = game_bytes(game);
        let mut state = self.state();
        match bytes {
            Some(bytes) => {
                state.waiting.insert(game.index, bytes);
            }
            None => {
                let too_long = || io::Error::other("a game is too long for a record");
                state.error.get_or_insert_with(too_long);
            }
        }
        state.write_waiting();
        state.error.is_none()
    }

    /// Writes the end mark. Returns the writer and the number of games.
    pub fn finish(self) -> io::Result<(W, u64)> {
        let state = self.state.into_inner();
        let mut state = state.unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(error) = state.error {
            return Err(error);
        }
        let end = end_bytes(state.next).unwrap_or_default();
        state.out.write_all(&end)?;
        Ok((state.out, state.next))
    }
}

impl<W: Write> RecorderState<W> {
    fn write_waiting(&mut self) {
        while self.error.is_none()
            && let Some(bytes) = self.waiting.remove(&self.next)
        {
            match self.out.write_all(&bytes) {
                Ok(()) => self.next += 1,
                Err(error) => self.error = Some(error),
            }
        }
    }
}

impl<W: Write + Send> GameSink for Recorder<W> {
    fn take(&self, game: &GameLog, _: &GameResult) -> bool {
        self.write(game)
    }
}
