//! Short sequences of slides to a tile of 2048, on boards up to 32×32, and lower bounds.
//!
//! When the new tiles are known or chosen, 2048 is a search problem. A [`PlanTask`] states the
//! start, the goal tile and who decides where tiles fall; [`plan`](plan()) answers it with a
//! [`PlanOutcome`], whose [`Plan`] can be replayed. [`guarantee()`] is for tiles that an adversary
//! drops. The four heuristics of L. Schipper's report on A* for 2048 (2019) are here as published,
//! beside admissible bounds that prove plans to be the shortest, and a smoothness measure with
//! which narrow beams find such plans. [`compare`] sets them beside the published figures.
//!
//! [`lower_bound`] gives the distribution of the fewest moves to a tile under random spawns, for
//! any player on any board.
//!
//! ```
//! use tilebase_game::Spawn;
//! use tilebase_plan::{PlanOptions, SpawnRule, PlanStart, PlanTask, plan};
//! use tilebase_util::progress::Silent;
//!
//! let task = PlanTask::new("32x32".parse()?, 8, PlanStart::Tiles(2), Spawn::TWOS, SpawnRule::First, 0)?;
//! let outcome = plan(&task, &PlanOptions::default(), &Silent);
//! assert!(outcome.reached && outcome.optimal);
//! assert_eq!(outcome.plan.steps(), 133);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Trade-offs
//! Boards up to 4×4 with goals up to 32768 are packed in a word. All others are lists of their
//! tiles, which is about a third of the speed on a board with few tiles, and are identified by
//! a 128-bit hash instead of by themselves.

mod astar;
mod beam;
mod bound;
mod comparison;
mod comparison_chart;
mod cost;
mod guarantee;
mod hash;
mod heuristic;
pub mod lower_bound;
mod packed_space;
mod plan;
mod planner;
mod search;
mod smoothness;
mod sparse;
mod state_space;
mod successor;
mod task;
mod tile;
mod tree;

pub use bound::{merge_bound, sum_bound};
pub use comparison::{
    COMPARED, COMPARISON_WIDTH, ComparisonRow, PUBLISHED, PublishedFigure, REPEATS, compare,
};
pub use comparison_chart::comparison_svg;
pub use cost::HeuristicValue;
pub use guarantee::guarantee;
pub use heuristic::{Heuristic, HeuristicError, RingCorners, heuristic_value};
pub use plan::{Plan, PlanError, TileDrop};
pub use planner::{FIRST_WIDTH, PlanOptions, PlanOutcome, SearchMethod, plan};
pub use search::{SearchEnd, SearchLimits, SearchStats};
pub use task::{PlanStart, PlanTask, PlanTaskError, SpawnRule};
pub use tile::{Tile, tiles};
