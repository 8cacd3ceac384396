//! Plans: the answer of `plan` and of the API's `plan`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::SpawnRule;

words! {
    /// How a plan was searched for.
    PlanMethod {
        /// Beam search.
        Beam = "beam",
        /// A*.
        Astar = "astar",
        /// A* with a weighted heuristic.
        Weighted = "weighted",
        /// Greedy best-first search.
        Greedy = "greedy",
        /// Breadth-first search.
        Breadth = "breadth",
        /// Search for a plan that holds against an adversary.
        Guarantee = "guarantee",
    }
}

words! {
    /// Why the search for a plan ended.
    PlanEnd {
        /// The goal was made.
        Found = "found",
        /// Nothing was left to search.
        Exhausted = "exhausted",
        /// The limit of positions was reached.
        Nodes = "nodes",
        /// The limit of memory was reached.
        Memory = "memory",
        /// The search was stopped.
        Interrupted = "interrupted",
    }
}

/// A short sequence of slides to a tile.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Plan {
    /// Rows and columns.
    pub shape: String,
    /// The target tile.
    pub to: u128,
    /// Who says what spawns.
    pub spawn_rule: SpawnRule,
    /// How tiles spawn.
    pub spawn: String,
    /// Seed of the dice; null if none are thrown.
    pub seed: Option<u64>,
    /// The first board.
    pub start: String,
    /// How the plan was searched for.
    pub method: PlanMethod,
    /// Name of the heuristic; null if none was used.
    pub heuristic: Option<String>,
    /// How often adjacent propagation counts a corner; null for other heuristics.
    pub corners: Option<u8>,
    /// Width of the beam.
    pub width: Option<usize>,
    /// Weight of the heuristic in a weighted search.
    pub weight: Option<f64>,
    /// Whether the plan makes the target tile.
    pub reached: bool,
    /// Whether any plan does; null if that is unknown.
    pub reachable: Option<bool>,
    /// Whether no plan is shorter.
    pub optimal: bool,
    /// Slides of the plan; null if it does not make the target tile.
    pub steps: Option<usize>,
    /// A proven lower bound of `steps`.
    pub lower_bound: u128,
    /// Why the search ended.
    pub end: PlanEnd,
    /// The slides, one of the letters `L R U D` each. If the target tile is not made, those to
    /// the most promising position.
    #[schemars(regex(pattern = "^[LRUD]*$"))]
    pub moves: String,
    /// The tile that spawns after each slide; null if they follow from the rule and the boards
    /// are not listed.
    pub spawns: Option<Vec<SpawnedTile>>,
    /// The last board.
    pub board: String,
    /// Value of its largest tile.
    pub largest: u128,
    /// All boards from the first to the last; null if they were not asked for or are too many.
    pub boards: Option<Vec<String>>,
    /// Positions expanded.
    pub expanded: u64,
    /// Positions stored.
    pub stored: u64,
    /// Memory for each of them.
    pub bytes_per_node: f64,
    /// Time it took.
    pub seconds: f64,
}

/// A tile that spawned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SpawnedTile {
    /// The cell, numbered from 0 row by row.
    pub cell: u16,
    /// Value of the tile.
    pub tile: u128,
}

/// A comparison of heuristics with published figures.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PlanComparison {
    /// Who says what spawns.
    pub spawn_rule: SpawnRule,
    /// How the plans were searched for.
    pub method: PlanMethod,
    /// Width of the beams.
    pub width: usize,
    /// File of the chart; null if none was drawn.
    pub svg: Option<String>,
    /// One row per board, goal and heuristic.
    pub rows: Vec<ComparedPlan>,
}

/// A heuristic on one board and to one goal.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ComparedPlan {
    /// Rows and columns.
    pub shape: String,
    /// The target tile.
    pub to: u128,
    /// Name of the heuristic.
    pub heuristic: String,
    /// Slides of the plan; null if it does not make the target tile.
    pub steps: Option<usize>,
    /// A proven lower bound of `steps`.
    pub lower_bound: u128,
    /// Whether no plan is shorter.
    pub optimal: bool,
    /// Time it took.
    pub seconds: f64,
    /// Positions expanded.
    pub expanded: u64,
    /// Positions stored.
    pub stored: u64,
    /// Memory for each of them.
    pub bytes_per_node: f64,
    /// Published slides; null if there are none.
    pub published_steps: Option<u32>,
    /// Published time; null if there is none.
    pub published_seconds: Option<f64>,
    /// How many times as fast as published.
    pub faster: Option<f64>,
    /// Whether the plan has no more slides than published, in a fiftieth of the time.
    pub keeps_up: Option<bool>,
}
