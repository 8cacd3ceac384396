//! The page and the HTTP API: the truth about positions for a browser and for scripts.
//!
//! A request goes from `routes` to one module for each question (`position`, `line`,
//! `verdict`, `advice`, `route`, `duel`, `diagram`, `jobs`), which asks the tables on the
//! `shelf` and answers JSON; `fault` alone turns what is wrong into a status. Look-ups and
//! searches run on threads of their own, so that nobody waits for the work of others.
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
//! Tables that are solved here live in a temporary directory and go with the server: what is
//! to stay is made by `tilebase solve`. Jobs run one at a time, since each uses all cores.

mod advice;
mod deadline;
mod diagram;
mod duel;
mod events;
mod fault;
mod job;
mod jobs;
mod laboratory;
mod limits;
mod line;
mod page;
mod position;
mod question;
mod reply;
mod route;
mod routes;
mod server;
mod shelf;
mod spawns;
mod variants;
mod verdict;
mod worth;

pub use server::{Options, ServeError, Server};
