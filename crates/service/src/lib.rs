//! Questions about positions, games, plans and contests, answered in JSON.
//!
//! This is the API without HTTP: the server and the page's engine in the browser answer with
//! it, so that both say the same. [`Asked::parse`] reads a question as the API has it, one
//! module for each kind answers it (`position`, `spawns`, `line`, `verdict`, `advice`,
//! `route`, `duel`, `diagram`, `variants`), asking the tables on the [`Shelf`]; a [`Job`] is
//! work of minutes. What is wrong is a [`Fault`], which knows its HTTP status.
//!
//! ```
//! use tilebase_service::{Asked, Laboratory, Method};
//!
//! let lab = Laboratory::default();
//! let asked = Asked::parse(Method::Get, "position", "variant=2x2-to-16&board=2,2/.,4", b"")?;
//! let answer = lab.answer(&asked)?;
//! assert!(answer.body.starts_with(br#"{"version":"#));
//! # Ok::<(), tilebase_service::Fault>(())
//! ```
//!
//! # Trade-offs
//! Answers are given when they are ready, which may take seconds: whoever serves many asks
//! [`Laboratory::is_long`] first, and gives such questions threads of their own.

mod advice;
mod asked;
mod deadline;
mod diagram;
mod duel;
mod fault;
mod job;
mod laboratory;
pub mod limits;
mod line;
mod order;
mod position;
mod question;
mod reply;
mod route;
mod scratch;
mod shelf;
mod spawns;
mod variants;
mod verdict;
mod worth;

pub use asked::{Asked, Method};
pub use deadline::Stop;
pub use fault::Fault;
pub use job::{Job, Layer, Pace, Standing, Told};
pub use laboratory::{Answer, Laboratory};
pub use order::Order;
pub use question::Question;
pub use reply::{Reply, VERSION};
pub use shelf::{Shelf, lock};
pub use variants::Entry;
