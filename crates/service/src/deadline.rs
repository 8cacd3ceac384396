//! Work that may not take forever.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tilebase_util::progress::{Moment, Progress, Unit};

/// Whether the server is to stop: shared by all that works for it.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks all to stop.
    pub fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether that was asked.
    pub fn request(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Tells nobody, and interrupts when the time is over or the server stops.
#[derive(Debug)]
pub struct Deadline {
    end: Moment,
    stop: Stop,
}

impl Deadline {
    /// So much time from now.
    pub fn new(time: Duration, stop: &Stop) -> Deadline {
        Deadline {
            end: Moment::now().after(time),
            stop: stop.clone(),
        }
    }
}

impl Progress for Deadline {
    fn begin(&self, _: Unit, _: Option<u64>) {}
    fn stage(&self, _: &str) {}
    fn advance(&self, _: u64) {}
    fn finish(&self) {}
    fn interrupted(&self) -> bool {
        self.stop.request() || Moment::now() >= self.end
    }
}
