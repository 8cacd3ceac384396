//! Results of a run.

use crate::{Contest, Winner};

use crate::bdd::diagrams::NODE_BYTES;
use crate::bdd::options::{BddOptions, CellEncoding, CellOrder, Sweep, WinningSide};

/// The outcome of a run and what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct BddReport {
    /// The question, such as `3x3-to-512-drops-2`.
    pub contest: String,
    /// Who wins from the empty board, Dropper first: `slider` or `dropper`.
    pub winner: Winner,
    /// How the value of a cell became bits.
    pub encoding: CellEncoding,
    /// The order in which cells were decided.
    pub order: CellOrder,
    /// How the boards were cut into sweep lines.
    pub sweep: Sweep,
    /// Whose winning boards were computed.
    pub side: WinningSide,
    /// Whether boards that cannot arise were left out.
    pub constrain: bool,
    /// Whether all boards were solved.
    pub strong: bool,
    /// How many threads worked.
    pub threads: usize,
    /// How many variables the diagrams have.
    pub variables: u32,
    /// The sweep lines, in the order in which they were done.
    pub sweep_lines: Vec<SweepLine>,
    /// How many sweep lines there were.
    pub lines: usize,
    /// Steps of all sweep lines together.
    pub iterations: u64,
    /// Winning boards of all sweep lines, those with Slider and those with Dropper to move.
    pub states: u128,
    /// Nodes of the winning sets of all sweep lines, added up.
    pub nodes: u64,
    /// Bytes of all those nodes for each of those boards.
    pub bytes_per_state: Option<f64>,
    /// Nodes of the largest diagram: a winning set of one sweep line, for one player to move.
    pub largest_nodes: u64,
    /// The most nodes that were kept at the end of a step, those waiting to be given back
    /// included.
    pub peak_nodes: u64,
    /// Seconds in all.
    pub seconds: f64,
}

/// Boards that are solved together.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepLine {
    /// Its name: `sum 128`, `(8,2)` for two tiles 2^8 and none larger, or `all`.
    pub line: String,
    /// How many steps its fixpoint took.
    pub iterations: u64,
    /// Seconds that it took.
    pub seconds: f64,
    /// Nodes of its winning sets for both players to move.
    pub nodes: u64,
    /// Its winning boards, those with Slider and those with Dropper to move.
    pub states: u128,
    /// Bytes of the nodes for each board.
    pub bytes_per_state: Option<f64>,
}

impl SweepLine {
    pub(crate) fn new(
        line: String,
        iterations: u64,
        seconds: f64,
        nodes: u64,
        states: u128,
    ) -> SweepLine {
        let bytes_per_state = bytes_per_state(nodes, states);
        SweepLine {
            line,
            iterations,
            seconds,
            nodes,
            states,
            bytes_per_state,
        }
    }
}

impl BddReport {
    pub(crate) fn new(
        contest: &Contest,
        options: &BddOptions,
        variables: u32,
        outcome: SweepOutcome,
    ) -> BddReport {
        let lines = outcome.sweep_lines;
        let states = lines.iter().map(|line| line.states).sum();
        let nodes = lines.iter().map(|line| line.nodes).sum();
        BddReport {
            contest: contest.to_string(),
            winner: outcome.winner,
            encoding: options.encoding,
            order: options.order,
            sweep: options.sweep,
            side: options.side,
            constrain: options.constrain,
            strong: options.strong,
            threads: options.threads,
            variables,
            lines: lines.len(),
            iterations: lines.iter().map(|line| line.iterations).sum(),
            states,
            nodes,
            bytes_per_state: bytes_per_state(nodes, states),
            largest_nodes: outcome.largest_nodes,
            peak_nodes: outcome.peak_nodes,
            seconds: outcome.seconds,
            sweep_lines: lines,
        }
    }
}

/// What a sweep found.
pub(crate) struct SweepOutcome {
    pub(crate) winner: Winner,
    pub(crate) sweep_lines: Vec<SweepLine>,
    pub(crate) largest_nodes: u64,
    pub(crate) peak_nodes: u64,
    pub(crate) seconds: f64,
}

fn bytes_per_state(nodes: u64, states: u128) -> Option<f64> {
    (states > 0).then(|| (nodes * NODE_BYTES) as f64 / states as f64)
}
