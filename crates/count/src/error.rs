//! What can go wrong while counting.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use tilebase_files::FileError;
use tilebase_game::{Shape, TooLarge, tile_value};

/// Why a count did not come about. Nothing that was stored is lost by any of these.
#[derive(Debug)]
pub enum CountError {
    /// The shape does not fit a packed board.
    Shape(TooLarge),
    /// The target is above what a packed board's states can lead to.
    Target {
        /// Exponent of the target.
        target: u8,
        /// Exponent of the largest target.
        most: u8,
    },
    /// The shape can never hold the target.
    Unreachable {
        /// The shape.
        shape: Shape,
        /// Exponent of the target.
        target: u8,
        /// Exponent of the largest tile that the shape can hold.
        largest: u16,
    },
    /// The game has no end that a packed board could hold.
    Endless(Shape),
    /// The memory allowed is too little.
    Memory {
        /// Bytes needed at least.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// The card has too little memory.
    CardMemory {
        /// Bytes needed.
        needed: u64,
        /// Bytes that are free.
        free: u64,
        /// Which card.
        name: String,
    },
    /// The memory allowed of the card is too little.
    CardAllowance {
        /// Bytes needed at least.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// Layers do not fit the card, and this machine's memory is too little for them.
    CardHost {
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// There is no card to be used, or it failed.
    Card(String),
    /// The system refused memory or threads.
    System(io::Error),
    /// A file could not be read or written.
    File {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A stored file is not what was written.
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The directory holds another game.
    OtherVariant {
        /// Which directory.
        path: PathBuf,
        /// The game that it holds.
        found: String,
        /// The game asked for.
        asked: String,
    },
    /// The directory was written in a format that this version does not know.
    Format {
        /// Which file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The format known here.
        known: u32,
    },
    /// Another process is at work in the directory.
    Busy(PathBuf),
    /// It was asked to stop; finished layers are kept where there is a directory.
    Interrupted,
}

impl CountError {
    /// An error of a file operation.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> CountError {
        |error| CountError::File {
            path: path.to_owned(),
            error,
        }
    }

    /// Whether the request was wrong, rather than the work failed.
    pub fn is_request(&self) -> bool {
        matches!(
            self,
            CountError::Shape(_)
                | CountError::Target { .. }
                | CountError::Unreachable { .. }
                | CountError::Endless(_)
                | CountError::Memory { .. }
                | CountError::CardAllowance { .. }
                | CountError::CardHost { .. }
                | CountError::OtherVariant { .. }
        )
    }
}

/// Bytes in the unit that suits them.
pub fn bytes_text(bytes: u64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 {
        format!("{bytes} bytes")
    } else {
        format!("{value:.1} {}", units[unit])
    }
}

#[cfg(not(target_family = "wasm"))]
impl From<tilebase_card::CardError> for CountError {
    fn from(error: tilebase_card::CardError) -> CountError {
        CountError::Card(error.to_string())
    }
}

impl From<FileError> for CountError {
    fn from(error: FileError) -> CountError {
        match error {
            FileError::System { path, error } => CountError::File { path, error },
            FileError::Damaged { path, what } => CountError::Damaged { path, what },
            FileError::Busy(path) => CountError::Busy(path),
        }
    }
}

impl fmt::Display for CountError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CountError::Shape(error) => error.fmt(f),
            CountError::Target { target, most } => write!(
                f,
                "target {} is too large to count: at most {}",
                tile_value(*target),
                tile_value(*most)
            ),
            CountError::Unreachable {
                shape,
                target,
                largest,
            } => write!(
                f,
                "a {shape} board never holds a {}: at most {}, or leave --to out for the whole game",
                tile_value(*target),
                1u128 << largest
            ),
            CountError::Endless(shape) => write!(
                f,
                "the whole game on {shape} is too large to count: give a target with --to"
            ),
            CountError::Memory { needed, allowed } => write!(
                f,
                "{} of memory are allowed, and at least {} are needed: allow more with --memory, or take a smaller target",
                bytes_text(*allowed),
                bytes_text(*needed)
            ),
            CountError::CardMemory { needed, free, name } => write!(
                f,
                "the card {name} has {} of memory free, and {} are needed: use --device cpu, or take a smaller target",
                bytes_text(*free),
                bytes_text(*needed)
            ),
            CountError::CardAllowance { needed, allowed } => write!(
                f,
                "{} of the card's memory are allowed, and {} are needed: allow more with --card-memory, or take a smaller target",
                bytes_text(*allowed),
                bytes_text(*needed)
            ),
            CountError::CardHost { needed, allowed } => write!(
                f,
                "layers do not fit the card, and in parts they need {} of this machine's memory, where {} are allowed: allow more with --memory, or use --device cpu",
                bytes_text(*needed),
                bytes_text(*allowed)
            ),
            CountError::Card(why) => f.write_str(why),
            CountError::System(error) => write!(f, "the system refused memory or threads: {error}"),
            CountError::File { path, error } => write!(f, "{}: {error}", path.display()),
            CountError::Damaged { path, what } => write!(
                f,
                "{} is damaged ({what}): delete it, and it and all layers after it are counted again",
                path.display()
            ),
            CountError::OtherVariant { path, found, asked } => write!(
                f,
                "{} holds {found}, not {asked}: use another directory",
                path.display()
            ),
            CountError::Format { path, found, known } => write!(
                f,
                "{} has format {found}, and this program knows format {known}: use the version that wrote it",
                path.display()
            ),
            CountError::Busy(path) => write!(
                f,
                "another process is counting in {}: wait for it, or use another directory",
                path.display()
            ),
            CountError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for CountError {}
