//! The threads that batches are worked on with.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::{request, work as failed};

/// More threads than anyone has cores.
const MOST: usize = 1024;

/// The pool of all cores, with the process that made it: a forked one has none of its threads.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Runs work on some threads, 0 for all cores.
pub fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    match threads {
        0 => Ok(all_cores()?.install(work)),
        1..=MOST => Ok(build(threads)?.install(work)),
        _ => Err(request(format!(
            "{threads} threads: use 0 for all cores, up to {MOST}"
        ))),
    }
}

fn all_cores() -> PyResult<Arc<ThreadPool>> {
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if let Some((made_by, pool)) = &*pool
        && *made_by == process
    {
        return Ok(Arc::clone(pool));
    }
    let new = Arc::new(build(0)?);
    // Waiting for threads that are not there would never end.
    std::mem::forget(pool.replace((process, Arc::clone(&new))));
    Ok(new)
}

fn build(threads: usize) -> PyResult<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(failed)
}
