//! A clock that never goes back, also where the standard library has none.

use std::time::Duration;

/// A moment, as `std::time::Instant`; in a browser by the clock of the page or the worker.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Moment(Inner);

#[cfg(not(target_family = "wasm"))]
type Inner = std::time::Instant;
/// Milliseconds.
#[cfg(target_family = "wasm")]
type Inner = f64;

#[cfg(not(target_family = "wasm"))]
impl Moment {
    /// This moment.
    pub fn now() -> Moment {
        Moment(Inner::now())
    }

    /// The time from an earlier moment to this one.
    pub fn since(self, earlier: Moment) -> Duration {
        self.0.saturating_duration_since(earlier.0)
    }

    /// The moment `time` later.
    #[must_use]
    pub fn after(self, time: Duration) -> Moment {
        Moment(self.0 + time)
    }
}

#[cfg(target_family = "wasm")]
#[wasm_bindgen::prelude::wasm_bindgen]
extern "C" {
    /// Pages, workers and Node have it.
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
}

#[cfg(target_family = "wasm")]
impl Moment {
    /// This moment.
    pub fn now() -> Moment {
        Moment(now())
    }

    /// The time from an earlier moment to this one.
    pub fn since(self, earlier: Moment) -> Duration {
        Duration::try_from_secs_f64((self.0 - earlier.0) / 1e3).unwrap_or_default()
    }

    /// The moment `time` later.
    #[must_use]
    pub fn after(self, time: Duration) -> Moment {
        Moment(self.0 + time.as_secs_f64() * 1e3)
    }
}

impl Moment {
    /// The time from this moment until now.
    pub fn elapsed(self) -> Duration {
        Moment::now().since(self)
    }
}
