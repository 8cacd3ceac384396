//! A turn: a slide, and the tile that falls then.

use tilebase_game::{Grid, Move};

use crate::ground::Ground;
use crate::plan;
use crate::task::{SpawnRule, Start, Task, drawn};
use crate::tree::Step;

/// What can follow a position.
pub enum Turn<S> {
    /// A slide that makes the goal.
    Goal(Move),
    /// A slide, a tile, and the position then.
    To(Step, S),
}

/// Calls `visit` with everything that can follow a position; `number` is that of the next tile.
#[inline]
pub fn turns<G: Ground>(
    ground: &G,
    task: &Task,
    state: &G::State,
    number: u64,
    cells: &mut Vec<u16>,
    mut visit: impl FnMut(Turn<G::State>),
) {
    for m in Move::ALL {
        let Some(mut after) = ground.slide(state, m) else {
            continue;
        };
        if ground.reaches(&after, task.goal()) {
            visit(Turn::Goal(m));
            continue;
        }
        match task.rule() {
            SpawnRule::First => {
                // A legal slide leaves or makes an empty cell.
                let Some(cell) = ground.nth_empty(&after, 0) else {
                    continue;
                };
                let exponent = task.exponent(number);
                ground.put(&mut after, cell, exponent);
                visit(Turn::To(Step::new(m, cell, exponent), after));
            }
            SpawnRule::Random => {
                let mut dice = task.dice(number);
                let place = dice.below(ground.empty(&after));
                let Some(cell) = ground.nth_empty(&after, place) else {
                    continue;
                };
                let exponent = drawn(task.spawn(), &mut dice);
                ground.put(&mut after, cell, exponent);
                visit(Turn::To(Step::new(m, cell, exponent), after));
            }
            SpawnRule::Best | SpawnRule::Worst => {
                ground.choices(&after, cells);
                for &cell in cells.iter() {
                    for exponent in task.spawn().exponents() {
                        let mut with = after.clone();
                        ground.put(&mut with, cell, exponent);
                        visit(Turn::To(Step::new(m, cell, exponent), with));
                    }
                }
            }
        }
    }
}

/// The boards that a plan may begin with, one of each symmetry class where there is a choice.
/// At most [`MOST_ROOTS`] of them; whether these are all comes with them.
pub fn roots<G: Ground>(ground: &G, task: &Task) -> (Vec<Grid>, bool) {
    let number = match task.start() {
        Start::Board(grid) => return (vec![grid.clone()], true),
        Start::Tiles(number) => *number,
    };
    if matches!(task.rule(), SpawnRule::First | SpawnRule::Random) {
        let mut grid = Grid::empty(task.shape());
        for tile in 0..number.into() {
            // There are at most as many start tiles as cells.
            let _ = plan::ruled(task, &mut grid, tile);
        }
        return (vec![grid], true);
    }
    let mut states = vec![ground.state(&Grid::empty(task.shape()))];
    let mut cells = Vec::new();
    let mut all = ground.all_choices();
    for _ in 0..number {
        let mut next = Vec::new();
        for state in &states {
            ground.choices(state, &mut cells);
            for &cell in &cells {
                for exponent in task.spawn().exponents() {
                    let mut with = state.clone();
                    ground.put(&mut with, cell, exponent);
                    next.push((ground.canonical_key(&with), with));
                }
            }
        }
        next.sort_by_key(|&(key, _)| key);
        next.dedup_by_key(|&mut (key, _)| key);
        all &= next.len() <= MOST_ROOTS;
        next.truncate(MOST_ROOTS);
        states = next.into_iter().map(|(_, state)| state).collect();
    }
    let roots = states.iter().map(|state| ground.grid(state)).collect();
    (roots, all)
}

/// The most boards to begin with, where there is a choice.
const MOST_ROOTS: usize = 1 << 16;
