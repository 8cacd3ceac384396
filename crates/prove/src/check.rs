//! Whether a written strategy wins, told by walking through everything that can happen.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, BufRead};

use tilebase_game::tile_value;
use tilebase_util::progress::{Progress, Unit};

use crate::contest::{Contest, Winner};
use crate::plain::Plain;
use crate::strategy::{END, HEADING};

/// Positions between two reports.
const REPORT: u64 = 1 << 12;

/// A strategy that wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
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
pub enum CheckError {
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

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::Read(error) => write!(f, "cannot be read: {error}"),
            CheckError::Line { number, expected } => {
                write!(f, "line {number} is not {expected}")
            }
            CheckError::Truncated => f.write_str("is not whole: positions are missing at its end"),
            CheckError::Missing(board) => {
                write!(f, "does not win: {board} can arise and has no choice")
            }
            CheckError::Illegal(board) => {
                write!(
                    f,
                    "does not win: the choice in {board} is against the rules"
                )
            }
            CheckError::Made(board) => {
                write!(f, "does not win: Slider makes the target from {board}")
            }
            CheckError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for CheckError {}

/// What is chosen in a position, as written.
#[derive(Clone, Copy)]
enum Written {
    Slide(char),
    Drop { exponent: u8, row: u8, col: u8 },
}

/// Checks that a strategy wins, whatever the other player does.
///
/// Every position that can arise must be listed, up to symmetry, with a choice that the
/// rules allow, and every line of play must end as the strategy claims. Play cannot go on
/// for ever, since every drop adds to the sum of all tiles.
pub fn check(file: impl BufRead, progress: &dyn Progress) -> Result<Checked, CheckError> {
    let Listed {
        contest,
        winner,
        choices,
    } = read(file)?;
    progress.begin(Unit::States, Some(choices.len() as u64));
    let shape = contest.shape();
    let start = Plain::new(shape.rows().into(), shape.cols().into());
    let mut walk = Walk {
        contest,
        listed: choices,
        progress,
        todo: Vec::new(),
        used: 0,
        done: 0,
        replies: 0,
    };
    match winner {
        Winner::Dropper => walk.arise(start)?,
        Winner::Slider => walk.drop_everywhere(start)?,
    }
    while let Some((board, choice)) = walk.todo.pop() {
        walk.report()?;
        match winner {
            Winner::Dropper => walk.dropper(board, choice)?,
            Winner::Slider => walk.slider(board, choice)?,
        }
    }
    progress.finish();
    Ok(Checked {
        contest,
        winner,
        positions: walk.listed.len() as u64,
        used: walk.used,
        replies: walk.replies,
    })
}

struct Walk<'a> {
    contest: Contest,
    /// The choice in each listed position, and whether the position has arisen.
    listed: HashMap<u64, (Written, bool)>,
    progress: &'a dyn Progress,
    todo: Vec<(Plain, Written)>,
    used: u64,
    done: u64,
    replies: u64,
}

impl Walk<'_> {
    /// Tells now and then how far the check is, and whether to go on.
    fn report(&mut self) -> Result<(), CheckError> {
        self.done += 1;
        if self.done.is_multiple_of(REPORT) {
            self.progress.advance(REPORT);
            if self.progress.interrupted() {
                return Err(CheckError::Interrupted);
            }
        }
        Ok(())
    }

    /// A position arises in which the strategy must choose.
    fn arise(&mut self, board: Plain) -> Result<(), CheckError> {
        for turn in board.turns() {
            let image = board.turned(turn);
            if let Some((choice, arisen)) = self.listed.get_mut(&image.number()) {
                if !std::mem::replace(arisen, true) {
                    self.used += 1;
                    self.todo.push((image, *choice));
                }
                return Ok(());
            }
        }
        Err(CheckError::Missing(self.text(&board)))
    }

    fn drop_everywhere(&mut self, board: Plain) -> Result<(), CheckError> {
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

    fn slider(&mut self, board: Plain, choice: Written) -> Result<(), CheckError> {
        let Written::Slide(direction) = choice else {
            return Err(CheckError::Illegal(self.text(&board)));
        };
        let after = board.slid(direction);
        if after == board {
            return Err(CheckError::Illegal(self.text(&board)));
        }
        match after.has(self.contest.target()) {
            true => Ok(()),
            false => self.drop_everywhere(after),
        }
    }

    fn dropper(&mut self, board: Plain, choice: Written) -> Result<(), CheckError> {
        let allowed = |&(row, col): &(usize, usize)| match choice {
            Written::Drop { row: r, col: c, .. } => (row, col) == (r.into(), c.into()),
            Written::Slide(_) => false,
        };
        let exponent = match choice {
            Written::Drop { exponent, .. } => exponent,
            Written::Slide(_) => 0,
        };
        let cell = board.empty().find(allowed);
        let (Some((row, col)), true) = (cell, self.contest.drops().exponents().contains(&exponent))
        else {
            return Err(CheckError::Illegal(self.text(&board)));
        };
        let mut state = board;
        state.set(row, col, exponent);
        for direction in ['L', 'R', 'U', 'D'] {
            let after = state.slid(direction);
            if after == state {
                continue;
            }
            if after.has(self.contest.target()) {
                return Err(CheckError::Made(self.text(&state)));
            }
            self.replies += 1;
            self.arise(after)?;
        }
        Ok(())
    }

    /// A position in hex notation.
    fn text(&self, board: &Plain) -> String {
        let digits = usize::from(self.contest.shape().cells());
        format!("0x{:0digits$x}", board.number())
    }
}

/// What a file says: the choice in each position, none of which has arisen.
struct Listed {
    contest: Contest,
    winner: Winner,
    choices: HashMap<u64, (Written, bool)>,
}

/// Reads a whole file.
fn read(file: impl BufRead) -> Result<Listed, CheckError> {
    let mut lines = file.lines();
    let mut number = 0;
    let mut next = || {
        number += 1;
        match lines.next() {
            Some(line) => line.map(|line| (number, line)).map_err(CheckError::Read),
            None => Err(CheckError::Truncated),
        }
    };
    let bad = |number: u64, expected: &'static str| CheckError::Line { number, expected };
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
        true => Ok(Listed {
            contest,
            winner,
            choices,
        }),
        false => Err(CheckError::Truncated),
    }
}

/// A line of a position.
fn entry(line: &str, contest: &Contest) -> Option<(u64, Written)> {
    let (board, choice) = line.split_once(' ')?;
    let digits = board.strip_prefix("0x")?;
    if digits.len() != usize::from(contest.shape().cells()) {
        return None;
    }
    let board = u64::from_str_radix(digits, 16).ok()?;
    let written = match choice.split_once('@') {
        None => Written::Slide(match choice {
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
            Written::Drop {
                exponent: *exponents.clone().find(|&&e| tile_value(e) == tile)?,
                row: row.parse::<u8>().ok()?.checked_sub(1)?,
                col: col.parse::<u8>().ok()?.checked_sub(1)?,
            }
        }
    };
    Some((board, written))
}
