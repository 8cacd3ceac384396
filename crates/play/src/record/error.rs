//! What can be wrong with a file of games.

use std::fmt;
use std::io;

/// Why a file of games cannot be trusted from some place on. Games are counted from 1.
#[derive(Debug)]
pub enum RecordError {
    /// The system could not read it.
    Read(io::Error),
    /// It begins like no file of games.
    NotARecord,
    /// It is of a format that this version does not know.
    Format(u8),
    /// What it says before the first game is not what was written.
    Header,
    /// It ends before its end mark.
    Truncated {
        /// Games that are whole.
        games: u64,
    },
    /// A game's checksum does not match, or its bytes mean nothing.
    Damaged {
        /// Which game.
        game: u64,
    },
    /// Something follows the end mark, or the end mark counts other games.
    End,
    /// A game is not what the rules allow.
    Broken {
        /// Which game.
        game: u64,
        /// What is wrong with it.
        fault: Fault,
    },
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Read(error) => error.fmt(f),
            RecordError::NotARecord => {
                f.write_str("is no file of games: make one with 'tilebase play --record FILE'")
            }
            RecordError::Format(format) => write!(
                f,
                "has format {format}, which this version does not know: use a later version"
            ),
            RecordError::Header => f.write_str("is damaged before its first game"),
            RecordError::Truncated { games: 1 } => f.write_str("is cut off after one whole game"),
            RecordError::Truncated { games } => write!(f, "is cut off after {games} whole games"),
            RecordError::Damaged { game } => write!(f, "is damaged in game {game}"),
            RecordError::End => f.write_str("is damaged at its end"),
            RecordError::Broken { game, fault } => write!(f, "is broken in game {game}, {fault}"),
        }
    }
}

impl std::error::Error for RecordError {}

impl From<io::Error> for RecordError {
    fn from(error: io::Error) -> RecordError {
        RecordError::Read(error)
    }
}

/// Where a game departs from the rules. Moves are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The start position is none of the variant's.
    Start,
    /// A slide that changes nothing.
    Slide(u64),
    /// A new tile that falls where no empty cell is.
    Place(u64),
    /// A new tile that the spawn rule does not have.
    Tile(u64),
    /// The final score is another one, after so many moves.
    Score(u64),
    /// The game did not end as it says, after so many moves.
    Ending(u64),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Start => f.write_str("before move 1: no game starts from this position"),
            Fault::Slide(n) => write!(f, "move {n}: the slide is not legal"),
            Fault::Place(n) => write!(f, "move {n}: the new tile falls on no empty cell"),
            Fault::Tile(n) => write!(f, "move {n}: no such tile can fall"),
            Fault::Score(n) => write!(f, "after move {n}: the score is another one"),
            Fault::Ending(n) => write!(f, "after move {n}: the game did not end as it says"),
        }
    }
}

impl std::error::Error for Fault {}
