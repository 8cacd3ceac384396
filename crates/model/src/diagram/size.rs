//! The measures of a diagram.

use tilebase_game::Shape;

/// Side of a cell.
pub(super) const CELL: f64 = 21.0;
/// Between two cells, and around them.
pub(super) const LINE: f64 = 2.5;
/// Between the dots of two actions of a state.
pub(super) const SLOT: f64 = 19.0;
/// Height of an action's dot.
pub(super) const DOT: f64 = 15.0;
/// Height of a gate.
pub(super) const GATE: f64 = 11.0;
/// Between two states.
pub(super) const NODE_GAP: f64 = 16.0;
/// Room around the states of a group.
pub(super) const BOX_PAD: f64 = 8.0;
/// Room for a group's name.
pub(super) const BOX_LABEL: f64 = 12.0;
/// Room for a state's value.
pub(super) const VALUE: f64 = 15.0;
/// From a board to the dots of its actions.
pub(super) const LEAD: f64 = 24.0;
/// Around everything.
pub(super) const MARGIN: f64 = 24.0;
/// Room for the title and for the sums on top.
pub(super) const HEAD: f64 = 52.0;

/// The measures that depend on the shape.
pub(super) struct Size {
    pub(super) board_width: f64,
    pub(super) board_height: f64,
}

impl Size {
    pub(super) fn new(shape: Shape) -> Size {
        let side = |cells: u8| f64::from(cells) * (CELL + LINE) + LINE;
        Size {
            board_width: side(shape.cols()),
            board_height: side(shape.rows()),
        }
    }

    /// The height that a state takes with its value and its actions' dots.
    pub(super) fn node_height(&self, has_value: bool, actions: usize) -> f64 {
        let value = if has_value { VALUE } else { 0.0 };
        (self.board_height + value).max(actions as f64 * SLOT)
    }
}

/// The width of an action's dot.
pub(super) fn dot_width(letters: u32) -> f64 {
    DOT.max(6.5 * f64::from(letters) + 7.0)
}
