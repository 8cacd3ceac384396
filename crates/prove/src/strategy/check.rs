//! Checks that a written strategy wins, by walking through everything that can happen.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, BufRead};

use tilebase_game::tile_value;
use tilebase_util::progress::{Progress, Unit};

use super::plain_board::PlainBoard;
use super::{END, HEADING};
use crate::contest::{Contest, Winner};

/// Positions between two reports.
const REPORT: u64 = 1 << 12;

/// A strategy that wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckedStrategy {
    /// What it wins.
    pub contest: Contest,
    /// Who wins with it.
    pub winner: Winner,
    /// Positions that it lists.
    pub positions: u64,
    /// Positions that arise, up to symmetry.
    pub used: u64,
    /// Drops and slides of the other player that were followed.
    pub replies: u64,
}

/// Why a file is no winning strategy.
#[derive(Debug)]
pub enum StrategyError {
    /// The file cannot be read.
    Read(io::Error),
    /// A line is not what it should be.
    Line {
        /// The line, from 1 on.
        number: u64,
        /// What should be there.
        expected: &'static str,
    },
    /// The file ends too early, or lists another number of positions than it says.
    Truncated,
    /// A position can arise that is not listed.
    Missing(String),
    /// The choice in a position is against the rules.
    Illegal(String),
    /// Slider makes the target against Dropper's strategy.
    Made(String),
    /// It was asked to stop.
    Interrupted,
}

impl fmt::Display for StrategyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StrategyError::Read(error) => write!(f, "cannot be read: {error}"),
            StrategyError::Line { number, expected } => {
                write!(f, "line {number} is not {expected}")
            }
            StrategyError::Truncated => {
                f.write_str("is not whole: positions are missing at its end")
            }
            StrategyError::Missing(board) => {
                write!(f, "does not win: {board} can arise and has no choice")
            }
            StrategyError::Illegal(board) => {
                write!(
                    f,
                    "does not win: the choice in {board} is against the rules"
                )
            }
            StrategyError::Made(board) => {
                write!(f, "does not win: Slider makes the target from {board}")
            }
            StrategyError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for StrategyError {}

/// What is chosen in a position, as written.
#[derive(Clone, Copy)]
enum WrittenChoice {
    Slide(char),
    Drop { exponent: u8, row: u8, col: u8 },
}

/// Checks that a strategy wins, whatever the other player does.
///
/// Every position that can arise must be listed, up to symmetry, with a choice that the
/// rules allow, and every line of play must end as the strategy claims. Play cannot go on
/// for ever, since every drop adds to the sum of all tiles.
pub fn check_strategy(
    file: impl BufRead,
    progress: &dyn Progress,
) -> Result<CheckedStrategy, StrategyError> {
    let StrategyFile {
        contest,
        winner,
        choices,
    } = read(file)?;
    progress.begin(Unit::States, Some(choices.len() as u64));
    let shape = contest.shape();
    let start = PlainBoard::new(shape.rows().into(), shape.cols().into());
    let mut checker = StrategyChecker {
        contest,
        listed: choices,
        progress,
        todo: Vec::new(),
        used: 0,
        done: 0,
        replies: 0,
    };
    match winner {
        Winner::Dropper => checker.arise(start)?,
        Winner::Slider => checker.drop_everywhere(start)?,
    }
    while let Some((board, choice)) = checker.todo.pop() {
        checker.report()?;
        match winner {
            Winner::Dropper => checker.dropper(board, choice)?,
            Winner::Slider => checker.slider(board, choice)?,
        }
    }
    progress.finish();
    Ok(CheckedStrategy {
        contest,
        winner,
        positions: checker.listed.len() as u64,
        used: checker.used,
        replies: checker.replies,
    })
}

struct StrategyChecker<'a> {
    contest: Contest,
    /// The choice in each listed position, and whether the position has arisen.
    listed: HashMap<u64, (WrittenChoice, bool)>,
    progress: &'a dyn Progress,
    todo: Vec<(PlainBoard, WrittenChoice)>,
    used: u64,
    done: u64,
    replies: u64,
}

impl StrategyChecker<'_> {
    /// Reports progress now and then; returns whether to go on.
    fn report(&mut self) -> Result<(), StrategyError> {
        self.done += 1;
        if self.done.is_multiple_of(REPORT) {
            self.progress.advance(REPORT);
            if self.progress.interrupted() {
                return Err(StrategyError::Interrupted);
            }
        }
        Ok(())
    }

    /// A position arises in which the strategy must choose.
    fn arise(&mut self, board: PlainBoard) -> Result<(), StrategyError> {
        for turn in board.symmetries() {
            let image = board.image(turn);
            if let Some((choice, arisen)) = self.listed.get_mut(&image.number()) {
                if !std::mem::replace(arisen, true) {
                    self.used += 1;
                    self.todo.push((image, *choice));
                }
                return Ok(());
            }
        }
        Err(StrategyError::Missing(self.text(&board)))
    }

    fn drop_everywhere(&mut self, board: PlainBoard) -> Result<(), StrategyError> {
        for (row, col) in board.empty() {
            for &exponent in self.contest.drops().exponents() {
                let mut next = board;
                next.set(row, col, exponent);
                self.replies += 1;
                self.arise(next)?;
            }
        }
        Ok(())
    }

    fn slider(&mut self, board: PlainBoard, choice: WrittenChoice) -> Result<(), StrategyError> {
        let WrittenChoice::Slide(direction) = choice else {
            return Err(StrategyError::Illegal(self.text(&board)));
        };
        let after = board.slid(direction);
        if after == board {
            return Err(StrategyError::Illegal(self.text(&board)));
        }
        match after.has(self.contest.target()) {
            true => Ok(()),
            false => self.drop_everywhere(after),
        }
    }

    fn dropper(&mut self, board: PlainBoard, choice: WrittenChoice) -> Result<(), StrategyError> {
        let allowed = |&(row, col): &(usize, usize)| match choice {
            WrittenChoice::Drop { row: r, col: c, .. } => (row, col) == (r.into(), c.into()),
            WrittenChoice::Slide(_) => false,
        };
        let exponent = match choice {
            WrittenChoice::Drop { exponent, .. } => exponent,
            WrittenChoice::Slide(_) => 0,
        };
        let cell = board.empty().find(allowed);
        let (Some((row, col)), true) = (cell, self.contest.drops().exponents().contains(&exponent))
        else {
            return Err(StrategyError::Illegal(self.text(&board)));
        };
        let mut state = board;
        state.set(row, col, exponent);
        for direction in ['L', 'R', 'U', 'D'] {
            let after = state.slid(direction);
            if after == state {
                continue;
            }
            if after.has(self.contest.target()) {
                return Err(StrategyError::Made(self.text(&state)));
            }
            self.replies += 1;
            self.arise(after)?;
        }
        Ok(())
    }

    /// A position in hex notation.
    fn text(&self, board: &PlainBoard) -> String {
        let digits = usize::from(self.contest.shape().cells());
        format!("0x{:0digits$x}", board.number())
    }
}

/// What a file says: the choice in each position, none of which has arisen.
struct StrategyFile {
    contest: Contest,
    winner: Winner,
    choices: HashMap<u64, (WrittenChoice, bool)>,
}

/// Reads a whole file.
fn read(file: impl BufRead) -> Result<StrategyFile, StrategyError> {
    let mut lines = file.lines();
    let mut number = 0;
    let mut next = || {
        number += 1;
        match lines.next() {
            Some(line) => line.map(|line| (number, line)).map_err(StrategyError::Read),
            None => Err(StrategyError::Truncated),
        }
    };
    let bad = |number: u64, expected: &'static str| StrategyError::Line { number, expected };
    let (at, line) = next()?;
    if line != HEADING {
        return Err(bad(at, "the heading of a strategy, `tilebase strategy 1`"));
    }
    let (at, line) = next()?;
    let contest = line
        .strip_prefix("contest ")
        .and_then(|text| text.parse().ok());
    let contest: Contest =
        contest.ok_or(bad(at, "a contest, such as `contest 3x3-to-512-drops-2`"))?;
    let (at, line) = next()?;
    let winner = match line.as_str() {
        "winner slider" => Winner::Slider,
        "winner dropper" => Winner::Dropper,
        _ => return Err(bad(at, "`winner slider` or `winner dropper`")),
    };
    let (at, line) = next()?;
    let positions = line
        .strip_prefix("positions ")
        .and_then(|text| text.parse().ok());
    let positions: u64 = positions.ok_or(bad(at, "a number of positions"))?;
    let mut choices = HashMap::new();
    loop {
        let (at, line) = next()?;
        if line == END {
            break;
        }
        let (board, choice) = entry(&line, &contest).ok_or(bad(at, "a board and a choice"))?;
        if choices.insert(board, (choice, false)).is_some() {
            return Err(bad(at, "a board that was not listed before"));
        }
    }
    match choices.len() as u64 == positions {
        true => Ok(StrategyFile {
            contest,
            winner,
            choices,
        }),
        false => Err(StrategyError::Truncated),
    }
}

/// A line of a position.
fn entry(line: &str, contest: &Contest) -> Option<(u64, WrittenChoice)> {
    let (board, choice) = line.split_once(' ')?;
    let digits = board.strip_prefix("0x")?;
    if digits.len() != usize::from(contest.shape().cells()) {
        return None;
    }
    let board = u64::from_str_radix(digits, 16).ok()?;
    let written = match choice.split_once('@') {
        None => WrittenChoice::Slide(match choice {
            "L" => 'L',
            "R" => 'R',
            "U" => 'U',
            "D" => 'D',
            _ => return None,
        }),
        Some((tile, cell)) => {
            let (row, col) = cell.split_once(',')?;
            let tile: u128 = tile.parse().ok()?;
            let exponents = contest.drops().exponents().iter();
            WrittenChoice::Drop {
                exponent: *exponents.clone().find(|&&e| tile_value(e) == tile)?,
                row: row.parse::<u8>().ok()?.checked_sub(1)?,
                col: col.parse::<u8>().ok()?.checked_sub(1)?,
            }
        }
    };
    Some((board, written))
}
