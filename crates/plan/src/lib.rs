//! Short sequences of slides to a tile of 2048, on boards up to 32×32.
//!
//! When the new tiles are known or chosen, 2048 is a search problem: a [`Task`] says from where,
//! to which tile, and who says where tiles fall; [`plan`](plan()) answers it with an [`Outcome`],
//! whose [`Plan`] can be replayed. The four heuristics of L. Schipper's report on A* for 2048
//! (2019) are here as published, beside bounds that prove plans to be the shortest and a measure
//! with which narrow beams find such plans.
//!
//! ```
//! use tilebase_game::Spawn;
//! use tilebase_plan::{Options, SpawnRule, Start, Task, plan};
//! use tilebase_util::progress::Silent;
//!
//! let task = Task::new("32x32".parse()?, 8, Start::Tiles(2), Spawn::TWOS, SpawnRule::First, 0)?;
//! let outcome = plan(&task, &Options::default(), &Silent);
//! assert!(outcome.reached && outcome.optimal);
//! assert_eq!(outcome.plan.steps(), 133);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Trade-offs
//! Boards up to 4×4 and goals up to 32768 are packed in a word. All others are lists of their
//! tiles, at about a third of the speed on a board with few tiles, and are told apart by 128 bits
//! of hash rather than by themselves.

mod astar;
mod beam;
mod bound;
mod cost;
mod figure;
mod ground;
mod guarantee;
mod hash;
mod heuristic;
pub mod lower_bound;
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
pub use figure::comparison_svg;
pub use ground::{Tile, tiles};
pub use guarantee::guarantee;
pub use heuristic::{Corners, Heuristic, HeuristicError, value};
pub use plan::{Drop, Plan, PlanError};
pub use planner::{FIRST_WIDTH, Method, Options, Outcome, plan};
pub use search::{End, Limits, Work};
pub use table::{CELLS, PUBLISHED, Published, REPEATS, Row, TABLE_WIDTH, compare};
pub use task::{SpawnRule, Start, Task, TaskError};
