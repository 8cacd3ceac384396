//! Questions about positions, games, plans and contests, answered in JSON.
//!
//! This is the API without HTTP: the server and the page's engine in the browser answer with
//! it, so that both say the same. [`Request::parse`] reads a question as the API has it, one
//! module for each kind answers it (`position`, `spawns`, `line`, `verdict`, `advice`,
//! `route`, `duel`, `diagram`, `variants`), asking the tables on the [`TableCache`]; a [`Job`] is
//! work of minutes. What is wrong is a [`ApiError`], which knows its HTTP status.
//!
//! ```
//! use tilebase_service::{Request, Service, Method};
//!
//! let service = Service::default();
//! let asked = Request::parse(Method::Get, "position", "variant=2x2-to-16&board=2,2/.,4", b"")?;
//! let answer = service.answer(&asked)?;
//! assert!(answer.body.starts_with(br#"{"version":"#));
//! # Ok::<(), tilebase_service::ApiError>(())
//! ```
//!
//! # Trade-offs
//! Answers are given when they are ready, which may take seconds: whoever serves many asks
//! [`Service::is_long`] first, and gives such questions threads of their own.

mod advice;
mod cache;
mod deadline;
mod diagram;
mod error;
mod job;
mod job_spec;
pub mod limits;
mod line;
mod plan;
mod position;
mod reply;
mod request;
mod review;
mod scratch;
mod service;
mod spawns;
mod strategy;
mod table_id;
mod variants;
mod worth;

pub use cache::{TableCache, lock};
pub use deadline::Stop;
pub use error::ApiError;
pub use job::{Job, JobState, JobStatus, Layer, Pace};
pub use job_spec::JobSpec;
pub use reply::{Reply, VERSION};
pub use request::{Method, Request};
pub use service::{Answer, Service};
pub use table_id::TableId;
pub use variants::Entry;
