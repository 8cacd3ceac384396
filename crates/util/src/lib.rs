//! What several crates share and none of them owns: progress of long work, files that
//! survive being killed, pools of threads, and text for sizes.

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
