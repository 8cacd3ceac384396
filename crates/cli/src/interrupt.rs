//! Ctrl-C: the first asks to stop where nothing is lost, the second stops at once.

use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C (and a request to terminate) is heeded by [`asked`].
///
/// Where the system refuses the handler, Ctrl-C ends the program as it always does.
pub fn listen() {
    let _ = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
}

/// Whether the user has asked to stop.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
