//! What several crates share and none of them owns: progress of long work, files that
//! survive being killed, pools of threads, and text for sizes.

pub mod files;
pub mod progress;
mod text;
mod threads;

pub use text::bytes_text;
pub use threads::{keep_awake, on_threads};
