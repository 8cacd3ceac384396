//! Small tools that several crates share: progress of long work, files that survive a crash,
//! hashing, variable-length integers, charts, thread pools, and text for sizes.

pub mod chart;
mod device;
pub mod files;
pub mod hash;
pub mod progress;
mod text;
mod threads;
pub mod varint;

pub use device::Device;
pub use text::bytes_text;
pub use threads::{keep_awake, on_threads};
