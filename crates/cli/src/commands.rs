//! One module for each command.

pub mod advise;
pub mod batch;
pub mod calibrate;
pub mod checkerboard;
pub mod completions;
pub mod count;
pub mod evaluate;
pub mod export;
pub mod follow;
pub mod lower_bound;
pub mod moves;
mod network_file;
pub mod plan;
pub mod play;
pub mod probe;
pub mod prove;
pub mod prune;
pub mod replay;
pub mod search_options;
pub mod selftest;
pub mod serve;
pub mod site;
pub mod solve;
pub mod table;
mod table_options;
pub mod train;
mod value_text;
