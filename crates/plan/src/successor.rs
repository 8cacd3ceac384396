//! Successors of a position: a slide, then a new tile.

use tilebase_game::{Grid, Move};

use crate::plan;
use crate::state_space::StateSpace;
use crate::task::{PlanStart, PlanTask, SpawnRule, drawn};
use crate::tree::SearchStep;

/// A successor of a position.
pub enum Successor<S> {
    /// A slide that makes the goal.
    Goal(Move),
    /// A slide, a tile, and the position then.
    To(SearchStep, S),
}

/// Calls `visit` with all successors of a position. `number` is that of the next tile.
#[inline]
pub fn successors<S: StateSpace>(
    space: &S,
    task: &PlanTask,
    state: &S::State,
    number: u64,
    cells: &mut Vec<u16>,
    mut visit: impl FnMut(Successor<S::State>),
) {
    for m in Move::ALL {
        let Some(mut after) = space.slide(state, m) else {
            continue;
        };
        if space.reaches(&after, task.goal()) {
            visit(Successor::Goal(m));
            continue;
        }
        match task.rule() {
            SpawnRule::First => {
                // A legal slide leaves or makes an empty cell.
                let Some(cell) = space.nth_empty(&after, 0) else {
                    continue;
                };
                let exponent = task.exponent(number);
                space.put(&mut after, cell, exponent);
                visit(Successor::To(SearchStep::new(m, cell, exponent), after));
            }
            SpawnRule::Random => {
                let mut dice = task.dice(number);
                let place = dice.below(space.empty(&after));
                let Some(cell) = space.nth_empty(&after, place) else {
                    continue;
                };
                let exponent = drawn(task.spawn(), &mut dice);
                space.put(&mut after, cell, exponent);
                visit(Successor::To(SearchStep::new(m, cell, exponent), after));
            }
            SpawnRule::Best | SpawnRule::Worst => {
                space.choices(&after, cells);
                for &cell in cells.iter() {
                    for exponent in task.spawn().exponents() {
                        let mut with = after.clone();
                        space.put(&mut with, cell, exponent);
                        visit(Successor::To(SearchStep::new(m, cell, exponent), with));
                    }
                }
            }
        }
    }
}

/// The boards that a plan may begin with, one of each symmetry class where there is a choice.
/// At most [`MOST_ROOTS`] of them; whether these are all comes with them.
pub fn roots<S: StateSpace>(space: &S, task: &PlanTask) -> (Vec<Grid>, bool) {
    let number = match task.start() {
        PlanStart::Board(grid) => return (vec![grid.clone()], true),
        PlanStart::Tiles(number) => *number,
    };
    if matches!(task.rule(), SpawnRule::First | SpawnRule::Random) {
        let mut grid = Grid::empty(task.shape());
        for tile in 0..number.into() {
            // There are at most as many start tiles as cells.
            let _ = plan::ruled(task, &mut grid, tile);
        }
        return (vec![grid], true);
    }
    let mut states = vec![space.state(&Grid::empty(task.shape()))];
    let mut cells = Vec::new();
    let mut all = space.lists_all_choices();
    for _ in 0..number {
        let mut next = Vec::new();
        for state in &states {
            space.choices(state, &mut cells);
            for &cell in &cells {
                for exponent in task.spawn().exponents() {
                    let mut with = state.clone();
                    space.put(&mut with, cell, exponent);
                    next.push((space.canonical_key(&with), with));
                }
            }
        }
        next.sort_by_key(|&(key, _)| key);
        next.dedup_by_key(|&mut (key, _)| key);
        all &= next.len() <= MOST_ROOTS;
        next.truncate(MOST_ROOTS);
        states = next.into_iter().map(|(_, state)| state).collect();
    }
    let roots = states.iter().map(|state| space.grid(state)).collect();
    (roots, all)
}

/// The most start boards that are tried.
const MOST_ROOTS: usize = 1 << 16;
