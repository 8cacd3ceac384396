//! A winner's strategy, written down: one move for every position that can arise.

mod check;
mod plain_board;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, Write};

use tilebase_game::{Board, Move};

use crate::contest::{Contest, Winner};
use crate::search::ProofSearch;

pub use check::{CheckedStrategy, StrategyError, check_strategy};

/// The first line of a file.
pub(crate) const HEADING: &str = "tilebase strategy 1";
/// The last line of a file.
pub(crate) const END: &str = "end";

/// A player's choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrategyChoice {
    /// Slider slides.
    Slide(Move),
    /// Dropper drops a tile of an exponent on a cell, by row and column.
    Drop(u8, u8, u8),
}

/// The winner's choice in every position, up to symmetry, that can arise while the winner
/// keeps to it.
pub struct Strategy {
    contest: Contest,
    winner: Winner,
    choices: Vec<(Board, StrategyChoice)>,
}

impl Strategy {
    /// The strategy that a search has found.
    ///
    /// None if the players cannot make the target even together: there is nothing to choose.
    pub fn of(search: &ProofSearch) -> Option<Strategy> {
        let contest = *search.contest();
        if contest.target() > contest.largest_exponent() {
            return None;
        }
        let mut choices = match search.winner() {
            Winner::Slider => slides(search),
            Winner::Dropper => drops(search),
        };
        choices.sort_unstable_by_key(|&(board, _)| (board.sum(), board.bits()));
        Some(Strategy {
            contest,
            winner: search.winner(),
            choices,
        })
    }

    /// Positions with a choice.
    pub fn len(&self) -> usize {
        self.choices.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.choices.is_empty()
    }

    /// Who wins by it.
    pub fn winner(&self) -> Winner {
        self.winner
    }

    /// The winner's choice on a board, which for Slider is a state and for Dropper an
    /// afterstate, in any of its symmetries. `None` where the winner never comes.
    pub fn choice(&self, board: Board) -> Option<StrategyChoice> {
        let rules = self.contest.rules();
        let canonical = rules.canonical(board);
        let key = |board: Board| (board.sum(), board.bits());
        let places = &self.choices;
        let at = places.binary_search_by_key(&key(canonical), |&(board, _)| key(board));
        // The choice is one of the canonical board: on this one it is what leads to the same
        // position.
        match places.get(at.ok()?)?.1 {
            StrategyChoice::Slide(m) => {
                let after = rules.canonical(rules.slide(canonical, m));
                let legal = rules.legal_moves(board);
                let same = |m: &Move| rules.canonical(rules.slide(board, *m)) == after;
                legal.iter().find(same).map(StrategyChoice::Slide)
            }
            StrategyChoice::Drop(exponent, row, col) => {
                let after = rules.canonical(canonical.with(row, col, exponent));
                let shape = rules.shape();
                let cells = (0..shape.rows()).flat_map(|r| (0..shape.cols()).map(move |c| (r, c)));
                let empty = cells.filter(|&(row, col)| board.get(row, col) == 0);
                let mut drops = empty.map(|(row, col)| (row, col, board.with(row, col, exponent)));
                let found = drops.find(|&(.., dropped)| rules.canonical(dropped) == after);
                found.map(|(row, col, _)| StrategyChoice::Drop(exponent, row, col))
            }
        }
    }

    /// Writes the strategy as text: a heading, then one line a position, by tile sum.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        let (contest, winner) = (self.contest, self.winner);
        writeln!(out, "{HEADING}")?;
        writeln!(out, "contest {contest}")?;
        writeln!(out, "winner {winner}")?;
        writeln!(out, "positions {}", self.choices.len())?;
        for &(board, choice) in &self.choices {
            // Packed boards have no exponent above 15.
            let hex = board.unpack(contest.shape()).hex().unwrap_or_default();
            match choice {
                StrategyChoice::Slide(m) => writeln!(out, "{hex} {}", m.letter())?,
                StrategyChoice::Drop(exponent, row, col) => {
                    writeln!(out, "{hex} {}@{},{}", 1 << exponent, row + 1, col + 1)?;
                }
            }
        }
        writeln!(out, "{END}")
    }
}

/// All states that Dropper can bring about from an afterstate.
fn states_after(search: &ProofSearch, afterstate: Board) -> Vec<(Board, StrategyChoice)> {
    let rules = search.contest().rules();
    let shape = rules.shape();
    let cells = (0..shape.rows()).flat_map(|row| (0..shape.cols()).map(move |col| (row, col)));
    let empty = cells.filter(|&(row, col)| afterstate.get(row, col) == 0);
    let exponents = search.contest().drops().exponents();
    empty
        .flat_map(|(row, col)| {
            let drop = move |&e: &u8| {
                (
                    afterstate.with(row, col, e),
                    StrategyChoice::Drop(e, row, col),
                )
            };
            exponents.iter().map(drop)
        })
        .collect()
}

/// Slider's moves, layer by layer. In each layer the moves that lead many states to the same
/// afterstate are preferred, which keeps the strategy short.
fn slides(search: &ProofSearch) -> Vec<(Board, StrategyChoice)> {
    let (rules, target) = (search.contest().rules(), search.contest().target());
    let mut layers: BTreeMap<u32, HashSet<Board>> = BTreeMap::new();
    let add = |layers: &mut BTreeMap<u32, HashSet<Board>>, afterstate: Board| {
        for (state, _) in states_after(search, afterstate) {
            let layer = layers.entry(state.sum()).or_default();
            layer.insert(rules.canonical(state));
        }
    };
    add(&mut layers, Board::EMPTY);
    let mut choices = Vec::new();
    while let Some((_, states)) = layers.pop_first() {
        let mut states: Vec<Board> = states.into_iter().collect();
        states.sort_unstable_by_key(|state| state.bits());
        let mut open: Vec<(Board, Vec<(Move, Board)>)> = Vec::new();
        let mut led: HashMap<Board, u32> = HashMap::new();
        for state in states {
            let slides = Move::ALL.into_iter().zip(rules.slides(state));
            let legal = slides.filter(|&(_, after)| after != state);
            let (made, others): (Vec<_>, Vec<_>) =
                legal.partition(|(_, after)| after.reaches(target));
            if let Some(&(m, _)) = made.first() {
                choices.push((state, StrategyChoice::Slide(m)));
                continue;
            }
            let won = others
                .into_iter()
                .filter(|&(_, a)| search.known(a) == Some(true));
            let won: Vec<(Move, Board)> = won.map(|(m, a)| (m, rules.canonical(a))).collect();
            for &(_, after) in &won {
                *led.entry(after).or_default() += 1;
            }
            open.push((state, won));
        }
        let mut taken: HashSet<Board> = HashSet::new();
        for (state, won) in open {
            let value = |after: &Board| (taken.contains(after), led.get(after).copied());
            let best = won.iter().max_by_key(|(_, after)| value(after));
            if let Some(&(m, after)) = best {
                choices.push((state, StrategyChoice::Slide(m)));
                if taken.insert(after) {
                    add(&mut layers, after);
                }
            }
        }
    }
    choices
}

/// Dropper's drops: from every afterstate one after which all slides are lost.
fn drops(search: &ProofSearch) -> Vec<(Board, StrategyChoice)> {
    let (rules, target) = (search.contest().rules(), search.contest().target());
    let mut seen: HashSet<Board> = HashSet::from([Board::EMPTY]);
    let mut todo = vec![Board::EMPTY];
    let mut choices = Vec::new();
    while let Some(afterstate) = todo.pop() {
        let mut best: Option<(usize, StrategyChoice, Vec<Board>)> = None;
        for (state, choice) in states_after(search, afterstate) {
            let slides = rules.slides(state).into_iter();
            let legal: Vec<Board> = slides.filter(|&after| after != state).collect();
            let lost =
                |&after: &Board| !after.reaches(target) && search.known(after) == Some(false);
            if !legal.iter().all(lost) {
                continue;
            }
            let next = legal.into_iter().map(|after| rules.canonical(after));
            let next: Vec<Board> = next.filter(|after| !seen.contains(after)).collect();
            if best.as_ref().is_none_or(|(len, ..)| next.len() < *len) {
                best = Some((next.len(), choice, next));
            }
        }
        if let Some((_, choice, next)) = best {
            choices.push((afterstate, choice));
            todo.extend(next.into_iter().filter(|&after| seen.insert(after)));
        }
    }
    choices
}
