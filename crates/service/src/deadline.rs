//! Work that must end in time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tilebase_util::progress::{Moment, Progress, Unit};

/// Whether the service is to stop, shared by everything that works for it.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks everything to stop.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether that was requested.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Reports no progress, and interrupts when time is up or the service stops.
#[derive(Debug)]
pub struct Deadline {
    end: Moment,
    stop: Stop,
}

impl Deadline {
    /// A deadline at a time from now.
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
        self.stop.is_requested() || Moment::now() >= self.end
    }
}
