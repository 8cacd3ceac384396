//! plan

mod astar;
mod beam;
mod bound;
mod cost;
mod ground;
mod guarantee;
mod hash;
mod heuristic;
mod packed;
mod plan;
mod planner;
mod search;
mod table;
mod task;
mod tidy;
mod tree;
mod turn;
mod wide;

pub use bound::{by_merges, by_sum};
pub use cost::Cost;
pub use ground::{Tile, tiles};
pub use guarantee::guarantee;
pub use heuristic::{Corners, Heuristic, HeuristicError, value};
pub use plan::{Drop, Plan, PlanError};
pub use planner::{FIRST_WIDTH, Method, Options, Outcome, plan};
pub use search::{End, Limits, Work};
pub use table::{CELLS, PUBLISHED, Published, REPEATS, Row, TABLE_WIDTH, compare};
pub use task::{SpawnRule, Start, Task, TaskError};
