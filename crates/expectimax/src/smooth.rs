//! A hand-written evaluation: large tiles, and neighbours that differ little.

use tilebase_game::{Board, Rules, Spawn};

use crate::evaluation::Evaluation;

/// The value of a lost state: so low that nothing makes up for it.
const LOST: f64 = -1e20;

/// Four times the sum of the tiles, less the differences between neighbours, doubled: the
/// evaluation of the JavaScript player by [sleepycoder](http://sleepycoder.github.io/2048/).
///
/// The original values a state, with the new tile on the board. This one values the
/// afterstate, as the mean over all spawns. Rows and columns add up, and a spawn changes one of
/// each, so a table by row stores both the row's own value and the change by spawns in it. One
/// lookup of eight lines replaces the last ply of the original search, about twenty states.
pub struct Smooth {
    rules: Rules,
    tiles: u64,
    rows: Box<[LineValue]>,
    /// Table of the columns; `None` if they are as long as the rows.
    columns: Option<Box<[LineValue]>>,
    /// The change by spawns in the lines of the 4×4 frame outside the shape.
    outside: i32,
}

/// Table entry of a row or column.
#[derive(Clone, Copy, Default)]
struct LineValue {
    /// Value of the line as it is.
    own: i32,
    /// Change by spawns, the mean over 2s and 4s, summed over the empty cells, in units of
    /// 1 / [`UNITS_PER_POINT`]. Integers make all images of a board equal to the last bit.
    change: i32,
}

/// Units of a line's change in a point. Changes are below 250 points.
const UNITS_PER_POINT: f64 = (1 << 20) as f64;

impl Smooth {
    /// The evaluation for a shape and its spawns.
    pub fn new(rules: Rules, spawn: Spawn) -> Smooth {
        let shape = rules.shape();
        let rows = lines(shape.cols(), spawn);
        let columns = (!shape.is_square()).then(|| lines(shape.rows(), spawn));
        let outside = i32::from(4 - shape.rows()) * rows[0].change
            + i32::from(4 - shape.cols()) * columns.as_ref().unwrap_or(&rows)[0].change;
        Smooth {
            rules,
            tiles: spawn.exponents().count() as u64,
            rows,
            columns,
            outside,
        }
    }
}

impl Evaluation for Smooth {
    #[inline]
    fn value(&self, afterstate: Board) -> f64 {
        let transposed = afterstate.transposed();
        let columns = self.columns.as_ref().unwrap_or(&self.rows);
        let (mut own, mut change) = (0, -self.outside);
        for r in 0..4 {
            let (row, column) = (
                self.rows[usize::from(afterstate.row(r))],
                columns[usize::from(transposed.row(r))],
            );
            own += row.own + column.own;
            change += row.change + column.change;
        }
        let empty = self.rules.empty_cells(afterstate).count_ones();
        f64::from(own) + f64::from(change) / (UNITS_PER_POINT * f64::from(empty))
    }

    fn lost(&self) -> f64 {
        LOST
    }

    #[inline]
    fn positions(&self, afterstate: Board) -> u64 {
        u64::from(self.rules.empty_cells(afterstate).count_ones()) * self.tiles
    }
}

/// The table of all lines with this many cells.
fn lines(cells: u8, spawn: Spawn) -> Box<[LineValue]> {
    let cell = |line: u16, at: u8| line >> (12 - 4 * at) & 15;
    let own = |line: u16| {
        // An empty cell counts 0, not 2^0.
        let tile = |at| (1i32 << cell(line, at)) & !1;
        // Half of the sum, as each tile is in a row and in a column.
        let sum: i32 = (0..cells).map(|at| 2 * tile(at)).sum();
        let differences: i32 = (1..cells).map(|at| (tile(at) - tile(at - 1)).abs()).sum();
        2 * (sum - differences)
    };
    let change = |line: u16| -> f64 {
        let empty = (0..cells).filter(|&at| cell(line, at) == 0);
        let with = |at: u8, e: u8| own(line | u16::from(e) << (12 - 4 * at)) - own(line);
        empty
            .flat_map(|at| spawn.exponents().map(move |e| (at, e)))
            .map(|(at, e)| spawn.probability(e) * f64::from(with(at, e)))
            .sum()
    };
    let line = |line: u16| LineValue {
        own: own(line),
        change: (change(line) * UNITS_PER_POINT).round() as i32,
    };
    (0..=u16::MAX).map(line).collect()
}
