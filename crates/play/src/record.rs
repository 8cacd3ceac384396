//! Games written down move by move, about a byte a move, and read back.
//!
//! A [`Recorder`] writes games in the order of their numbers, whichever is finished first.
//! A [`Reader`] gives them back one by one, and [`Replay`] goes through one position by
//! position and checks it against the rules. docs/records.md has the format byte by byte.
//!
//! ```
//! use tilebase_play::{Dice, PlayerKind, Reader, Recorder, RecordHeader, Series, play_timed};
//! use tilebase_util::progress::Silent;
//!
//! let series = Series {
//!     variant: "3x3-to-64".parse().unwrap(),
//!     games: 10,
//!     seed: 1,
//! };
//! let header = RecordHeader::of_series(&series, "random");
//! let recorder = Recorder::new(Vec::new(), &header).unwrap();
//! let played = play_timed(&series, &PlayerKind::Random, 2, &Silent, Some(&recorder));
//! let (file, _) = recorder.finish().unwrap();
//!
//! let mut moves = 0;
//! let mut reader = Reader::new(file.as_slice()).unwrap();
//! while let Some(game) = reader.next_game().unwrap() {
//!     let (result, dice) = game.check(reader.header()).unwrap();
//!     assert_eq!(dice, Dice::OfTheSeed);
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

pub use error::{Fault, RecordError};
pub use log::{GameLog, RecordHeader, Step};
pub use reader::Reader;
pub use recorder::Recorder;
pub use replay::{Dice, Replay};

#[cfg(test)]
mod tests;
