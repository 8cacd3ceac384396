//! Checkerboard patterns: the answers of `checkerboard`.

use schemars::JsonSchema;
use serde::Serialize;

words! {
    /// How it is known whether a pattern can be reached.
    CheckerboardMethod {
        /// A sequence known in closed form was replayed.
        Construction = "construction",
        /// All games were followed from the empty board.
        Search = "search",
        /// All games that could end with the pattern were taken back.
        Retrograde = "retrograde",
        /// Proven for all boards of this kind; not searched here.
        Theorem = "theorem",
    }
}

/// Which checkerboard patterns can be reached.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CheckerboardAnswer {
    /// Rows and columns.
    pub shape: String,
    /// Whether tiles fall into the topmost, then leftmost empty cell.
    pub deterministic: bool,
    /// Whether one of the patterns can be reached.
    pub reachable: bool,
    /// Sequences to the patterns; null if they were not counted.
    pub sequences: Option<u128>,
    /// A game to a pattern; null if there is none.
    pub example: Option<ExampleGame>,
    /// The patterns.
    pub patterns: Vec<PatternAnswer>,
    /// Positions of all games; null if they were not counted.
    pub positions: Option<u64>,
    /// Time it took.
    pub seconds: f64,
}

/// One of the two patterns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PatternAnswer {
    /// Tile in the upper left corner, 2 or 4.
    pub corner: u8,
    /// Whether the pattern can be reached.
    pub reachable: bool,
    /// How this is known.
    pub method: CheckerboardMethod,
    /// Sequences to the pattern; null if they were not counted.
    pub sequences: Option<u128>,
    /// Boards visited when games were taken back; null otherwise.
    pub positions: Option<u64>,
    /// The moves of a game to the pattern; null if there is none.
    pub example: Option<String>,
}

/// A game from the empty board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExampleGame {
    /// Number of drops.
    pub drops: usize,
    /// The slides, one of the letters `L R U D` each.
    pub slides: String,
    /// Drops as (row,column) from (1,1), with the slides between them: `(1,1)R(1,1)`.
    pub moves: String,
    /// The last board.
    pub board: String,
    /// Value of its largest tile.
    pub largest: u128,
    /// The boards after each drop; absent unless asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boards: Option<Vec<String>>,
}

words! {
    /// What a game is to reach.
    EndingTask {
        /// A board full of 2s and 4s.
        Fill = "fill",
        /// A full board without a legal slide.
        DeadEnd = "dead_end",
    }
}

/// A game to a full board.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct EndingAnswer {
    /// Rows and columns.
    pub shape: String,
    /// What the game reaches.
    pub task: EndingTask,
    /// Seed of the search; null if none was needed.
    pub seed: Option<u64>,
    /// Number of drops.
    pub drops: usize,
    /// No dead end takes fewer drops than this.
    pub fewest_imaginable: u32,
    /// Whether no dead end takes fewer drops than this game.
    pub minimal: bool,
    /// The game.
    pub example: ExampleGame,
    /// Time it took.
    pub seconds: f64,
}
