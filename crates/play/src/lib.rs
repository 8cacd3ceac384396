//! Games of 2048, the players that play them, and how well they do.
//!
//! A [`Game`] is a game of a variant, on any shape. A [`Player`] chooses its moves.
//! [`play_series`] plays many seeded games on all cores and sums them up: the same seed gives
//! the same games on every machine and with any number of threads. [`Expectimax`] makes the
//! players that search, and [`RegretTracker`] measures what moves lose against optimal play.
//!
//! ```
//! use tilebase_play::{PlayerKind, Series, play_series};
//! use tilebase_util::progress::Silent;
//!
//! let series = Series {
//!     variant: "3x3-to-64".parse().unwrap(),
//!     start: None,
//!     games: 100,
//!     seed: 1,
//! };
//! let one = play_series(&series, &PlayerKind::Random, 1, &Silent);
//! let two = play_series(&series, &PlayerKind::Random, 2, &Silent);
//! assert_eq!(one.games(), 100);
//! assert_eq!(one, two);
//! ```

pub mod calibration;
mod comparison;
mod evaluation;
mod expectimax;
mod forecast;
mod game;
#[cfg(not(target_family = "wasm"))]
mod gpu;
mod lockstep;
mod lookup_counter;
mod optimal;
mod pairs;
mod player;
mod policy;
mod record;
mod regret;
mod running;
mod searcher;
mod series;
mod statistics;
mod summary;
mod tally;
mod timing;

pub use comparison::Comparison;
pub use evaluation::{EvaluationKind, UnknownEvaluation};
pub use expectimax::{Expectimax, ExpectimaxError};
pub use forecast::{Estimate, Forecast, TileChance, TileModel};
pub use game::{Ending, Game};
#[cfg(not(target_family = "wasm"))]
pub use gpu::{GpuPlayer, GpuPlayerError};
pub use lockstep::{BatchPlayer, play_in_lockstep};
pub use optimal::Optimal;
pub use pairs::{PairedGames, play_pairs};
pub use player::{Player, PlayerError, PlayerFactory, PlayerKind};
pub use record::{
    GameLog, GameReplay, RecordError, RecordHeader, RecordReader, RecordedMove, Recorder,
    ReplayError, SpawnCheck,
};
pub use regret::{Regret, RegretTracker};
pub use searcher::{SearchConfig, Searcher};
pub use series::{
    GameResult, GameSink, Series, SeriesResult, play_game, play_part, play_series, play_timed,
};
pub use statistics::{Interval, wilson};
pub use summary::Summary;
pub use timing::Timing;
