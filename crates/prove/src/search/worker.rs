//! Depth-first search on several threads.

use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tilebase_game::Board;
use tilebase_util::progress::Progress;

use super::ProofSearchError;
use super::move_ordering::MoveOrdering;
use super::numbering::BoardNumbering;
use super::table::ProofTable;
use crate::contest::Contest;
use crate::family::FamilyFilter;

/// A thread reports, and looks for a reason to stop, after this many positions.
const REPORT: u64 = 1 << 10;

/// Data that all threads share.
pub struct SharedSearch<'a> {
    pub contest: &'a Contest,
    pub numbering: &'a BoardNumbering,
    pub order: &'a MoveOrdering,
    pub table: &'a RwLock<ProofTable>,
    /// The positions that Slider's family of strategies admits.
    pub filter: FamilyFilter,
    /// Bytes that the table may take.
    pub memory: u64,
    /// Set when the search is over, for whatever reason.
    pub stop: &'a AtomicBool,
    /// Set when it is over because the table could not grow.
    pub full: &'a AtomicBool,
    /// Positions visited by all threads.
    pub visited: &'a AtomicU64,
    /// For a search without a second thread that reports: where to report.
    pub alone: Option<&'a dyn Progress>,
}

impl SharedSearch<'_> {
    /// Searches from the empty board on several threads. The first one to know the answer stops
    /// the others; `None` if all were stopped.
    pub fn run(
        &self,
        threads: usize,
        stack: usize,
        progress: &dyn Progress,
    ) -> Result<Option<bool>, ProofSearchError> {
        std::thread::scope(|scope| {
            // A browser has one thread, whose stack has a fixed size.
            if self.alone.is_some() {
                return Ok(self.work(0));
            }
            let mut workers = Vec::new();
            for i in 0..threads.max(1) {
                let builder = std::thread::Builder::new().stack_size(stack);
                match builder.spawn_scoped(scope, move || self.work(i)) {
                    Ok(worker) => workers.push(worker),
                    Err(error) => {
                        self.stop.store(true, Ordering::Relaxed);
                        return Err(ProofSearchError::Thread(error));
                    }
                }
            }
            self.report_until(progress, || {
                workers.iter().all(|worker| worker.is_finished())
            });
            let joined = workers.into_iter().map(|worker| worker.join());
            Ok(joined
                .filter_map(|answer| match answer {
                    Ok(answer) => answer,
                    Err(panic) => std::panic::resume_unwind(panic),
                })
                .next())
        })
    }

    /// The search of one thread.
    fn work(&self, thread: usize) -> Option<bool> {
        let mut worker = Worker::new(self, thread);
        let win = worker.afterstate(Board::EMPTY, 0).ok();
        let unreported = worker.unreported();
        self.visited.fetch_add(unreported, Ordering::Relaxed);
        self.stop.store(true, Ordering::Relaxed);
        win
    }

    /// Reports progress, and passes an interrupt on, until the work is done.
    fn report_until(&self, progress: &dyn Progress, done: impl Fn() -> bool) {
        let mut reported = 0;
        while !done() {
            std::thread::park_timeout(Duration::from_millis(5));
            let visited = self.visited.load(Ordering::Relaxed);
            progress.advance(visited - reported);
            reported = visited;
            if progress.interrupted() {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
    }
}

/// A state that is not decided yet, with the afterstates of its slides.
#[derive(Clone, Copy)]
struct OpenState {
    sum: u32,
    /// Score of the best option.
    best: f32,
    /// Afterstates, best first.
    options: [(f32, Board); 4],
    len: u8,
}

/// The search of one thread.
pub struct Worker<'a> {
    shared: &'a SharedSearch<'a>,
    /// Threads take the drops in different orders, so that each finds work that no other has
    /// begun, and positions that others have decided.
    thread: usize,
    /// Undecided states of all positions on the path.
    open: Vec<OpenState>,
    /// Afterstates of the current position, and their numbers.
    options: Vec<(Board, u64)>,
    /// For each state of the current position: its sum and its number of options.
    states: Vec<(u32, usize)>,
    visited: u64,
}

/// The search was stopped.
pub struct Stopped;

impl<'a> Worker<'a> {
    pub fn new(shared: &'a SharedSearch<'a>, thread: usize) -> Worker<'a> {
        Worker {
            shared,
            thread,
            open: Vec::new(),
            options: Vec::new(),
            states: Vec::new(),
            visited: 0,
        }
    }

    /// Whether Slider wins from a canonical afterstate that is not in the table.
    pub fn afterstate(&mut self, board: Board, sum: u32) -> Result<bool, Stopped> {
        self.visited += 1;
        if self.visited.is_multiple_of(REPORT) {
            self.report()?;
        }
        let from = self.open.len();
        let win = match self.expand(board, sum) {
            false => false,
            true => self.all_won(from)?,
        };
        self.open.truncate(from);
        let number = self.shared.numbering.number(board);
        if number != 0 {
            self.settle(number, win)?;
        }
        Ok(win)
    }

    /// Reports progress; fails if the search was stopped.
    fn report(&self) -> Result<(), Stopped> {
        self.shared.visited.fetch_add(REPORT, Ordering::Relaxed);
        if let Some(progress) = self.shared.alone {
            progress.advance(REPORT);
            if progress.interrupted() {
                return Err(Stopped);
            }
        }
        match self.shared.stop.load(Ordering::Relaxed) {
            true => Err(Stopped),
            false => Ok(()),
        }
    }

    /// Positions visited since the last report.
    pub fn unreported(&self) -> u64 {
        self.visited % REPORT
    }

    /// Pushes the undecided states after all drops on the stack, the worst for Slider first.
    /// False if one of them is lost.
    fn expand(&mut self, board: Board, sum: u32) -> bool {
        let shared = self.shared;
        if !self.is_in_time(board, sum) || !self.gather(board, sum) {
            return false;
        }
        let Ok(table) = shared.table.read() else {
            return false;
        };
        let from = self.open.len();
        let mut options = self.options.iter();
        for &(sum, len) in &self.states {
            let mut open = OpenState {
                sum,
                best: f32::MIN,
                options: [(0.0, Board::EMPTY); 4],
                len: 0,
            };
            let mut won = false;
            for &(after, number) in options.by_ref().take(len) {
                match table.get(number) {
                    Some(true) => won = true,
                    Some(false) => (),
                    None if won => (),
                    None => {
                        open.options[usize::from(open.len)] = (shared.order.score(after), after);
                        open.len += 1;
                    }
                }
            }
            if won {
                continue;
            }
            if open.len == 0 {
                self.open.truncate(from);
                return false;
            }
            let found = &mut open.options[..usize::from(open.len)];
            found.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
            open.best = found[0].0;
            self.open.push(open);
        }
        let open = &mut self.open[from..];
        open.sort_unstable_by(|a, b| a.best.total_cmp(&b.best));
        if !open.is_empty() {
            let shift = self.thread % open.len();
            open.rotate_left(shift);
        }
        true
    }

    /// Lists the afterstates of all states after all drops, without states where a slide makes
    /// the target. False if a state has no option left.
    fn gather(&mut self, board: Board, sum: u32) -> bool {
        let shared = self.shared;
        let target = shared.contest.target();
        self.options.clear();
        self.states.clear();
        let mut cells = shared.contest.rules().empty_cells(board);
        while cells != 0 {
            let cell = cells & cells.wrapping_neg();
            cells ^= cell;
            for &exponent in shared.contest.drops().exponents() {
                let state = Board::from_bits(board.bits() | (cell * u64::from(exponent)));
                let sum = sum + (1 << exponent);
                if sum > shared.filter.deadline() {
                    return false;
                }
                let from = self.options.len();
                let slides = shared.contest.rules().slides(state);
                if slides.iter().any(|slide| slide.reaches(target)) {
                    continue;
                }
                let allowed = |slide: &Board| *slide != state && shared.filter.admit(*slide, sum);
                for slide in slides.into_iter().filter(allowed) {
                    let after = shared.contest.rules().canonical(slide);
                    self.options.push((after, shared.numbering.number(after)));
                }
                let len = self.options.len() - from;
                if len == 0 {
                    return false;
                }
                self.states.push((sum, len));
            }
        }
        true
    }

    /// Whether the target can be made by the deadline if the players work together and tiles
    /// may merge wherever they are: a tile of half the target's value is one merge away from
    /// it, one of a quarter two, and every merge of a chain takes a slide of its own.
    fn is_in_time(&self, board: Board, sum: u32) -> bool {
        let Some(left) = self.shared.filter.deadline().checked_sub(sum) else {
            return false;
        };
        let slides = left / (1 << self.shared.contest.drops().exponents()[0]);
        let target = u32::from(self.shared.contest.target());
        if slides + u32::from(self.shared.contest.drops().largest()) >= target {
            return true;
        }
        let least = target - slides;
        let of_use: u64 = (0..16)
            .map(|cell| (board.bits() >> (4 * cell) & 15) as u32)
            .filter(|&exponent| exponent >= least)
            .map(|exponent| 1u64 << exponent)
            .sum();
        of_use >= 1 << target
    }

    /// Whether Slider wins from all states on the stack from `from` on.
    fn all_won(&mut self, from: usize) -> Result<bool, Stopped> {
        for at in from..self.open.len() {
            let open = self.open[at];
            if !self.state(&open)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether Slider wins from a state. Positions decided meanwhile go first.
    fn state(&mut self, open: &OpenState) -> Result<bool, Stopped> {
        let options = &open.options[..usize::from(open.len)];
        if options
            .iter()
            .any(|&(_, after)| self.known(after) == Some(true))
        {
            return Ok(true);
        }
        for &(_, after) in options {
            let win = match self.known(after) {
                Some(win) => win,
                None => self.afterstate(after, open.sum)?,
            };
            if win {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn known(&self, after: Board) -> Option<bool> {
        let table = self.shared.table.read().ok()?;
        table.get(self.shared.numbering.number(after))
    }

    fn settle(&self, number: u64, win: bool) -> Result<(), Stopped> {
        let shared = self.shared;
        loop {
            if let Ok(table) = shared.table.read()
                && !table.is_crowded()
            {
                table.put(number, win);
                return Ok(());
            }
            let Ok(mut table) = shared.table.write() else {
                return Err(Stopped);
            };
            // Another thread may have done it meanwhile.
            if !table.is_crowded() {
                continue;
            }
            // The old table and one twice as large are there at once.
            if 3 * table.bytes() > shared.memory {
                shared.full.store(true, Ordering::Relaxed);
                shared.stop.store(true, Ordering::Relaxed);
                return Err(Stopped);
            }
            *table = table.grown();
        }
    }
}
