//! One module for each command.

pub mod completions;
pub mod count;
pub mod moves;
pub mod play;
