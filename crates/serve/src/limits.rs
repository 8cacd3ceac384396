//! How much the server does at a time; `tilebase_service::limits` has what one answer may take.

use std::time::Duration;

pub use tilebase_service::limits::BODY;

/// Pieces of work that take more than a look-up, at a time; others wait.
pub const AT_ONCE: usize = 2;
/// How long they wait.
pub const PATIENCE: Duration = Duration::from_secs(20);
/// Threads for look-ups and other work.
pub const THREADS: usize = 16;
/// Jobs that wait or run.
pub const JOBS: usize = 4;
/// Jobs that are remembered.
pub const REMEMBERED: usize = 64;
/// Listeners to jobs.
pub const LISTENERS: usize = 32;
/// Time between two events.
pub const TICK: Duration = Duration::from_millis(100);
/// How long open connections are waited for at the end.
pub const FAREWELL: Duration = Duration::from_secs(2);
/// Connections at a time; others wait until one is closed.
pub const CONNECTIONS: usize = 256;
/// How long a request's head may take, and how long a connection may say nothing.
pub const HEAD_TIME: Duration = Duration::from_secs(15);
/// How long a request's body may take.
pub const BODY_TIME: Duration = Duration::from_secs(15);
