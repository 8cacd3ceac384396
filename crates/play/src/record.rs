//! Game records: games in a file, move by move, at about a byte a move.
//!
//! A [`Recorder`] writes games in the order of their numbers, whichever finishes first. A
//! [`RecordReader`] reads them one by one, and a [`GameReplay`] steps through the positions of a
//! game and checks it against the rules. docs/records.md describes the format.
//!
//! ```
//! use tilebase_play::{
//!     PlayerKind, RecordHeader, RecordReader, Recorder, Series, SpawnCheck, play_timed,
//! };
//! use tilebase_util::progress::Silent;
//!
//! let series = Series {
//!     variant: "3x3-to-64".parse().unwrap(),
//!     start: None,
//!     games: 10,
//!     seed: 1,
//! };
//! let header = RecordHeader::of_series(&series, "random");
//! let recorder = Recorder::new(Vec::new(), &header).unwrap();
//! let played = play_timed(&series, &PlayerKind::Random, 2, &Silent, Some(&recorder));
//! let (file, _) = recorder.finish().unwrap();
//!
//! let mut moves = 0;
//! let mut reader = RecordReader::new(file.as_slice()).unwrap();
//! while let Some(game) = reader.next_game().unwrap() {
//!     let (result, spawns) = game.check(reader.header()).unwrap();
//!     assert_eq!(spawns, SpawnCheck::MatchesSeed);
//!     moves += result.moves;
//! }
//! assert_eq!(moves, played.summary.moves());
//! ```

mod code;
mod error;
mod log;
mod reader;
mod recorder;
mod replay;

pub use error::{RecordError, ReplayError};
pub use log::{GameLog, RecordHeader, RecordedMove};
pub use reader::RecordReader;
pub use recorder::Recorder;
pub use replay::{GameReplay, SpawnCheck};

#[cfg(test)]
mod tests;
