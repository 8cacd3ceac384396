//! The published evaluation: large tiles, and neighbours that differ little.

use tilebase_game::{Board, Rules, Spawn};

use crate::evaluation::Evaluation;

/// The worth of a dead state: so bad that nothing makes up for it.
const DEAD: f64 = -1e20;

/// Four times the sum of the tiles less the differences of neighbours, doubled: the
/// evaluation of the JavaScript player of [sleepycoder](http://sleepycoder.github.io/2048/).
///
/// It was published as the worth of a state with the new tile on the board. Here it is the
/// mean of that over all new tiles, for the board before one falls: rows and columns add
/// up, a new tile changes one of each, so a table by row has both a row's own worth and
/// what new tiles in it change. One look at eight lines thus stands for the last ply of
/// the published search, some twenty states.
pub struct Smooth {
    rules: Rules,
    tiles: u64,
    across: Box<[Line]>,
    /// Of columns; `None` if they are as long as the rows.
    down: Option<Box<[Line]>>,
    /// What the lines of the 4×4 frame outside the shape would change, if tiles fell there.
    outside: i32,
}

/// A row or a column.
#[derive(Clone, Copy, Default)]
struct Line {
    /// Its own worth.
    own: i32,
    /// What new tiles change, the mean over 2s and 4s, summed over its empty cells, in
    /// units of 1 / [`UNITS`]: whole numbers, so that all images of a board are worth the
    /// same to the last bit.
    change: i32,
}

/// Units of a line's change to a point: changes are below 250 points.
const UNITS: f64 = (1 << 20) as f64;

impl Smooth {
    /// The evaluation for the games on a shape.
    pub fn new(rules: Rules, spawn: Spawn) -> Smooth {
        let shape = rules.shape();
        let across = lines(shape.cols(), spawn);
        let down = (!shape.is_square()).then(|| lines(shape.rows(), spawn));
        let outside = i32::from(4 - shape.rows()) * across[0].change
            + i32::from(4 - shape.cols()) * down.as_ref().unwrap_or(&across)[0].change;
        Smooth {
            rules,
            tiles: spawn.exponents().count() as u64,
            across,
            down,
            outside,
        }
    }
}

impl Evaluation for Smooth {
    #[inline]
    fn worth(&self, after: Board) -> f64 {
        let columns = after.transposed();
        let down = self.down.as_ref().unwrap_or(&self.across);
        let (mut own, mut change) = (0, -self.outside);
        for r in 0..4 {
            let (row, column) = (
                self.across[usize::from(after.row(r))],
                down[usize::from(columns.row(r))],
            );
            own += row.own + column.own;
            change += row.change + column.change;
        }
        let empty = self.rules.empty_cells(after).count_ones();
        f64::from(own) + f64::from(change) / (UNITS * f64::from(empty))
    }

    fn lost(&self) -> f64 {
        DEAD
    }

    #[inline]
    fn positions(&self, after: Board) -> u64 {
        u64::from(self.rules.empty_cells(after).count_ones()) * self.tiles
    }
}

/// All lines of so many cells.
fn lines(cells: u8, spawn: Spawn) -> Box<[Line]> {
    let cell = |line: u16, at: u8| line >> (12 - 4 * at) & 15;
    let own = |line: u16| {
        // An empty cell counts nothing, not 2^0.
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
    let line = |line: u16| Line {
        own: own(line),
        change: (change(line) * UNITS).round() as i32,
    };
    (0..=u16::MAX).map(line).collect()
}
