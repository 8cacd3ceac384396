//! Threads that stay awake between short pieces of work.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rayon::Yield;

/// Runs `work` inside a pool of `threads` threads, 0 for all cores.
#[cfg(not(target_family = "wasm"))]
pub fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> std::io::Result<T> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(std::io::Error::other)?;
    Ok(pool.install(work))
}

/// Runs `work` on the only thread that a browser has.
#[cfg(target_family = "wasm")]
pub fn on_threads<T: Send>(_: usize, work: impl FnOnce() -> T + Send) -> std::io::Result<T> {
    Ok(work())
}

/// Runs `work` inside the current pool with all other threads of the pool looking for work all
/// the time.
///
/// Small games have thousands of layers with a few steps each, of a tenth of a millisecond. A
/// thread that goes to sleep after each step takes about as long to wake up again, more on a
/// virtual machine, and two threads would hardly be faster than one.
pub fn keep_awake<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let others = rayon::current_num_threads() - 1;
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    if others == 0 || others >= cores {
        // More threads than cores would only be in each other's way.
        return work();
    }
    let (started, done) = (AtomicUsize::new(0), AtomicBool::new(false));
    rayon::scope(|scope| {
        for _ in 0..others {
            scope.spawn(|_| {
                started.fetch_add(1, Ordering::Relaxed);
                while !done.load(Ordering::Relaxed) {
                    if rayon::yield_now() != Some(Yield::Executed) {
                        // On a busy machine another process may need the core.
                        std::thread::yield_now();
                    }
                }
            });
        }
        // This thread must not run one of these itself, so it waits until all have started.
        while started.load(Ordering::Relaxed) < others {
            std::thread::yield_now();
        }
        // Set even if the work panics, or the others would never end.
        let _guard = SetOnDrop(&done);
        work()
    })
}

struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
