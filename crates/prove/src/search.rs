//! By search: positions are settled one by one, depth first, and only those that matter.
//!
//! Dropper's positions, the afterstates, are kept in a table up to symmetry; Slider's are not,
//! since each leads to at most four of them. Three ideas keep the number of positions small:
//!
//! - **What is proven is preferred**: a state with one slide into a position that is known
//!   to be won is won, and nothing else of it is looked at.
//! - **Tidiness**: Slider keeps to positions in which small tiles have not piled up, or large
//!   ones stand in a chain. A win by tidy positions alone is a win, and untidy ones are nearly
//!   all there are: they are dropped as soon as they arise. Where no tidy strategy wins the
//!   search starts again with more allowed, in the end with all, and keeps the wins.
//! - **Order**: Slider tries the move with the best score first, Dropper the drop that leaves
//!   Slider the worst.

mod coding;
mod limits;
mod order;
mod table;
mod walk;

use std::fmt;
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tilebase_game::Board;
use tilebase_util::progress::{Progress, Unit};

use crate::contest::{Contest, Winner};
use coding::Coding;
use limits::Limits;
pub use limits::Tidiness;
use order::Order;
use table::Table;
use walk::{Shared, Walk};

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct SearchOptions {
    /// Number of threads, from 1 on.
    pub threads: usize,
    /// Bytes of memory that the table may take.
    pub memory: u64,
    /// How tidy Slider is to be at first; none for the program's own choices.
    pub tidiness: Option<Tidiness>,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            threads: 1,
            memory: u64::MAX,
            tidiness: None,
        }
    }
}

/// A contest that was settled by search.
pub struct Search {
    contest: Contest,
    coding: Coding,
    table: Table,
    winner: Winner,
    visited: u64,
    tidiness: Tidiness,
}

/// Why a search has no answer.
#[derive(Debug)]
pub enum SearchError {
    /// The table is as large as it may be.
    Memory {
        /// Bytes that may be used.
        allowed: u64,
        /// Positions that were settled.
        positions: u64,
    },
    /// It was asked to stop.
    Interrupted,
    /// A thread could not be started.
    Thread(std::io::Error),
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchError::Memory { allowed, positions } => write!(
                f,
                "the table of positions is full: {positions} are settled in {} MiB; \
                 allow more with --memory",
                allowed >> 20
            ),
            SearchError::Interrupted => f.write_str("interrupted"),
            SearchError::Thread(error) => write!(f, "cannot start a thread: {error}"),
        }
    }
}

impl std::error::Error for SearchError {}

impl Search {
    /// Settles a contest.
    ///
    /// ```
    /// use tilebase_util::progress::Silent;
    /// use tilebase_prove::{Contest, Drops, Search, SearchOptions, Winner};
    ///
    /// let contest = Contest::new("2x2".parse()?, 4, Drops::Twos)?;
    /// let search = Search::run(&contest, &SearchOptions::default(), &Silent)?;
    /// assert_eq!(search.winner(), Winner::Slider);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run(
        contest: &Contest,
        options: &SearchOptions,
        progress: &dyn Progress,
    ) -> Result<Search, SearchError> {
        let mut search = Search {
            contest: *contest,
            coding: Coding::new(contest.target()),
            table: Table::new(),
            winner: Winner::Dropper,
            visited: 0,
            tidiness: Tidiness::ANY,
        };
        // Together the players cannot make it either.
        if contest.target() > contest.largest_exponent() {
            return Ok(search);
        }
        let order = Order::new();
        progress.begin(Unit::Boards, None);
        let stages = match options.tidiness {
            Some(tidiness) => vec![tidiness, Tidiness::ANY],
            None => Tidiness::stages(contest),
        };
        for tidiness in stages {
            progress.stage(&tidiness.to_string());
            search.tidiness = tidiness;
            let limits = Limits::new(contest, tidiness);
            if search.stage(limits, &order, options, progress)? {
                search.winner = Winner::Slider;
                break;
            }
            if tidiness != Tidiness::ANY {
                search.table = search.table.wins();
            }
        }
        progress.finish();
        Ok(search)
    }

    /// Whether Slider wins within limits.
    fn stage(
        &mut self,
        limits: Limits,
        order: &Order,
        options: &SearchOptions,
        progress: &dyn Progress,
    ) -> Result<bool, SearchError> {
        let table = RwLock::new(std::mem::replace(&mut self.table, Table::new()));
        let (stop, full) = (AtomicBool::new(false), AtomicBool::new(false));
        let visited = AtomicU64::new(0);
        let shared = Shared {
            contest: &self.contest,
            coding: &self.coding,
            order,
            table: &table,
            limits,
            memory: options.memory,
            stop: &stop,
            full: &full,
            visited: &visited,
            alone: cfg!(target_family = "wasm").then_some(progress),
        };
        let walk = |thread: usize| {
            let mut walk = Walk::new(&shared, thread);
            let win = walk.afterstate(Board::EMPTY, 0).ok();
            visited.fetch_add(walk.unreported(), Ordering::Relaxed);
            // The first to know the answer ends it for all.
            stop.store(true, Ordering::Relaxed);
            win
        };
        let answers = std::thread::scope(|scope| {
            // A browser has one thread, with a stack of a size settled when it was built.
            if shared.alone.is_some() {
                return Ok(walk(0));
            }
            let mut threads = Vec::new();
            for i in 0..options.threads.max(1) {
                let builder = std::thread::Builder::new().stack_size(self.stack(limits));
                match builder.spawn_scoped(scope, move || walk(i)) {
                    Ok(thread) => threads.push(thread),
                    Err(error) => {
                        stop.store(true, Ordering::Relaxed);
                        return Err(SearchError::Thread(error));
                    }
                }
            }
            let mut told = 0;
            while !threads.iter().all(|thread| thread.is_finished()) {
                std::thread::park_timeout(Duration::from_millis(5));
                let now = visited.load(Ordering::Relaxed);
                progress.advance(now - told);
                told = now;
                if progress.interrupted() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            let joined = threads.into_iter().map(|thread| thread.join());
            Ok(joined
                .filter_map(|answer| match answer {
                    Ok(answer) => answer,
                    Err(panic) => std::panic::resume_unwind(panic),
                })
                .next())
        })?;
        let visited = visited.load(Ordering::Relaxed);
        self.table = match table.into_inner() {
            Ok(table) => table,
            Err(poisoned) => poisoned.into_inner(),
        };
        self.visited += visited;
        match answers {
            Some(win) => Ok(win),
            None if full.load(Ordering::Relaxed) => Err(SearchError::Memory {
                allowed: options.memory,
                positions: self.table.len() as u64,
            }),
            None => Err(SearchError::Interrupted),
        }
    }

    /// Bytes of stack for the longest possible line of play: every drop adds to the tile sum.
    fn stack(&self, limits: Limits) -> usize {
        let largest = u64::from(self.contest.shape().cells()) << (self.contest.target() - 1);
        let sum = largest.min(u64::from(limits.deadline()));
        // Two calls a drop, of less than 512 bytes each.
        (1 << 20) + 1024 * (sum / 2) as usize
    }

    /// The contest.
    pub fn contest(&self) -> &Contest {
        &self.contest
    }

    /// Who wins.
    pub fn winner(&self) -> Winner {
        self.winner
    }

    /// Positions that were looked at.
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// How tidy Slider was in the last stage.
    pub fn tidiness(&self) -> Tidiness {
        self.tidiness
    }

    /// Bytes that the table takes.
    pub fn table_bytes(&self) -> u64 {
        self.table.bytes()
    }

    /// Whether Slider wins from an afterstate without the target, as far as it is settled.
    pub(crate) fn known(&self, afterstate: Board) -> Option<bool> {
        let canonical = self.contest.rules().canonical(afterstate);
        self.table.get(self.coding.number(canonical))
    }
}
