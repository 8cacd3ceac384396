//! The page and the HTTP API: the truth about positions for a browser and for scripts.
//!
//! `tilebase-answer` knows the answers; here is what HTTP adds. A request goes from
//! `connections` by `routes` to the `executor`, where questions get their turn on threads of their
//! own, so that nobody waits for the work of others, or to `jobs` and their `events`;
//! `response` turns answers and faults into what is sent.
//!
//! ```
//! use std::sync::Arc;
//! use std::sync::atomic::{AtomicBool, Ordering};
//! use tilebase_serve::{Options, Server};
//!
//! let options = Options { tables: None, host: [127, 0, 0, 1].into(), port: 0 };
//! let server = Server::bind(&options)?;
//! let address = server.address();
//! let stop = Arc::new(AtomicBool::new(false));
//! let asked = Arc::clone(&stop);
//! let running = std::thread::spawn(move || server.run(move || asked.load(Ordering::Relaxed)));
//! // Here http://{address}/ answers.
//! # let _ = address;
//! stop.store(true, Ordering::Relaxed);
//! running.join().unwrap()?;
//! # Ok::<(), tilebase_serve::ServeError>(())
//! ```
//!
//! # Trade-offs
//! Tables that are solved here live in memory or in a temporary directory and go with the server: what is
//! to stay is made by `tilebase solve`. Jobs run one at a time, since each uses all cores.

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

pub use server::{Options, ServeError, Server};
pub use site::{Engine, SiteFile, site};
