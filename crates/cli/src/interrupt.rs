//! Ctrl-C: the first asks to stop where nothing is lost, the second stops at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

static ASKED: AtomicBool = AtomicBool::new(false);
static INSIST: AtomicBool = AtomicBool::new(false);

/// How long a request may go unheeded where it must be heeded.
const PATIENCE: Duration = Duration::from_secs(1);

/// From now on Ctrl-C (and a request to terminate) is heeded by [`asked`].
///
/// Where the system refuses the handler, Ctrl-C ends the program as it always does.
pub fn listen() {
    let _ = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        if INSIST.load(Ordering::Relaxed) {
            std::thread::sleep(PATIENCE);
            std::process::exit(130);
        }
    });
}

/// Like [`listen`], and the program ends soon after a request even if nobody heeds it: the
/// reader of keys never returns from a terminal that has gone away.
pub fn listen_and_insist() {
    INSIST.store(true, Ordering::Relaxed);
    listen();
}

/// Whether the user has asked to stop.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
