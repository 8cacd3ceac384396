//! How far a search goes, and what it may skip.

/// The greatest depth of a search, in slides. No real search gets that far.
pub const MAX_DEPTH: u8 = 60;

/// What a search may prune, and where it extends. The transposition table changes no value
/// beyond the rounding of a sum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpectimaxOptions {
    /// Lines that arise with a smaller probability are not searched further. 0 prunes nothing.
    pub cutoff: f64,
    /// Slides whose one-ply value is below the best by more than this many points are not
    /// searched further. Infinity prunes nothing; `None` takes the evaluation's own margin.
    ///
    /// A trained evaluation knows the positions that arise when nearly the best moves are
    /// played, and no others. Searching bad slides deeper finds luck that is not there.
    pub pruning_margin: Option<f64>,
    /// Boards with more distinct tiles than this are searched one slide deeper for each tile
    /// above the number. `None` takes the evaluation's own number.
    ///
    /// A long chain of tiles that has yet to merge leaves few empty cells. Mistakes there are
    /// final, and few empty cells make deep searches cheap.
    pub extend_above: Option<u8>,
    /// The transposition table has 2^`table_bits` entries; 0 for no table.
    pub table_bits: u32,
}

impl Default for ExpectimaxOptions {
    fn default() -> ExpectimaxOptions {
        ExpectimaxOptions {
            cutoff: 0.0,
            pruning_margin: None,
            extend_above: None,
            table_bits: 15,
        }
    }
}

/// When a search stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchLimit {
    /// At this depth in slides, plus [extensions](ExpectimaxOptions::extend_above).
    Depth(u8),
    /// By iterative deepening: one slide deeper each time, until one search has seen enough
    /// positions.
    Positions {
        /// Depth of the first search.
        min_depth: u8,
        /// Positions that are enough.
        positions: u64,
    },
}
