//! What can be chosen: how boards are encoded, ordered and swept.

use std::fmt;
use std::str::FromStr;

/// How the value of a cell becomes bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CellEncoding {
    /// The number of the value in binary, in diagrams with complement edges.
    Binary,
    /// One bit for each value, in diagrams with complement edges.
    OneHot,
    /// One bit for each value, in zero-suppressed diagrams.
    ZeroSuppressed,
}

/// The order in which the cells of a board are decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CellOrder {
    /// Row after row, each from left to right.
    Rows,
    /// Column after column, each from top to bottom.
    Columns,
    /// Row after row, every second one from right to left.
    Snake,
    /// Diagonal after diagonal, from the upper left corner.
    Diagonals,
}

/// How the boards are cut into parts that are done one after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sweep {
    /// By the sum of the tiles: one step a sum, largest sum first.
    Sum,
    /// By the largest tile and how many there are of it: a fixpoint for each.
    Largest,
    /// Not at all: one fixpoint of all boards.
    None,
}

/// Whose winning boards are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WinningSide {
    /// The boards from which Slider can force the tile.
    Slider,
    /// The boards from which Dropper can prevent it.
    Dropper,
}

/// All that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BddOptions {
    /// How the value of a cell becomes bits.
    pub encoding: CellEncoding,
    /// The order in which cells are decided.
    pub order: CellOrder,
    /// How the boards are cut into parts.
    pub sweep: Sweep,
    /// Whose winning boards are computed.
    pub side: WinningSide,
    /// Leave out boards on which a tile 2^i has fewer than i − 1 smaller cells beside it
    /// (i − 2 where 4s are dropped): they cannot arise.
    pub constrain: bool,
    /// Solve all boards, also those that cannot arise, and do not stop when the answer is
    /// known.
    pub strong: bool,
    /// How many threads work.
    pub threads: usize,
    /// About how many bytes of memory the diagrams may take.
    pub memory: u64,
}

impl Default for BddOptions {
    fn default() -> BddOptions {
        BddOptions {
            encoding: CellEncoding::Binary,
            order: CellOrder::Rows,
            sweep: Sweep::Sum,
            side: WinningSide::Dropper,
            constrain: false,
            strong: false,
            threads: 1,
            memory: 4 << 30,
        }
    }
}

/// A word that names none of the choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    word: String,
    known: &'static [&'static str],
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "'{}' is unknown: use {}",
            self.word,
            self.known.join(", ")
        )
    }
}

impl std::error::Error for UnknownName {}

/// Gives a choice its words, for arguments and reports alike.
macro_rules! words {
    ($choice:ident { $($variant:ident = $word:literal),* }) => {
        impl $choice {
            /// All choices, the default first.
            pub const ALL: &[$choice] = &[$($choice::$variant),*];
            const WORDS: &[&str] = &[$($word),*];
        }

        impl fmt::Display for $choice {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(match self { $($choice::$variant => $word),* })
            }
        }

        impl FromStr for $choice {
            type Err = UnknownName;

            fn from_str(word: &str) -> Result<$choice, UnknownName> {
                match word {
                    $($word => Ok($choice::$variant),)*
                    _ => Err(UnknownName { word: word.to_owned(), known: $choice::WORDS }),
                }
            }
        }
    };
}

words!(CellEncoding { Binary = "binary", OneHot = "one-hot", ZeroSuppressed = "zero-suppressed" });
words!(CellOrder { Rows = "rows", Columns = "columns", Snake = "snake", Diagonals = "diagonals" });
words!(Sweep { Sum = "sum", Largest = "largest", None = "none" });
words!(WinningSide { Dropper = "dropper", Slider = "slider" });
