//! How much one request, one job and all of them together may take.

use std::time::Duration;

/// Bytes of a request's body.
pub const BODY: usize = 1 << 20;
/// Boards in a batch.
pub const BATCH: usize = 1000;
/// Moves of a game to be judged.
pub const GAME: usize = 20_000;
/// Moves of a line.
pub const PLIES: u32 = 2000;

/// Slides that a search looks ahead.
pub const DEPTH: u8 = 8;
/// Positions that are enough for a search without a depth.
pub const POSITIONS: u64 = 300_000;
/// Time of a search.
pub const SEARCH: Duration = Duration::from_secs(3);

/// Time of a plan or a proof.
pub const THOUGHT: Duration = Duration::from_secs(8);
/// Memory of a plan or a proof.
pub const THOUGHT_MEMORY: u64 = 256 << 20;
/// Boards of a plan that are listed.
pub const LISTED: usize = 5000;
/// Slides that a plan has at least.
pub const SLIDES: u128 = 20_000;
/// Cells of a board in a plan.
pub const PLAN_CELLS: u16 = 64;
/// States of a game that is drawn.
pub const DRAWN: usize = 400;
/// Strategies that are kept.
pub const STRATEGIES: usize = 16;

/// Disk space of a game that is solved when it is asked for, as estimated: 3x3 to 256 is the
/// largest of its shape.
pub const SPOT_DISK: u64 = 32 << 20;
/// Time after which such a game is given up.
pub const SPOT: Duration = Duration::from_secs(30);
/// Tables that are solved here and kept.
pub const KEPT: usize = 24;
/// A table of up to this many bytes, as estimated, is kept in memory.
pub const IN_MEMORY: u64 = 128 << 20;
/// Memory of all that are.
pub const KEPT_MEMORY: u64 = 512 << 20;
/// Bytes of all tables that are kept, on disk and in memory.
pub const KEPT_BYTES: u64 = 4 << 30;

/// Memory of a job.
pub const JOB_MEMORY: u64 = 2 << 30;
/// Bytes of a job's table, as estimated. A page has no disk to put it on.
pub const JOB_DISK: u64 = if cfg!(target_family = "wasm") {
    IN_MEMORY
} else {
    2 << 30
};
/// Time of a job.
pub const JOB: Duration = Duration::from_secs(1200);
