//! Limits of the server; `tilebase_service::limits` has those of a single request.

use std::time::Duration;

pub use tilebase_service::limits::BODY;

/// Requests that take more than a lookup, at a time; others wait.
pub const AT_ONCE: usize = 2;
/// How long they wait at most.
pub const PERMIT_TIME: Duration = Duration::from_secs(20);
/// Threads that answer requests.
pub const THREADS: usize = 16;
/// Jobs that are waiting or running.
pub const JOBS: usize = 4;
/// Jobs that are remembered.
pub const REMEMBERED: usize = 64;
/// Clients that listen to jobs.
pub const LISTENERS: usize = 32;
/// Time between two events.
pub const TICK: Duration = Duration::from_millis(100);
/// Time that open connections get when the server stops.
pub const SHUTDOWN_TIME: Duration = Duration::from_secs(2);
/// Connections at a time; others wait until one is closed.
pub const CONNECTIONS: usize = 256;
/// Time for the head of a request, and for an idle connection.
pub const HEAD_TIME: Duration = Duration::from_secs(15);
/// Time for the body of a request.
pub const BODY_TIME: Duration = Duration::from_secs(15);
