//! Which boards can be filled with an alternating pattern of 2s and 4s without ever making
//! an 8, and in how many ways.
//!
//! Tiles that fall are 2s, the board is empty at first, and a tile falls first. Dropper and
//! Slider work together, or tiles fall into the topmost, then leftmost empty cell.
//! The question, many of the answers and the words are from L. Edixhoven, *Checkerboard
//! Patterns and Binary Decision Diagrams for the Game 2048* (Leiden University, 2019).
//!
//! ```
//! use tilebase_prove::checkerboard::{DropPlacement, count_sequences};
//! use tilebase_util::progress::Silent;
//!
//! let found = count_sequences("3x3".parse().unwrap(), DropPlacement::First, usize::MAX, &Silent)?;
//! assert_eq!(found.sequences, [750, 0]);
//! # Ok::<(), tilebase_prove::checkerboard::CheckerboardError>(())
//! ```

mod construction;
mod dead_end;
mod filling;
mod forward;
mod line_table;
mod pattern;
mod retrograde;
mod sequence;
mod slide_view;
mod take_back;
mod two_bit;

pub use construction::construction;
pub use dead_end::{end_from, fewest_imaginable, shortest_dead_end};
pub use filling::{fill, nearly_checkerboard};
pub use forward::{CheckerboardError, SequenceCount, count_sequences, find_sequence};
pub use pattern::Corner;
pub use retrograde::{RetrogradeResult, retrograde_search};
pub use sequence::{DropPlacement, ReplayError, Sequence};
pub use two_bit::{TwoBitBoard, TwoBitRules};
