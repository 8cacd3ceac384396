//! The page and the HTTP API.
//!
//! `tilebase-service` answers requests; this crate adds HTTP. A request goes from `connections`
//! through `routes` to the `executor`, which answers on threads of its own so that no request
//! blocks another, or to `jobs` and their `events`. `response` turns answers and errors into HTTP
//! responses.
//!
//! ```
//! use std::sync::Arc;
//! use std::sync::atomic::{AtomicBool, Ordering};
//! use tilebase_serve::{ServeOptions, Server};
//!
//! let options = ServeOptions { tables: None, host: [127, 0, 0, 1].into(), port: 0 };
//! let server = Server::bind(&options)?;
//! let address = server.address();
//! let stop = Arc::new(AtomicBool::new(false));
//! let stopped = Arc::clone(&stop);
//! let running = std::thread::spawn(move || server.run(move || stopped.load(Ordering::Relaxed)));
//! // Here http://{address}/ answers.
//! # let _ = address;
//! stop.store(true, Ordering::Relaxed);
//! running.join().unwrap()?;
//! # Ok::<(), tilebase_serve::ServeError>(())
//! ```
//!
//! # Trade-offs
//! Tables that are solved here are in memory or in a temporary directory, and are gone when the
//! server stops. Jobs run one at a time, since each uses all cores.

mod body;
mod connections;
mod events;
mod executor;
mod jobs;
mod limits;
mod page;
mod response;
mod routes;
mod server;
mod site;

pub use server::{ServeError, ServeOptions, Server};
pub use site::{Engine, SiteFile, site};
