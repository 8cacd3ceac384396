//! Progress reports of long computations, and how to interrupt them.
//!
//! Algorithms take a `&dyn Progress` and know nothing of terminals, clocks or signals.
//! The program decides what to show; a library user passes [`Silent`] or another
//! implementation.
//!
//! ```
//! use tilebase_util::progress::{Progress, Silent, Unit};
//!
//! /// Adds up numbers until it is interrupted.
//! fn add(numbers: &[u64], progress: &dyn Progress) -> Option<u64> {
//!     progress.begin(Unit::States, Some(numbers.len() as u64));
//!     let mut sum = 0;
//!     for chunk in numbers.chunks(1024) {
//!         if progress.interrupted() {
//!             return None;
//!         }
//!         sum += chunk.iter().sum::<u64>();
//!         progress.advance(chunk.len() as u64);
//!     }
//!     progress.finish();
//!     Some(sum)
//! }
//!
//! assert_eq!(add(&[1, 2, 3], &Silent), Some(6));
//! ```

mod moment;

pub use moment::Moment;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// What the progress counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Boards examined, reachable or not.
    Boards,
    /// Games played.
    Games,
    /// Moves made.
    Moves,
    /// States visited.
    States,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unit::Boards => "boards",
            Unit::Games => "games",
            Unit::Moves => "moves",
            Unit::States => "states",
        })
    }
}

/// The listener of a long computation. All methods may be called from any thread, but
/// calls are not free: report work in batches.
pub trait Progress: Sync {
    /// Starts a new piece of work of `total` units, if that is known.
    fn begin(&self, unit: Unit, total: Option<u64>);

    /// Names what is being worked on, such as `layer 128`.
    fn stage(&self, name: &str);

    /// Reports a counted layer: its tile sum and its live states. The default ignores it.
    fn layer(&self, _sum: u32, _states: u64) {}

    /// Reports `units` more units as done.
    fn advance(&self, units: u64);

    /// Ends the work.
    fn finish(&self);

    /// Whether the work should stop at the next point where nothing is lost.
    fn interrupted(&self) -> bool;
}

/// Shows nothing, and interrupts after a number of queries: for tests of interruption at any
/// moment.
#[derive(Debug)]
pub struct StopAfter {
    times: u64,
    asked: AtomicU64,
}

impl StopAfter {
    /// Interrupts after `times` queries.
    pub fn new(times: u64) -> StopAfter {
        StopAfter {
            times,
            asked: AtomicU64::new(0),
        }
    }

    /// Number of queries so far.
    pub fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }
}

impl Progress for StopAfter {
    fn begin(&self, _: Unit, _: Option<u64>) {}
    fn stage(&self, _: &str) {}
    fn advance(&self, _: u64) {}
    fn finish(&self) {}
    fn interrupted(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) >= self.times
    }
}

/// Shows nothing and never interrupts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _: Unit, _: Option<u64>) {}
    fn stage(&self, _: &str) {}
    fn advance(&self, _: u64) {}
    fn finish(&self) {}
    fn interrupted(&self) -> bool {
        false
    }
}
