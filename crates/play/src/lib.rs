//! Games of 2048, the players that play them, and how well they do.
//!
//! A [`Game`] is one course of play of a variant, of any shape. A [`Player`] chooses its
//! moves. [`play_series`] plays many seeded games on all cores and sums them up: the same
//! seed gives the same games on every machine and with any number of threads.
//!
//! ```
//! use tilebase_play::{PlayerKind, Series, play_series};
//! use tilebase_util::progress::Silent;
//!
//! let series = Series {
//!     variant: "3x3-to-64".parse().unwrap(),
//!     games: 100,
//!     seed: 1,
//! };
//! let one = play_series(&series, &PlayerKind::Random, 1, &Silent);
//! let two = play_series(&series, &PlayerKind::Random, 2, &Silent);
//! assert_eq!(one.games(), 100);
//! assert_eq!(one, two);
//! ```

mod counting;
mod expectimax;
mod game;
mod judge;
mod optimal;
mod player;
mod policy;
mod record;
mod series;
mod statistics;
mod summary;
mod times;

pub use expectimax::{EvaluationKind, Expectimax, ExpectimaxError, SearchConfig, Searcher, packed};
pub use game::{Ending, Game};
pub use judge::{Judge, Judgement};
pub use optimal::Optimal;
pub use player::{MakePlayer, Player, PlayerError, PlayerKind};
pub use record::{Dice, Fault, GameLog, Reader, RecordError, RecordHeader, Recorder, Replay, Step};
pub use series::{GameRecord, Played, Series, TakeGame, play_game, play_series, play_timed};
pub use statistics::{Interval, wilson};
pub use summary::Summary;
pub use times::Times;
