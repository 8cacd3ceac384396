//! Plans, and their check by replay.

use std::fmt;

use tilebase_game::{Grid, Move};

use crate::task::{PlanStart, PlanTask, SpawnRule};

/// A new tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileDrop {
    /// Row, from 0.
    pub row: u8,
    /// Column, from 0.
    pub col: u8,
    /// The tile's exponent.
    pub exponent: u8,
}

/// Slides from a start, and the tiles that fall between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The board before the first slide.
    pub start: Grid,
    /// The slides.
    pub slides: Vec<Move>,
    /// The tiles that fall after each slide but the last, which makes the goal; after all of
    /// them in a plan that does not.
    pub drops: Vec<TileDrop>,
}

/// Why a plan is none. Steps are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanError {
    /// The board at the start is not the one asked for.
    PlanStart,
    /// A slide changes nothing.
    Slide(usize),
    /// A tile falls where or as the rule does not say, or is missing.
    TileDrop(usize),
    /// The goal is made before the last slide.
    Early(usize),
    /// The last slide does not make the goal.
    Unfinished,
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanError::PlanStart => f.write_str("the start is not the one asked for"),
            PlanError::Slide(step) => write!(f, "slide {step} changes nothing"),
            PlanError::TileDrop(step) => write!(f, "the tile after slide {step} breaks the rule"),
            PlanError::Early(step) => write!(f, "slide {step} makes the goal already"),
            PlanError::Unfinished => f.write_str("the last slide does not make the goal"),
        }
    }
}

impl std::error::Error for PlanError {}

impl Plan {
    /// The letters of the slides.
    pub fn letters(&self) -> String {
        self.slides.iter().map(|m| m.letter()).collect()
    }

    /// The number of slides.
    pub fn steps(&self) -> usize {
        self.slides.len()
    }

    /// Replays a plan that makes the goal, by the rules of [`Grid`], which no search uses:
    /// returns the boards with the player to move, and the last with the goal on it.
    pub fn replay(&self, task: &PlanTask) -> Result<Vec<Grid>, PlanError> {
        let boards = self.walk(task)?;
        match boards.last() {
            Some(last) if last.reaches(task.goal()) => Ok(boards),
            _ => Err(PlanError::Unfinished),
        }
    }

    /// The same for a plan that may end before the goal.
    pub fn walk(&self, task: &PlanTask) -> Result<Vec<Grid>, PlanError> {
        self.check_start(task)?;
        let mut grid = self.start.clone();
        let mut boards = vec![grid.clone()];
        for (at, &m) in self.slides.iter().enumerate() {
            if grid.reaches(task.goal()) {
                return Err(PlanError::Early(at));
            }
            grid.slide(m).ok_or(PlanError::Slide(at + 1))?;
            match self.drops.get(at) {
                Some(drop) => fall(
                    task,
                    &mut grid,
                    drop,
                    u64::from(task.start_tiles()) + at as u64,
                )
                .ok_or(PlanError::TileDrop(at + 1))?,
                None if at + 1 == self.slides.len() && grid.reaches(task.goal()) => {}
                None => return Err(PlanError::TileDrop(at + 1)),
            }
            boards.push(grid.clone());
        }
        if self.drops.len() > self.slides.len() {
            return Err(PlanError::TileDrop(self.drops.len()));
        }
        Ok(boards)
    }

    fn check_start(&self, task: &PlanTask) -> Result<(), PlanError> {
        let fits = match task.start() {
            PlanStart::Board(grid) => self.start == *grid,
            PlanStart::Tiles(number) => match task.rule() {
                SpawnRule::First | SpawnRule::Random => {
                    let mut grid = Grid::empty(task.shape());
                    (0..u64::from(*number)).all(|n| ruled(task, &mut grid, n).is_some())
                        && grid == self.start
                }
                SpawnRule::Best | SpawnRule::Worst => {
                    let tiles = self.start.exponents().iter().filter(|&&e| e > 0);
                    self.start.shape() == task.shape()
                        && tiles.clone().count() == usize::from(*number)
                        && tiles.into_iter().all(|&e| task.spawn().weight(e) > 0)
                }
            },
        };
        fits.then_some(()).ok_or(PlanError::PlanStart)
    }
}

/// Lets a tile fall, if the rule allows it.
fn fall(task: &PlanTask, grid: &mut Grid, drop: &TileDrop, number: u64) -> Option<()> {
    match task.rule() {
        SpawnRule::First | SpawnRule::Random => (ruled(task, grid, number)? == *drop).then_some(()),
        SpawnRule::Best | SpawnRule::Worst => {
            let inside = drop.row < grid.shape().rows() && drop.col < grid.shape().cols();
            let fits = inside
                && grid.get(drop.row, drop.col) == 0
                && task.spawn().weight(drop.exponent) > 0;
            fits.then(|| grid.set(drop.row, drop.col, drop.exponent))
        }
    }
}

/// Lets the tile fall that a rule without a choice says.
pub(crate) fn ruled(task: &PlanTask, grid: &mut Grid, number: u64) -> Option<TileDrop> {
    let (row, col) = if task.rule() == SpawnRule::Random {
        grid.spawn(task.spawn(), &mut task.dice(number))?
    } else {
        let cell = grid.empty_cells().next()?;
        grid.set(cell.0, cell.1, task.exponent(number));
        cell
    };
    Some(TileDrop {
        row,
        col,
        exponent: grid.get(row, col),
    })
}
