//! Tables of solved games in the formats of other programs.
//!
//! [`write_csv`] and [`write_parquet`] list every live state with its value and the values of its
//! moves; [`model()`] and [`policy()`] provide what diagrams and model checkers need.
//!
//! ```
//! use tilebase_export::write_csv;
//! use tilebase_util::progress::Silent;
//! use tilebase_solve::{SolveOptions, solve};
//! use tilebase_table::{Objective, Table};
//!
//! let dir = tempfile::tempdir().unwrap();
//! let variant = "2x2-to-8".parse().unwrap();
//! solve(&variant, Objective::Win, dir.path(), &SolveOptions::default(), &Silent).unwrap();
//! let mut text = Vec::new();
//! let rows = write_csv(&Table::open(dir.path()).unwrap(), &mut text, &Silent).unwrap();
//! assert_eq!(rows, 15);
//! assert!(text.starts_with(b"board,sum,largest,value,complement,category,best,left,right,up,down\n"));
//! ```
//!
//! # Trade-offs
//! Rows come in the order of the table, layer by layer, and columns depend on the objective. The
//! boards of one layer are in memory at a time, and for Parquet a million rows.

mod column;
mod csv;
mod error;
mod model;
mod parquet;
mod rows;

pub use column::Column;
pub use csv::write_csv;
pub use error::ExportError;
pub use model::{model, policy};
pub use parquet::write_parquet;
pub use rows::{Row, for_each_part};
