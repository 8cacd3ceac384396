//! Sets of cells.

use crate::board::Board;
use crate::shape::Shape;
use crate::symmetry::Symmetry;

/// Cells of the 4×4 frame: the bits that a [`Board`] has for them.
///
/// As text, a set is a hex number with one digit a cell of the shape, `f` for a cell of the set
/// and `0` for the others; zeros in front may be left out.
///
/// ```
/// use tilebase_game::{CellSet, Shape};
///
/// let shape: Shape = "4x4".parse().unwrap();
/// let cells = CellSet::parse("fff0fff", shape).unwrap();
/// assert_eq!(cells.len(), 6);
/// assert!(cells.contains(3, 3) && !cells.contains(3, 0));
/// assert_eq!(cells.hex(shape), "fff0fff");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellSet(u64);

impl CellSet {
    /// No cell.
    pub const EMPTY: CellSet = CellSet(0);

    const fn cell(row: u8, col: u8) -> u64 {
        0xf << Board::nibble(row, col)
    }

    /// All cells of a shape of at most 4×4.
    pub fn all(shape: Shape) -> CellSet {
        CellSet::where_(shape, |_, _| true)
    }

    /// The cells of a shape for which `choose` holds.
    fn where_(shape: Shape, choose: impl Fn(u8, u8) -> bool) -> CellSet {
        let mut set = 0;
        for row in 0..shape.rows().min(4) {
            for col in 0..shape.cols().min(4) {
                if choose(row, col) {
                    set |= CellSet::cell(row, col);
                }
            }
        }
        CellSet(set)
    }

    /// Reads a set of cells of a shape.
    pub fn parse(text: &str, shape: Shape) -> Option<CellSet> {
        let digits = text.trim().trim_start_matches("0x").to_ascii_lowercase();
        let cells = usize::from(shape.cells());
        let known = |digit: char| digit == '0' || digit == 'f';
        if digits.is_empty() || digits.len() > cells || !digits.chars().all(known) {
            return None;
        }
        let digits = format!("{digits:0>cells$}");
        let cols = usize::from(shape.cols());
        let at = |row: u8, col: u8| usize::from(row) * cols + usize::from(col);
        Some(CellSet::where_(shape, |row, col| {
            digits.as_bytes().get(at(row, col)) == Some(&b'f')
        }))
    }

    /// The set as text, without zeros in front.
    pub fn hex(self, shape: Shape) -> String {
        let text = self.board().hex(shape);
        let digits = text.trim_start_matches("0x").trim_start_matches('0');
        if digits.is_empty() { "0" } else { digits }.to_owned()
    }

    /// Whether a cell is in the set.
    pub const fn contains(self, row: u8, col: u8) -> bool {
        self.0 & CellSet::cell(row, col) != 0
    }

    /// Number of cells.
    pub const fn len(self) -> u32 {
        self.0.count_ones() / 4
    }

    /// Whether there is no cell.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether all cells are in another set.
    pub const fn is_subset(self, other: CellSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// The cells that are in this set or the other.
    #[must_use]
    pub const fn union(self, other: CellSet) -> CellSet {
        CellSet(self.0 | other.0)
    }

    /// The board with a wall on each cell.
    pub const fn board(self) -> Board {
        Board::from_bits(self.0)
    }

    /// The cells of a board that hold walls.
    #[inline]
    pub const fn walls(board: Board) -> CellSet {
        CellSet(board.walls())
    }

    /// Where a symmetry brings the cells of a board of a shape.
    #[must_use]
    pub fn image(self, shape: Shape, symmetry: Symmetry) -> CellSet {
        let mut set = 0;
        for row in 0..shape.rows().min(4) {
            for col in 0..shape.cols().min(4) {
                if self.contains(row, col) {
                    let (row, col) = symmetry.apply_to_cell(shape, row, col);
                    set |= CellSet::cell(row, col);
                }
            }
        }
        CellSet(set)
    }

    /// All sets of `number` cells of a shape that contain this set, smallest number first.
    pub fn extended_to(self, number: u32, shape: Shape) -> impl Iterator<Item = CellSet> {
        let all = CellSet::all(shape);
        let spread = |set: u16| {
            let cells = (0..16).filter(move |cell| set >> cell & 1 == 1);
            CellSet(cells.fold(0, |bits, cell| bits | 0xf << (4 * cell)))
        };
        (0..=u16::MAX)
            .filter(move |set| set.count_ones() == number)
            .map(spread)
            .filter(move |set| set.is_subset(all) && self.is_subset(*set))
    }
}
