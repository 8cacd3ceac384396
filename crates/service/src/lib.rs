//! The API without HTTP: questions about positions, games, plans and strategies.
//!
//! The server and the engine in the browser both answer with this crate, so their answers are
//! the same. [`Request::parse`] reads a request. Each kind of request has a module with its
//! parameters, its description for OpenAPI and its answer (`position`, `spawns`, `line`,
//! `review`, `advice`, `plan`, `strategy`, `diagram`, `variants`). Tables come from the
//! [`TableCache`]; a [`Job`] is work that takes minutes. Answers are types of `tilebase-schema`,
//! and [`probed`] and [`searched`] fill them in, for the command line too. An [`ApiError`] knows
//! its HTTP status. [`openapi()`] describes it all.
//!
//! ```
//! use tilebase_service::{Method, Request, Service};
//!
//! let service = Service::default();
//! let query = "variant=2x2-to-16&board=2,2/.,4";
//! let request = Request::parse(Method::Get, "position", query, b"")?;
//! let answer = service.answer(&request)?;
//! assert!(answer.body.starts_with(br#"{"version":"#));
//! # Ok::<(), tilebase_service::ApiError>(())
//! ```
//!
//! # Trade-offs
//! An answer is computed on the calling thread and may take seconds. A server asks
//! [`Service::is_long`] first and runs such requests on threads of their own.

mod advice;
mod analysis;
mod cache;
mod deadline;
mod diagram;
mod docs;
mod error;
pub mod formations;
pub mod grade;
mod job;
mod job_request;
pub mod limits;
mod line;
mod openapi;
mod outlook;
mod plan;
mod position;
pub mod probed;
mod question;
mod request;
mod review;
pub mod reviewing;
mod scratch;
pub mod searched;
mod searched_line;
mod searchers;
mod service;
mod spawns;
mod strategy;
mod table_id;
mod variants;

pub use analysis::Analysis;
pub use cache::{CachedTable, TableCache, lock};
pub use deadline::Stop;
pub use docs::{DOCS_STYLE, api_index, docs};
pub use error::ApiError;
pub use job::Job;
pub use job_request::JobSpec;
pub use openapi::openapi;
pub use plan::plan_answer;
pub use question::Method;
pub use request::Request;
pub use searchers::Effort;
pub use service::{Response, Service};
pub use table_id::TableId;
pub use variants::table_entry;
