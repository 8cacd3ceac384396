//! What can be wrong with a record file.

use std::fmt;
use std::io;

/// Why a record file cannot be read or trusted from some place on. Games are counted from 1.
#[derive(Debug)]
pub enum RecordError {
    /// The system could not read it.
    Read(io::Error),
    /// It is not a record file.
    NotARecord,
    /// It has a format that this version does not know.
    Format(u8),
    /// The header is damaged.
    Header,
    /// It ends before its end mark.
    Truncated {
        /// Whole games before the end.
        games: u64,
    },
    /// A game's checksum does not match, or its bytes make no sense.
    Damaged {
        /// Which game.
        game: u64,
    },
    /// The end mark has another number of games, or something follows it.
    End,
    /// A game breaks the rules.
    Illegal {
        /// Which game.
        game: u64,
        /// How.
        error: ReplayError,
    },
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Read(error) => error.fmt(f),
            RecordError::NotARecord => f.write_str("is not a record of games"),
            RecordError::Format(format) => {
                write!(f, "has format {format}, which this version does not know")
            }
            RecordError::Header => f.write_str("is damaged before its first game"),
            RecordError::Truncated { games: 1 } => f.write_str("is cut off after one whole game"),
            RecordError::Truncated { games } => write!(f, "is cut off after {games} whole games"),
            RecordError::Damaged { game } => write!(f, "is damaged in game {game}"),
            RecordError::End => f.write_str("is damaged at its end"),
            RecordError::Illegal { game, error } => {
                write!(f, "breaks the rules in game {game}, {error}")
            }
        }
    }
}

impl std::error::Error for RecordError {}

impl From<io::Error> for RecordError {
    fn from(error: io::Error) -> RecordError {
        RecordError::Read(error)
    }
}

/// How a recorded game breaks the rules. Moves are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// The variant has no such start position.
    Start,
    /// A slide that changes nothing.
    Slide(u64),
    /// A new tile on a cell that is not empty.
    Place(u64),
    /// A new tile that the spawn rule does not have.
    Tile(u64),
    /// The final score is wrong, after this many moves.
    Score(u64),
    /// The recorded ending is wrong, after this many moves.
    Ending(u64),
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::Start => {
                f.write_str("before move 1: not a start position of this variant")
            }
            ReplayError::Slide(n) => write!(f, "move {n}: the slide is not legal"),
            ReplayError::Place(n) => write!(f, "move {n}: the new tile is not on an empty cell"),
            ReplayError::Tile(n) => write!(f, "move {n}: this tile cannot spawn"),
            ReplayError::Score(n) => write!(f, "after move {n}: the score is wrong"),
            ReplayError::Ending(n) => write!(f, "after move {n}: the ending is wrong"),
        }
    }
}

impl std::error::Error for ReplayError {}
