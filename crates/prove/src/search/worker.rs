//! The depth-first walk of one thread.

use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tilebase_game::Board;
use tilebase_util::progress::Progress;

use super::move_ordering::MoveOrdering;
use super::numbering::BoardNumbering;
use super::table::ProofTable;
use crate::contest::Contest;
use crate::family::FamilyFilter;

/// Positions between two looks at what other threads say.
const REPORT: u64 = 1 << 10;

/// What all threads share.
pub struct SharedSearch<'a> {
    pub contest: &'a Contest,
    pub numbering: &'a BoardNumbering,
    pub order: &'a MoveOrdering,
    pub table: &'a RwLock<ProofTable>,
    /// The positions that Slider allows.
    pub family_filter: FamilyFilter,
    /// Bytes that the table may take.
    pub memory: u64,
    /// Set when the walk is over, for whatever reason.
    pub stop: &'a AtomicBool,
    /// Set when it is over because the table could not grow.
    pub full: &'a AtomicBool,
    /// Positions visited by all threads.
    pub visited: &'a AtomicU64,
    /// Whom to ask whether to go on, where there is no second thread that does.
    pub alone: Option<&'a dyn Progress>,
}

/// A state that is not settled: where its slides lead.
#[derive(Clone, Copy)]
struct OpenState {
    sum: u32,
    /// The score of the best option.
    best: f32,
    /// Afterstates, best first.
    options: [(f32, Board); 4],
    len: u8,
}

/// One thread's walk.
pub struct Worker<'a> {
    shared: &'a SharedSearch<'a>,
    /// Threads take the drops in different orders, so that each finds work that no other
    /// has begun, and what the others have settled.
    thread: usize,
    /// States of all positions on the path that are still to be settled.
    open: Vec<OpenState>,
    /// Afterstates of the position being looked at, and their numbers.
    options: Vec<(Board, u64)>,
    /// For each state of the position being looked at: its sum and its number of options.
    states: Vec<(u32, usize)>,
    visited: u64,
}

/// The walk was stopped.
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

    /// Whether Slider wins from a canonical afterstate that is not settled, Dropper to drop.
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

    /// Tells how far the walk is, and whether to go on.
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

    /// Positions visited that no report has told of.
    pub fn unreported(&self) -> u64 {
        self.visited % REPORT
    }

    /// Puts the states after all drops that are not settled on the stack, the worst for
    /// Slider first. False if one of them is lost.
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
            let turn = self.thread % open.len();
            open.rotate_left(turn);
        }
        true
    }

    /// Lists where all slides after all drops lead, but for states where a slide makes the
    /// target. False if a state has no option left.
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
                if sum > shared.family_filter.deadline() {
                    return false;
                }
                let from = self.options.len();
                let slides = shared.contest.rules().slides(state);
                if slides.iter().any(|slide| slide.reaches(target)) {
                    continue;
                }
                let allowed =
                    |slide: &Board| *slide != state && shared.family_filter.admit(*slide, sum);
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
        let Some(left) = self.shared.family_filter.deadline().checked_sub(sum) else {
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

    /// Whether Slider wins from a state. Positions that are settled by now go first.
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
