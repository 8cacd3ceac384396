//! Boards filled with 2s and 4s that are a checkerboard but for one corner.
//!
//! No strategy is known that reaches them. Games are taken back from the full board, some
//! hundred at a time: of the boards that are equally many turns before the end those are
//! kept whose tiles lie close together and differ from their neighbours. Such a search may
//! come to nothing, and is then begun again with other dice.

use std::collections::HashSet;

use tilebase_game::{Grid, Move, Rng, Shape};
use tilebase_util::progress::{Progress, Unit};

use crate::checkerboard::forward::CheckerboardError;
use crate::checkerboard::pattern::Corner;
use crate::checkerboard::retrograde::before_last_drop;
use crate::checkerboard::sequence::Sequence;
use crate::checkerboard::take_back::{shuffle, take_back};

/// Boards kept of each layer: few first, as small boards need no more, then many.
const WIDTHS: [usize; 2] = [100, 400];

/// Boards taken from each way to look at a board.
const SAMPLE: usize = 60;

/// How an attempt is made.
struct Attempt {
    /// Boards kept of each layer.
    width: usize,
    /// How much equal neighbours count against a board.
    equal: i32,
}

/// A board and its place in the layer that it was taken back from.
type Node = (Box<[u8]>, usize);

/// The checkerboard with 4s in the upper left corner, but for a 2 in the corner itself.
pub fn nearly_checkerboard(shape: Shape) -> Grid {
    let mut grid = Corner::Four.pattern(shape);
    grid.set(0, 0, 1);
    grid
}

/// A game of 2s and 4s that ends with [`nearly_checkerboard`]; `None` if this many attempts
/// did not find one. The same seed gives the same game.
///
/// ```
/// use tilebase_prove::checkerboard::{fill, nearly_checkerboard};
/// use tilebase_util::progress::Silent;
///
/// let shape = "4x4".parse().unwrap();
/// let sequence = fill(shape, 1, 20, &Silent)?.expect("this seed finds one");
/// let boards = sequence.replay(shape)?;
/// assert_eq!(boards.last(), Some(&nearly_checkerboard(shape)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fill(
    shape: Shape,
    seed: u64,
    attempts: u32,
    progress: &dyn Progress,
) -> Result<Option<Sequence>, CheckerboardError> {
    let full = nearly_checkerboard(shape);
    let mut dice = Rng::new(seed);
    progress.begin(Unit::Boards, None);
    for number in 0..attempts {
        progress.stage(&format!("attempt {}", number + 1));
        let attempt = Attempt {
            width: WIDTHS[number as usize % 2],
            equal: if number / 2 % 2 == 0 { 1 } else { 0 },
        };
        if let Some(boards) = attempt.run(&full, &mut dice, progress)? {
            progress.finish();
            return Ok(joined(&boards, &full));
        }
    }
    progress.finish();
    Ok(None)
}

impl Attempt {
    /// Takes back games; the boards after each slide, from the empty one.
    fn run(
        &self,
        full: &Grid,
        dice: &mut Rng,
        progress: &dyn Progress,
    ) -> Result<Option<Vec<Grid>>, CheckerboardError> {
        let shape = full.shape();
        let ends = before_last_drop(full.exponents(), shape);
        let mut layers: Vec<Vec<Node>> = vec![ends.map(|cells| (cells.into(), 0)).collect()];
        while let Some(layer) = layers.last()
            && !layer.is_empty()
        {
            if progress.interrupted() {
                return Err(CheckerboardError::Interrupted);
            }
            // All boards of a layer have the same sum, so they are empty together.
            if layer[0].0.iter().all(|&tile| tile == 0) {
                return Ok(Some(path(shape, &layers)));
            }
            let mut seen: HashSet<Box<[u8]>> = HashSet::new();
            let mut next: Vec<Node> = Vec::new();
            for (parent, (cells, _)) in layer.iter().enumerate() {
                let mut taken = 0;
                take_back(shape, cells, Some(dice), &mut |cells| {
                    if seen.insert(Box::from(cells)) {
                        next.push((cells.into(), parent));
                    }
                    taken += 1;
                    taken % SAMPLE != 0
                });
            }
            progress.advance(layer.len() as u64);
            shuffle(&mut next, dice);
            next.sort_by_cached_key(|(cells, _)| self.unlikeliness(shape, cells));
            next.truncate(self.width);
            layers.push(next);
        }
        Ok(None)
    }

    /// How little a board looks like one on the way: the walls between tiles and empty cells,
    /// and the neighbours that are equal.
    fn unlikeliness(&self, shape: Shape, cells: &[u8]) -> i32 {
        let cols = usize::from(shape.cols());
        let weight = |a: u8, b: u8| match (a, b) {
            (0, 0) => 0,
            (0, _) | (_, 0) => 1,
            (a, b) if a == b => self.equal,
            _ => 0,
        };
        let across = cells.chunks_exact(cols).flat_map(|row| row.windows(2));
        let across: i32 = across.map(|pair| weight(pair[0], pair[1])).sum();
        let down = cells.iter().zip(&cells[cols..]);
        across + down.map(|(&a, &b)| weight(a, b)).sum::<i32>()
    }
}

/// The boards from the empty one in the last layer to the first layer.
fn path(shape: Shape, layers: &[Vec<Node>]) -> Vec<Grid> {
    let mut place = 0;
    let mut boards = Vec::new();
    for layer in layers.iter().rev() {
        let (cells, parent) = &layer[place];
        boards.extend(Grid::from_exponents(shape, cells));
        place = *parent;
    }
    boards
}

/// The game through these boards after slides, from the empty one, and a last drop.
fn joined(boards: &[Grid], full: &Grid) -> Option<Sequence> {
    let mut sequence = Sequence::default();
    for pair in boards.windows(2) {
        let (cell, m) = turn(&pair[0], &pair[1])?;
        sequence.drops.push(cell);
        sequence.slides.push(m);
    }
    let last = boards.last()?;
    let filled = last
        .empty_cells()
        .find(|&(row, col)| full.get(row, col) != 0);
    sequence.drops.push(filled?);
    Some(sequence)
}

/// The drop and the slide that lead from one board to the next.
fn turn(before: &Grid, after: &Grid) -> Option<((u8, u8), Move)> {
    before.empty_cells().find_map(|(row, col)| {
        let mut dropped = before.clone();
        dropped.set(row, col, 1);
        let leads = |&m: &Move| dropped.after(m).is_some_and(|(grid, _)| grid == *after);
        Some(((row, col), Move::ALL.into_iter().find(leads)?))
    })
}
