//! Searches with a limit and a clock, behind one interface for all evaluations.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use tilebase_expectimax::{Advice, Evaluation, ExpectimaxOptions, ExpectimaxSearch, SearchLimit};
use tilebase_game::{Board, Move, Rules, Spawn};
use tilebase_util::progress::Moment;

/// How an expectimax player searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchConfig {
    /// When a search stops.
    pub limit: SearchLimit,
    /// What it may prune, and where it extends.
    pub options: ExpectimaxOptions,
    /// Time for each search; games then depend on the machine.
    pub time: Option<Duration>,
}

/// Searches one position after the other.
pub trait Searcher {
    /// The legal moves with their values, all searched to the same depth; `None` if there are
    /// none.
    fn advise(&mut self, board: Board) -> Option<Advice>;

    /// The best move, found faster; `None` if there is none.
    fn best_move(&mut self, board: Board) -> Option<Move>;

    /// The number of slides tried so far.
    fn slides(&self) -> u64;
}

/// A search with its limit and its clock. Generic, so that the evaluation is inlined.
pub(crate) struct ConfiguredSearch<'a, E: Evaluation> {
    search: ExpectimaxSearch<'a, E>,
    limit: SearchLimit,
    /// The time for each search, and the deadline of the current one.
    clock: Option<(Duration, Rc<Cell<Moment>>)>,
}

impl<'a, E: Evaluation> ConfiguredSearch<'a, E> {
    pub fn new(
        rules: Rules,
        spawn: Spawn,
        evaluation: &'a E,
        config: SearchConfig,
    ) -> ConfiguredSearch<'a, E> {
        let mut search = ExpectimaxSearch::new(rules, spawn, evaluation, config.options);
        let clock = config.time.map(|time| {
            let deadline = Rc::new(Cell::new(Moment::now()));
            let own = Rc::clone(&deadline);
            search.stop_if(Box::new(move || Moment::now() >= own.get()));
            (time, deadline)
        });
        ConfiguredSearch {
            search,
            limit: config.limit,
            clock,
        }
    }
}

impl<'a, E: Evaluation> ConfiguredSearch<'a, E> {
    /// Gives a running search up under a condition.
    pub fn abandon_if(&mut self, abandon: Box<dyn Fn() -> bool + 'a>) {
        self.search.abandon_if(abandon);
    }

    fn start_clock(&self) {
        if let Some((time, deadline)) = &self.clock {
            deadline.set(Moment::now().after(*time));
        }
    }
}

impl<E: Evaluation> Searcher for ConfiguredSearch<'_, E> {
    fn advise(&mut self, board: Board) -> Option<Advice> {
        self.start_clock();
        self.search.advise(board, self.limit)
    }

    fn best_move(&mut self, board: Board) -> Option<Move> {
        self.start_clock();
        self.search.best_move(board, self.limit)
    }

    fn slides(&self) -> u64 {
        self.search.slides()
    }
}
