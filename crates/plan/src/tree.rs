//! Where searched positions come from, in six bytes each.

use tilebase_game::{Grid, Move, Shape};

use crate::plan::{Plan, TileDrop};

/// A slide and the tile that falls after it, in sixteen bits: two for the slide, one for the
/// tile, ten for the cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchStep(u16);

impl SearchStep {
    /// A slide and a tile of exponent 1 or 2 in a cell numbered row by row.
    #[inline]
    pub fn new(m: Move, cell: u16, exponent: u8) -> SearchStep {
        SearchStep(m.index() as u16 | (u16::from(exponent) - 1) << 2 | cell << 3)
    }

    fn slide(self) -> Move {
        Move::ALL[usize::from(self.0 & 3)]
    }

    fn drop(self, shape: Shape) -> TileDrop {
        let (cell, cols) = (self.0 >> 3, u16::from(shape.cols()));
        TileDrop {
            row: (cell / cols) as u8,
            col: (cell % cols) as u8,
            exponent: (self.0 >> 2 & 1) as u8 + 1,
        }
    }
}

/// The parents and steps of positions. The first are roots.
#[derive(Debug, Default)]
pub struct SearchTree {
    parents: Vec<u32>,
    steps: Vec<SearchStep>,
    roots: Vec<Grid>,
}

impl SearchTree {
    /// Bytes that a position takes here.
    pub const BYTES: usize = size_of::<u32>() + size_of::<SearchStep>();

    /// A tree of roots alone, numbered from 0.
    pub fn new(roots: Vec<Grid>) -> SearchTree {
        SearchTree {
            parents: vec![u32::MAX; roots.len()],
            steps: vec![SearchStep(0); roots.len()],
            roots,
        }
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Adds a position; returns its number.
    #[inline]
    pub fn add(&mut self, parent: u32, step: SearchStep) -> u32 {
        self.parents.push(parent);
        self.steps.push(step);
        (self.parents.len() - 1) as u32
    }

    /// Gives a position another parent and step.
    pub fn move_to(&mut self, node: u32, parent: u32, step: SearchStep) {
        self.parents[node as usize] = parent;
        self.steps[node as usize] = step;
    }

    /// The plan to a position, with a last slide that makes the goal if one is given.
    pub fn plan(&self, mut node: u32, last: Option<Move>) -> Plan {
        let mut slides = Vec::from_iter(last);
        let mut drops = Vec::new();
        while self.parents[node as usize] != u32::MAX {
            let step = self.steps[node as usize];
            slides.push(step.slide());
            drops.push(step);
            node = self.parents[node as usize];
        }
        slides.reverse();
        let start = self.roots[node as usize].clone();
        let drops = drops.into_iter().rev();
        Plan {
            slides,
            drops: drops.map(|step| step.drop(start.shape())).collect(),
            start,
        }
    }

    /// Forgets all positions but those that the last `kept` ones come from, which keep their
    /// order at the end.
    pub fn prune(&mut self, kept: usize) {
        let first_kept = self.len() - kept;
        let mut wanted = vec![false; self.len()];
        wanted[..self.roots.len()].fill(true);
        wanted[first_kept..].fill(true);
        for node in (self.roots.len()..self.len()).rev() {
            if wanted[node] {
                wanted[self.parents[node] as usize] = true;
            }
        }
        let mut places = vec![0u32; self.len()];
        let mut to = 0;
        for node in 0..self.len() {
            if wanted[node] {
                places[node] = to as u32;
                let parent = self.parents[node];
                self.parents[to] = match parent {
                    u32::MAX => u32::MAX,
                    parent => places[parent as usize],
                };
                self.steps[to] = self.steps[node];
                to += 1;
            }
        }
        self.parents.truncate(to);
        self.steps.truncate(to);
    }
}
