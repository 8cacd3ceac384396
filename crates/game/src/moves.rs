//! The four slides and sets of them.

use std::fmt;
use std::str::FromStr;

/// A slide of all tiles towards one wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Towards the first column.
    Left,
    /// Towards the last column.
    Right,
    /// Towards the first row.
    Up,
    /// Towards the last row.
    Down,
}

impl Move {
    /// All four, in the order in which they are always listed.
    pub const ALL: [Move; 4] = [Move::Left, Move::Right, Move::Up, Move::Down];

    /// Position in [`Move::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The name used on the command line and in JSON: `left`, `right`, `up`, `down`.
    pub const fn name(self) -> &'static str {
        match self {
            Move::Left => "left",
            Move::Right => "right",
            Move::Up => "up",
            Move::Down => "down",
        }
    }

    /// The letter used in compact sequences: `L`, `R`, `U`, `D`.
    pub const fn letter(self) -> char {
        match self {
            Move::Left => 'L',
            Move::Right => 'R',
            Move::Up => 'U',
            Move::Down => 'D',
        }
    }

    /// The move for a letter of a compact sequence.
    pub fn from_letter(letter: char) -> Option<Move> {
        Move::ALL.into_iter().find(|m| m.letter() == letter)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that is not the name of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveError(pub String);

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid move '{}': use left, right, up or down", self.0)
    }
}

impl std::error::Error for MoveError {}

impl FromStr for Move {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Move, MoveError> {
        Move::ALL
            .into_iter()
            .find(|m| m.name() == text)
            .ok_or_else(|| MoveError(text.to_owned()))
    }
}

/// A set of moves in four bits.
///
/// ```
/// use tilebase_game::{Move, MoveSet};
///
/// let set: MoveSet = [Move::Down, Move::Left].into_iter().collect();
/// assert!(set.contains(Move::Left) && !set.contains(Move::Up));
/// assert_eq!(set.to_string(), "LD");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MoveSet(u8);

impl MoveSet {
    /// No move.
    pub const EMPTY: MoveSet = MoveSet(0);

    /// The set whose bit i stands for `Move::ALL[i]`; higher bits are ignored.
    pub const fn from_bits(bits: u8) -> MoveSet {
        MoveSet(bits & 15)
    }

    /// Bit i stands for `Move::ALL[i]`.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Adds a move.
    pub fn insert(&mut self, m: Move) {
        self.0 |= 1 << m.index();
    }

    /// Whether the move is in the set.
    pub const fn contains(self, m: Move) -> bool {
        self.0 >> m.index() & 1 == 1
    }

    /// Number of moves in the set.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether no move is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The moves of the set in their usual order.
    pub fn iter(self) -> impl Iterator<Item = Move> {
        Move::ALL.into_iter().filter(move |&m| self.contains(m))
    }
}

impl FromIterator<Move> for MoveSet {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> MoveSet {
        let mut set = MoveSet::EMPTY;
        moves.into_iter().for_each(|m| set.insert(m));
        set
    }
}

impl fmt::Display for MoveSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.iter().map(Move::letter).collect::<String>())
    }
}
