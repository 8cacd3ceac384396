//! Slider against Dropper: the answer of the API's `strategy`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Direction, Winner};

/// The winner's choice in a position: a slide if Slider wins, a cell and a tile if Dropper does;
/// nulls where the winner never comes to the position or has nothing to choose.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Strategy {
    /// Rows and columns.
    pub shape: String,
    /// The target tile.
    pub to: u128,
    /// The tiles that Dropper may drop, such as `2,4`.
    pub drops: String,
    /// Who wins from the empty board.
    pub winner: Winner,
    /// Positions of the strategy; null where the target is out of reach whatever is done.
    pub positions: Option<usize>,
    /// The board of the request.
    pub board: String,
    /// Slider's move.
    #[serde(rename = "move")]
    pub direction: Option<Direction>,
    /// Dropper's cell, numbered from 0 row by row.
    pub cell: Option<u16>,
    /// Value of Dropper's tile.
    pub tile: Option<u128>,
}
