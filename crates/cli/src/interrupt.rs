//! Ctrl-C: the first asks to stop at the next safe point, the second stops at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

static ASKED: AtomicBool = AtomicBool::new(false);
static INSIST: AtomicBool = AtomicBool::new(false);

/// How long the program may take to react after [`listen_and_insist`].
const PATIENCE: Duration = Duration::from_secs(1);

/// From now on Ctrl-C (and SIGTERM) makes [`asked`] true instead of ending the program.
///
/// If the system refuses the handler, Ctrl-C ends the program as usual.
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

/// Like [`listen`], but the program ends soon after Ctrl-C in any case: reading keys never
/// returns from a terminal that has gone away.
pub fn listen_and_insist() {
    INSIST.store(true, Ordering::Relaxed);
    listen();
}

/// Whether the user has asked to stop.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
