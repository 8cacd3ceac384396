//! Slider against Dropper: the answers of `prove`.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Device, ProcessReport, Walls, Winner};

words! {
    /// How a contest was decided.
    ProveEngine {
        /// Depth-first search with a table of proven positions.
        Search = "search",
        /// Backward through every position that can arise, layer by layer.
        Layers = "layers",
        /// Backward through sets of positions, kept as decision diagrams.
        Bdd = "bdd",
    }
}

/// Who wins a contest; part of every answer that decides one.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ContestAnswer {
    /// Rows and columns.
    pub shape: String,
    /// The target tile.
    pub to: u128,
    /// The walls.
    #[serde(flatten)]
    pub walls: Walls,
    /// The tiles that Dropper may drop, such as `2,4`.
    pub drops: String,
    /// Who wins from the empty board, with Dropper to drop first.
    pub winner: Winner,
    /// How the contest was decided.
    pub engine: ProveEngine,
    /// Positions visited: afterstates for `search`, live states for `layers`, winning boards of
    /// the computed side for `bdd`.
    pub visited: u128,
    /// Time it took.
    pub seconds: f64,
}

/// A contest decided by search.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ProveSearchAnswer {
    /// Who wins.
    #[serde(flatten)]
    pub contest: ContestAnswer,
    /// Number of threads.
    pub threads: usize,
    /// Size of the table of proven positions.
    pub table_bytes: u64,
    /// Slack of the family of strategies that decided the contest; null for none.
    pub slack: Option<u32>,
    /// Smallest tile of the family's chain; null for no chain.
    pub chain: Option<u128>,
    /// The strategy that was written; null if none was asked for.
    pub strategy: Option<WrittenStrategy>,
}

/// A strategy in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WrittenStrategy {
    /// The file.
    pub file: PathBuf,
    /// Positions that it lists.
    pub positions: usize,
    /// Size of the file.
    pub bytes: u64,
}

/// A contest decided by layers.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ProveLayersAnswer {
    /// Who wins.
    #[serde(flatten)]
    pub contest: ContestAnswer,
    /// Live states that Slider wins.
    pub winning: u64,
    /// Reachable states without a legal slide.
    pub lost: u64,
    /// Afterstates without the target tile.
    pub afterstates: u64,
    /// Afterstates that Slider wins.
    pub winning_afterstates: u64,
    /// All layers with a live state, by tile sum.
    pub layers: Vec<ProveLayer>,
    /// Seconds for counting the states.
    pub count_seconds: f64,
    /// Where the work was done.
    pub device: Device,
    /// Number of threads.
    pub threads: usize,
    /// Peak memory of the process; null where it is unknown.
    pub peak_memory_bytes: Option<u64>,
    /// What each process did, if several shared the work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processes: Option<Vec<ProcessReport>>,
}

/// A layer of a contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProveLayer {
    /// Tile sum.
    pub sum: u32,
    /// Live states.
    pub states: u64,
    /// Live states that Slider wins.
    pub winning: u64,
    /// Afterstates without the target tile.
    pub afterstates: u64,
    /// Afterstates that Slider wins.
    pub winning_afterstates: u64,
}

words! {
    /// How the value of a cell becomes bits.
    BddEncoding {
        /// Binary numbers, in diagrams with complement edges.
        Binary = "binary",
        /// One bit per value, in diagrams with complement edges.
        OneHot = "one_hot",
        /// One bit per value, in zero-suppressed diagrams.
        ZeroSuppressed = "zero_suppressed",
    }
}

words! {
    /// The order in which diagrams decide the cells of a board.
    BddOrder {
        /// Row by row.
        Rows = "rows",
        /// Column by column.
        Columns = "columns",
        /// Row by row, every second row backward.
        Snake = "snake",
        /// Diagonal by diagonal.
        Diagonals = "diagonals",
    }
}

words! {
    /// How boards are divided into sweep lines.
    BddSweep {
        /// By the sum of their tiles.
        Sum = "sum",
        /// By their largest tile and how often it occurs.
        Largest = "largest",
        /// One sweep line with all boards.
        None = "none",
    }
}

/// A contest decided by decision diagrams.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ProveBddAnswer {
    /// Who wins.
    #[serde(flatten)]
    pub contest: ContestAnswer,
    /// How the value of a cell becomes bits.
    pub encoding: BddEncoding,
    /// The order of the cells.
    pub order: BddOrder,
    /// How boards are divided into sweep lines.
    pub sweep: BddSweep,
    /// Whose winning boards were computed.
    pub side: Winner,
    /// Whether boards that no game can reach were left out.
    pub constrain: bool,
    /// Whether all boards were solved.
    pub strong: bool,
    /// Number of threads.
    pub threads: usize,
    /// Number of variables of the diagrams.
    pub variables: u32,
    /// The sweep lines, in the order in which they were solved.
    pub sweep_lines: Vec<SweepLineAnswer>,
    /// Number of sweep lines.
    pub lines: usize,
    /// Steps of all sweep lines.
    pub iterations: u64,
    /// Winning boards of all sweep lines, with either player to move.
    pub states: u128,
    /// Nodes of all winning sets.
    pub nodes: u64,
    /// Bytes of these nodes per winning board; null without a winning board.
    pub bytes_per_state: Option<f64>,
    /// Nodes of the largest winning set.
    pub largest_nodes: u64,
    /// The most nodes kept at the end of a step, garbage included.
    pub peak_nodes: u64,
}

/// A sweep line.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SweepLineAnswer {
    /// Name: `sum 128`, `(8,2)` for two tiles of 2^8 and none larger, or `all`.
    pub line: String,
    /// Steps until nothing was added.
    pub iterations: u64,
    /// Time it took.
    pub seconds: f64,
    /// Nodes of its winning sets.
    pub nodes: u64,
    /// Its winning boards, with either player to move.
    pub states: u128,
    /// Bytes of the nodes per winning board; null without a winning board.
    pub bytes_per_state: Option<f64>,
}

/// The largest tile that Slider can force.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ProveBestAnswer {
    /// Rows and columns.
    pub shape: String,
    /// The tiles that Dropper may drop, such as `2,4`.
    pub drops: String,
    /// How the contests were decided.
    pub engine: ProveEngine,
    /// The largest tile that Slider can force, among those tried.
    pub best: u128,
    /// Whether the next tile is proven to be out of reach, rather than not tried.
    pub settled: bool,
    /// What is known about each target, from the smallest.
    pub evidence: Vec<ProveEvidence>,
    /// Time it took.
    pub seconds: f64,
}

words! {
    /// Why a winner is known.
    EvidenceSource {
        /// A search of the contest.
        Search = "search",
        /// The tile is dropped, or made of two tiles that are.
        Drop = "drop",
        /// The board has too few cells for the tile.
        Cells = "cells",
    }
}

/// Who wins one target, and why this is known.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ProveEvidence {
    /// The target tile.
    pub to: u128,
    /// Who wins.
    pub winner: Winner,
    /// Why this is known.
    pub by: EvidenceSource,
    /// Positions visited.
    pub visited: u64,
    /// Time it took.
    pub seconds: f64,
}

/// Whether a written strategy wins. Fields of a strategy that does not are null.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct StrategyCheckAnswer {
    /// Whether the strategy wins whatever the other player does.
    pub ok: bool,
    /// The file.
    pub file: PathBuf,
    /// Rows and columns.
    pub shape: Option<String>,
    /// The target tile.
    pub to: Option<u128>,
    /// The tiles that Dropper may drop, such as `2,4`.
    pub drops: Option<String>,
    /// Who wins with the strategy.
    pub winner: Option<Winner>,
    /// Positions that it lists.
    pub positions: Option<u64>,
    /// Positions that arise, up to symmetry.
    pub used: Option<u64>,
    /// Drops and slides of the other player that were followed.
    pub replies: Option<u64>,
    /// What is wrong; null if the strategy wins.
    pub broken: Option<String>,
    /// Time it took.
    pub seconds: f64,
}
