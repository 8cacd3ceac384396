//! Formations, written straight from their definition.
//!
//! A formation is a game of 2048 on a board with walls. A wall slides like any tile, never
//! merges, and is worth nothing. Slides must keep the walls in place, as masks say, and the
//! game is won when the target tile stands on a goal cell after a slide.
//!
//! Here are the rules; [`Formation::reachable`] lists what can arise, [`Formation::symmetries`]
//! and [`Formation::census`] count it up to symmetry, [`Formation::solve`] gives the values.

use std::collections::{BTreeMap, BTreeSet};

use crate::{DIRECTIONS, Direction};

mod board;
mod reach;
mod solve;

pub use board::{Board, Cell, Cells};
pub use reach::{Count, Layer, Symmetry};
pub use solve::{Category, Objective, Solution, Start, Value};

/// A formation: all that makes the game.
#[derive(Clone, Debug, PartialEq)]
pub struct Formation {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub cols: usize,
    /// Number of walls.
    pub walls: usize,
    /// After every slide, walls must cover all cells of at least one of these, if there are
    /// any.
    pub masks: Vec<Cells>,
    /// Where the target tile wins.
    pub goals: Cells,
    /// Exponent of the target tile.
    pub target: u8,
    /// Probability that a new tile is a 2; else it is a 4.
    pub twos: f64,
    /// Number of tiles that spawn at the start.
    pub start_tiles: usize,
}

/// What a slide leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slide {
    /// The slide changes nothing, takes the walls away from every mask, or makes a tile above
    /// the target.
    NotAllowed,
    /// The target tile stands on a goal cell.
    Won {
        /// Sum of the tiles made by merging.
        score: u64,
    },
    /// The game goes on with a new tile.
    After {
        /// The board before the new tile.
        board: Board,
        /// Sum of the tiles made by merging.
        score: u64,
    },
}

impl Formation {
    /// Whether the walls of a board cover all cells of at least one mask. True without masks.
    pub fn keeps_formation(&self, board: &Board) -> bool {
        let covers = |mask: &Cells| mask.iter().all(|&at| board.get(at) == Cell::Wall);
        self.masks.is_empty() || self.masks.iter().any(covers)
    }

    /// Whether a tile of the target value or more stands on a goal cell.
    pub fn has_goal(&self, board: &Board) -> bool {
        let reached = |at| matches!(board.get(at), Cell::Tile(e) if e >= self.target);
        self.goals.iter().any(|&at| reached(at))
    }

    /// Whether a tile is larger than the target.
    pub fn goes_beyond(&self, board: &Board) -> bool {
        let beyond = |at| matches!(board.get(at), Cell::Tile(e) if e > self.target);
        board.all_cells().into_iter().any(beyond)
    }

    /// What a slide of a state leads to.
    pub fn slide(&self, state: &Board, direction: Direction) -> Slide {
        let (board, score) = state.slide(direction);
        if board == *state || !self.keeps_formation(&board) || self.goes_beyond(&board) {
            Slide::NotAllowed
        } else if self.has_goal(&board) {
            Slide::Won { score }
        } else {
            Slide::After { board, score }
        }
    }

    /// What the four slides of a state lead to, in the order of [`DIRECTIONS`].
    pub fn slides(&self, state: &Board) -> [Slide; 4] {
        DIRECTIONS.map(|direction| self.slide(state, direction))
    }

    /// Whether no slide of a state is allowed.
    pub fn is_lost(&self, state: &Board) -> bool {
        self.slides(state).iter().all(|s| *s == Slide::NotAllowed)
    }

    /// The boards with one more tile and their probabilities: 2s and 4s that can spawn, in
    /// each empty cell.
    pub fn spawns(&self, board: &Board) -> Vec<(f64, Board)> {
        let empty = board.empty_cells();
        let mut spawns = Vec::new();
        for &at in &empty {
            for (exponent, probability) in [(1, self.twos), (2, 1.0 - self.twos)] {
                // What cannot happen must not count as reachable.
                if probability > 0.0 {
                    let mut with = board.clone();
                    with.set(at, Cell::Tile(exponent));
                    spawns.push((probability / empty.len() as f64, with));
                }
            }
        }
        spawns
    }

    /// All ways to place the walls at the start: in formation, with room for the start tiles.
    pub fn placements(&self) -> BTreeSet<Board> {
        let empty = Board::empty(self.rows, self.cols);
        let cells = empty.empty_cells();
        let mut placements = BTreeSet::new();
        if self.walls + self.start_tiles > cells.len() {
            return placements;
        }
        // Every set of cells is a number in binary.
        for set in 0..1u64 << cells.len() {
            if set.count_ones() as usize != self.walls {
                continue;
            }
            let mut board = empty.clone();
            for (bit, &at) in cells.iter().enumerate() {
                if set >> bit & 1 == 1 {
                    board.set(at, Cell::Wall);
                }
            }
            if self.keeps_formation(&board) {
                placements.insert(board);
            }
        }
        placements
    }

    /// The start states with their probabilities: every placement of the walls is equally
    /// likely, then tiles spawn one after the other.
    ///
    /// They count as not won even if a target tile of 2 or 4 spawned on a goal cell: only a
    /// slide wins.
    pub fn starts(&self) -> BTreeMap<Board, f64> {
        let placements = self.placements();
        let each = 1.0 / placements.len() as f64;
        let mut starts: BTreeMap<Board, f64> =
            placements.into_iter().map(|board| (board, each)).collect();
        for _ in 0..self.start_tiles {
            let mut next = BTreeMap::new();
            for (board, likely) in &starts {
                for (probability, with) in self.spawns(board) {
                    *next.entry(with).or_insert(0.0) += likely * probability;
                }
            }
            starts = next;
        }
        starts
    }
}

#[cfg(test)]
mod tests;
