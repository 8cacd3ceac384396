//! Depth-first search of a contest.
//!
//! Dropper's positions, the afterstates, are kept in a table up to symmetry. Slider's are not,
//! since each leads to at most four afterstates. Three ideas keep the number of positions small:
//!
//! - **Proven wins first**: a state with a slide into a proven win is won, and its other slides
//!   are not searched.
//! - **Families of strategies** ([`Family`]): Slider keeps to afterstates in which small tiles
//!   have not piled up, or large ones form a chain. A win within a family is a win, and most
//!   positions are outside. If no strategy of the family wins, the search starts again with a
//!   larger family, in the end with all positions, and keeps the wins.
//! - **Move ordering**: Slider tries the move with the best score first, Dropper the drop that
//!   leaves Slider the worst.

mod numbering;

mod move_ordering;
mod table;
mod worker;

use std::fmt;
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tilebase_game::Board;
use tilebase_util::bytes_text;
use tilebase_util::progress::{Progress, Unit};

use crate::contest::{Contest, Winner};
use crate::family::{Family, FamilyFilter};
use numbering::BoardNumbering;

use move_ordering::MoveOrdering;
use table::ProofTable;
use worker::SharedSearch;

/// Options of a search.
#[derive(Clone, Copy, Debug)]
pub struct ProofSearchOptions {
    /// Number of threads, at least 1.
    pub threads: usize,
    /// Bytes that the table may take.
    pub memory: u64,
    /// The family of strategies to try first; `None` to let the program choose.
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

/// A contest decided by search.
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
    /// The table is full.
    Memory {
        /// Bytes allowed.
        allowed: u64,
        /// Positions in the table.
        positions: u64,
    },
    /// The search was interrupted.
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
    /// Decides a contest.
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
        // Not even cooperating players make it.
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
            let filter = FamilyFilter::new(contest, family);
            if search.stage(filter, &order, options, progress)? {
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

    /// Whether Slider wins with a strategy of one family.
    fn stage(
        &mut self,
        filter: FamilyFilter,
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
            filter,
            memory: options.memory,
            stop: &stop,
            full: &full,
            visited: &visited,
            alone: cfg!(target_family = "wasm").then_some(progress),
        };
        let found = shared.run(options.threads, self.stack(filter), progress)?;
        self.table = match table.into_inner() {
            Ok(table) => table,
            Err(poisoned) => poisoned.into_inner(),
        };
        self.visited += visited.load(Ordering::Relaxed);
        match found {
            Some(win) => Ok(win),
            None if full.load(Ordering::Relaxed) => Err(ProofSearchError::Memory {
                allowed: options.memory,
                positions: self.table.len() as u64,
            }),
            None => Err(ProofSearchError::Interrupted),
        }
    }

    /// Bytes of stack for the longest possible line of play: every drop adds to the tile sum.
    fn stack(&self, filter: FamilyFilter) -> usize {
        let largest = u64::from(self.contest.shape().cells()) << (self.contest.target() - 1);
        let sum = largest.min(u64::from(filter.deadline()));
        // Two calls per drop, of less than 512 bytes each.
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

    /// Positions visited.
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// The family of strategies of the last stage.
    pub fn family(&self) -> Family {
        self.family
    }

    /// Size of the table.
    pub fn table_bytes(&self) -> u64 {
        self.table.bytes()
    }

    /// Whether Slider wins from an afterstate without the target, if the table knows.
    pub(crate) fn known(&self, afterstate: Board) -> Option<bool> {
        let canonical = self.contest.rules().canonical(afterstate);
        self.table.get(self.numbering.number(canonical))
    }
}
