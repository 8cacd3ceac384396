//! The engine for a page in the browser, and for Node: rules, dice, expectimax search and
//! packed policies, and all answers of the API. docs/wasm.md shows it from JavaScript; `scripts/wasm` builds it.
//!
//! Boards cross over as text, in either notation of `tilebase-game` on the way in and in
//! hex (`0x0132`) on the way out. A `BigInt` would be cheaper to pass, but a page would
//! have to know how small shapes lie in the packed word; the text is what the command line,
//! its JSON and the docs use. Moves are their names. Whatever is wrong with an argument
//! becomes an `Error` of one line.
//!
//! # Trade-offs
//! A page calls from one thread and waits for the answer: call from a worker where a
//! search takes long. Answers have the bits of the native program's.

mod boards;
mod dice;
mod engine;
mod objects;
mod policy;
mod rules;
mod search_config;
mod service;

pub use dice::Dice;
pub use engine::Engine;
pub use policy::Policy;
pub use rules::Rules;
pub use service::{Job, Service};
