//! Tables that can be asked: the answer of the API's `variants`, and the list of a static site.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Content, Game, ObjectiveInfo, Source};

/// The tables that can be asked.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Variants {
    /// The tables.
    pub variants: Vec<TableEntry>,
    /// Names of tables that are damaged.
    pub damaged: Vec<String>,
    /// Some of the small games that are solved on demand.
    pub on_demand: Vec<String>,
    /// The objectives that games can be solved for.
    pub objectives: Vec<ObjectiveInfo>,
}

/// A table.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TableEntry {
    /// The id by which it is asked, such as `3x3-to-512-win`.
    pub id: String,
    /// The game.
    #[serde(flatten)]
    pub game: Game,
    /// Rows and columns.
    pub shape: String,
    /// The target tile; null if play goes on until the game is lost.
    pub to: Option<u128>,
    /// How tiles spawn.
    pub spawn: String,
    /// Tiles on the board at the start.
    pub start_tiles: u16,
    /// Live states.
    pub states: u64,
    /// What is stored for each of them.
    pub content: Content,
    /// `table` if it was made before, `exact` if it was solved here.
    pub source: Source,
    /// Mean value of the start positions, weighted by their probability.
    pub start_value: Option<f64>,
    /// 1 minus the probability of winning from the start.
    pub start_complement: Option<f64>,
    /// Bound of the relative error of values.
    pub relative_error_bound: f64,
}
