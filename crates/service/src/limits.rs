//! Limits of requests and jobs.

use std::time::Duration;

/// Bytes of a request's body.
pub const BODY: usize = 1 << 20;
/// Boards of one request.
pub const BATCH: usize = 1000;
/// Moves of a game to review.
pub const GAME: usize = 20_000;
/// Moves of a game to review that have to be searched.
pub const SEARCHED_GAME: usize = 2000;
/// Time of a review with searches.
pub const REVIEW_TIME: Duration = Duration::from_secs(20);
/// Moves of a line.
pub const PLIES: u32 = 2000;

/// Slides that a search looks ahead.
pub const DEPTH: u8 = 8;
/// Positions after which a search without a depth goes no deeper.
pub const POSITIONS: u64 = 300_000;
/// Time of a search.
pub const SEARCH: Duration = Duration::from_secs(3);
/// Slides that a search looks ahead where a request has many positions.
pub const QUICK_DEPTH: u8 = 3;
/// Time after which the other positions of a request are searched one slide deep.
pub const BATCH_TIME: Duration = Duration::from_secs(15);

/// Time of a plan or a proof.
pub const THINKING_TIME: Duration = Duration::from_secs(8);
/// Memory of a plan or a proof.
pub const THINKING_MEMORY: u64 = 256 << 20;
/// Boards of a plan that are listed.
pub const LISTED_BOARDS: usize = 5000;
/// Slides that a plan may need at least.
pub const PLAN_SLIDES: u128 = 20_000;
/// Cells of a board in a plan.
pub const PLAN_CELLS: u16 = 64;
/// States of a game that is drawn.
pub const DRAWN_STATES: usize = 400;
/// Strategies that are kept.
pub const STRATEGIES: usize = 16;

/// Estimated disk space of a game that is solved on demand. On 3x3 the largest is 3x3 to 256.
pub const ON_DEMAND_DISK: u64 = 32 << 20;
/// Time after which solving on demand is given up.
pub const ON_DEMAND_TIME: Duration = Duration::from_secs(30);
/// Time after which formations of a position are not solved any more.
pub const FORMATION_TIME: Duration = Duration::from_millis(1500);
/// States and afterstates that can follow from a position of a formation that is solved.
pub const FORMATION_BOARDS: usize = 4_000_000;
/// States and afterstates of all solved positions of formations that are kept.
pub const KEPT_FORMATION_BOARDS: usize = 8_000_000;
/// Solved tables that are kept.
pub const CACHED_TABLES: usize = 24;
/// Estimated bytes up to which a table is kept in memory.
pub const IN_MEMORY: u64 = 128 << 20;
/// Memory of all tables that are kept there.
pub const CACHED_MEMORY: u64 = 512 << 20;
/// Bytes of all tables that are kept, on disk and in memory.
pub const CACHED_BYTES: u64 = 4 << 30;

/// Memory of a job.
pub const JOB_MEMORY: u64 = 2 << 30;
/// Estimated bytes of a job's table. A page has no disk to put it on.
pub const JOB_DISK: u64 = if cfg!(target_family = "wasm") {
    IN_MEMORY
} else {
    2 << 30
};
/// Time of a job.
pub const JOB: Duration = Duration::from_secs(1200);
