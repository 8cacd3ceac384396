//! Long work: Ctrl-C ends it, and a Python function hears how far it is.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use pyo3::prelude::*;
use tilebase_util::progress::{Progress, Unit};

use crate::error::work as failed;
use crate::pool::on_threads;

/// Time between two looks at signals.
const TICK: Duration = Duration::from_millis(100);

/// What is known of work in progress.
#[derive(Default)]
pub struct Watched {
    stage: Mutex<String>,
    done: AtomicU64,
    /// Units in all; 0 if that is not known.
    total: AtomicU64,
    interrupted: AtomicBool,
}

impl Progress for Watched {
    fn begin(&self, _: Unit, total: Option<u64>) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total.unwrap_or(0), Ordering::Relaxed);
    }

    fn stage(&self, name: &str) {
        name.clone_into(&mut self.stage.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn advance(&self, units: u64) {
        self.done.fetch_add(units, Ordering::Relaxed);
    }

    fn finish(&self) {}

    fn interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

impl Watched {
    /// Tells a Python function how far the work is, and sees to signals.
    fn report(&self, py: Python<'_>, listener: Option<&Py<PyAny>>) -> PyResult<()> {
        py.check_signals()?;
        let Some(listener) = listener else {
            return Ok(());
        };
        let stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        let (stage, done) = (stage.clone(), self.done.load(Ordering::Relaxed));
        let total = Some(self.total.load(Ordering::Relaxed)).filter(|&total| total > 0);
        listener.call1(py, (stage, done, total)).map(drop)
    }
}

/// Does work on another thread, without holding Python's lock, while this one sees to signals: Python
/// handles them on its main thread only.
pub fn watch<T: Send>(
    py: Python<'_>,
    listener: Option<&Py<PyAny>>,
    work: impl FnOnce(&Watched) -> T + Send,
) -> PyResult<T> {
    let watched = Watched::default();
    py.detach(|| {
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            let watched = &watched;
            scope.spawn(move || {
                // Nobody waits only if this thread is gone. A panic leaves nothing to be used again.
                let work = AssertUnwindSafe(|| on_threads(0, || work(watched)));
                let _ = sender.send(catch_unwind(work));
            });
            let mut trouble = None;
            loop {
                match receiver.recv_timeout(TICK) {
                    Ok(Ok(result)) => break trouble.map_or(result, Err),
                    Ok(Err(_)) | Err(mpsc::RecvTimeoutError::Disconnected) => {
                        break Err(failed("the work failed: this is a bug in tilebase"));
                    }
                    Err(mpsc::RecvTimeoutError::Timeout) if trouble.is_none() => {
                        let report = |py: Python<'_>| watched.report(py, listener);
                        if let Err(error) = Python::attach(report) {
                            watched.interrupted.store(true, Ordering::Relaxed);
                            trouble = Some(error);
                        }
                    }
                    Err(mpsc::RecvTimeoutError::Timeout) => {}
                }
            }
        })
    })
}
