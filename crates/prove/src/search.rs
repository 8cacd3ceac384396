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

mod numbering;

mod move_ordering;
mod table;
mod worker;

use std::fmt;
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tilebase_game::Board;
use tilebase_util::bytes_text;
use tilebase_util::progress::{Progress, Unit};

use crate::contest::{Contest, Winner};
use crate::family::{Family, FamilyFilter};
use numbering::BoardNumbering;

use move_ordering::MoveOrdering;
use table::ProofTable;
use worker::{SharedSearch, Worker};

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct ProofSearchOptions {
    /// Number of threads, from 1 on.
    pub threads: usize,
    /// Bytes of memory that the table may take.
    pub memory: u64,
    /// How tidy Slider is to be at first; none for the program's own choices.
    pub family: Option<Family>,
}

impl Default for ProofSearchOptions {
    fn default() -> ProofSearchOptions {
        ProofSearchOptions {
            threads: 1,
            memory: u64::MAX,
            family: None,
        }
    }
}

/// A contest that was settled by search.
pub struct ProofSearch {
    contest: Contest,
    numbering: BoardNumbering,
    table: ProofTable,
    winner: Winner,
    visited: u64,
    family: Family,
}

/// Why a search has no answer.
#[derive(Debug)]
pub enum ProofSearchError {
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

impl fmt::Display for ProofSearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProofSearchError::Memory { allowed, positions } => write!(
                f,
                "the table of proven positions is full: {positions} fit the {} allowed",
                bytes_text(*allowed)
            ),
            ProofSearchError::Interrupted => f.write_str("interrupted"),
            ProofSearchError::Thread(error) => write!(f, "cannot start a thread: {error}"),
        }
    }
}

impl std::error::Error for ProofSearchError {}

impl ProofSearch {
    /// Settles a contest.
    ///
    /// ```
    /// use tilebase_util::progress::Silent;
    /// use tilebase_prove::{Contest, DropTiles, ProofSearch, ProofSearchOptions, Winner};
    ///
    /// let contest = Contest::new("2x2".parse()?, 4, DropTiles::Twos)?;
    /// let search = ProofSearch::run(&contest, &ProofSearchOptions::default(), &Silent)?;
    /// assert_eq!(search.winner(), Winner::Slider);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run(
        contest: &Contest,
        options: &ProofSearchOptions,
        progress: &dyn Progress,
    ) -> Result<ProofSearch, ProofSearchError> {
        let mut search = ProofSearch {
            contest: *contest,
            numbering: BoardNumbering::new(contest.target()),
            table: ProofTable::new(),
            winner: Winner::Dropper,
            visited: 0,
            family: Family::ANY,
        };
        // Together the players cannot make it either.
        if contest.target() > contest.largest_exponent() {
            return Ok(search);
        }
        let order = MoveOrdering::new();
        progress.begin(Unit::Boards, None);
        let stages = match options.family {
            Some(family) => vec![family, Family::ANY],
            None => Family::stages(contest),
        };
        for family in stages {
            progress.stage(&family.to_string());
            search.family = family;
            let family_filter = FamilyFilter::new(contest, family);
            if search.stage(family_filter, &order, options, progress)? {
                search.winner = Winner::Slider;
                break;
            }
            if family != Family::ANY {
                search.table = search.table.wins();
            }
        }
        progress.finish();
        Ok(search)
    }

    /// Whether Slider wins within limits.
    fn stage(
        &mut self,
        family_filter: FamilyFilter,
        order: &MoveOrdering,
        options: &ProofSearchOptions,
        progress: &dyn Progress,
    ) -> Result<bool, ProofSearchError> {
        let table = RwLock::new(std::mem::replace(&mut self.table, ProofTable::new()));
        let (stop, full) = (AtomicBool::new(false), AtomicBool::new(false));
        let visited = AtomicU64::new(0);
        let shared = SharedSearch {
            contest: &self.contest,
            numbering: &self.numbering,
            order,
            table: &table,
            family_filter,
            memory: options.memory,
            stop: &stop,
            full: &full,
            visited: &visited,
            alone: cfg!(target_family = "wasm").then_some(progress),
        };
        let walk = |thread: usize| {
            let mut walk = Worker::new(&shared, thread);
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
                let builder = std::thread::Builder::new().stack_size(self.stack(family_filter));
                match builder.spawn_scoped(scope, move || walk(i)) {
                    Ok(thread) => threads.push(thread),
                    Err(error) => {
                        stop.store(true, Ordering::Relaxed);
                        return Err(ProofSearchError::Thread(error));
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
            None if full.load(Ordering::Relaxed) => Err(ProofSearchError::Memory {
                allowed: options.memory,
                positions: self.table.len() as u64,
            }),
            None => Err(ProofSearchError::Interrupted),
        }
    }

    /// Bytes of stack for the longest possible line of play: every drop adds to the tile sum.
    fn stack(&self, family_filter: FamilyFilter) -> usize {
        let largest = u64::from(self.contest.shape().cells()) << (self.contest.target() - 1);
        let sum = largest.min(u64::from(family_filter.deadline()));
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
    pub fn family(&self) -> Family {
        self.family
    }

    /// Bytes that the table takes.
    pub fn table_bytes(&self) -> u64 {
        self.table.bytes()
    }

    /// Whether Slider wins from an afterstate without the target, as far as it is settled.
    pub(crate) fn known(&self, afterstate: Board) -> Option<bool> {
        let canonical = self.contest.rules().canonical(afterstate);
        self.table.get(self.numbering.number(canonical))
    }
}
