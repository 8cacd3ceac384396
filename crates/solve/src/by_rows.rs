//! The backward pass of games without symmetry, whole rows of a layer at a time.
//!
//! The boards with one top are a row of the layer. A tile that falls into the bottom leads to the row
//! of the same top in the layer above, one that falls into the top to a few other rows, at the same
//! bottoms; a slide to the left or right leads from a row to one row. So for all boards of a row the
//! rows to look at are the same few, which stay in the cache, and the bottoms come from tables.
//! Only slides up and down lead anywhere in the layer.
//!
//! Games with symmetries keep one board of each class, whose successors may be kept turned: there
//! [`LayerSolver`] looks every board up by itself. Sums are made in the same order, so the values
//! are the same, bit by bit.

use tilebase_game::{Board, Move};
use tilebase_index::allowed::SIDEWAYS;
use tilebase_index::layer::{Block, for_each_bit};
use tilebase_index::space::Space;
use tilebase_index::tables::NONE;
use tilebase_index::{BoardSet, RankedRow};
use tilebase_table::StoredValue;

use crate::backward::{BATCH, Batch, LayerSolver, Solved, in_tasks, value_at};

/// What the pass needs to know of bottoms.
pub(crate) struct ByRows {
    /// For each bottom, the empty cells of its first row.
    first_empty: Vec<u8>,
    /// The roles of rows, those of the lowest cells of the board first.
    roles: Vec<usize>,
}

/// A slide to the left or right of all boards of a row.
struct RowSlide<'a> {
    direction: Move,
    /// The row that it leads to, if the slid top is listed.
    to: Option<RankedRow<'a>>,
    /// The ranks of the slid bottoms, where they are listed.
    bottoms: &'a [u32],
    /// The masks that the top covers then, and those that each bottom covers.
    top_covered: u16,
    covered: &'a [u16],
    /// Whether the top stays as it is.
    unmoved: bool,
}

impl<'a> RowSlide<'a> {
    /// The slides of a row of states.
    fn both(
        game: &'a LayerSolver,
        block: &Block,
        top: u32,
        afterstates: &'a BoardSet,
    ) -> Option<[RowSlide<'a>; 2]> {
        let space = &**game.index.space();
        let allowed = space.allowed.as_ref()?;
        let group = space.bottoms.halves.group(block.bottom_units);
        Some([0, 1].map(|slide| {
            let direction = SIDEWAYS[slide];
            let after = space.slid_top(top, direction);
            let to = after.map(|after| {
                let (a, b) = space.top_infos(after);
                afterstates.row(block.top_units, space.top_rank(a, b, false) as usize)
            });
            RowSlide {
                direction,
                to,
                // Every second turn has a mirror.
                bottoms: &space.bottoms.turned[2 * slide][group.clone()],
                top_covered: space.top_covered(top, direction),
                covered: allowed.bottoms(slide, group.clone()),
                unmoved: after == Some(top),
            }
        }))
    }

    /// The value of the slide from the board with a bottom, if it is legal.
    #[inline]
    fn value<V: StoredValue>(
        &self,
        game: &LayerSolver,
        bottom: usize,
        board: Board,
        afterstates: &BoardSet,
        values: &[V],
    ) -> Option<V> {
        if self.top_covered & self.covered[bottom] == 0 {
            return None;
        }
        match (self.to, self.bottoms[bottom]) {
            (Some(to), after) if after != NONE => {
                let moves = !self.unmoved || after as usize != bottom;
                moves.then(|| {
                    let value = value_at(values, to.rank_or_none(after as usize));
                    game.rewarded(board, self.direction, value)
                })
            }
            // A half that is not listed is won, as a rule.
            _ => game.value_of_move(board, self.direction, afterstates, values),
        }
    }
}

impl ByRows {
    /// What the pass needs, if a game has no symmetry.
    pub fn new(space: &Space) -> Option<ByRows> {
        space.allowed.as_ref()?;
        let list = space.bottoms.halves.list();
        let cols = u32::from(space.rules.shape().cols());
        let empty = |half: &u32| {
            let cells = (0..cols).filter(|col| half >> (28 - 4 * col) & 15 == 0);
            if space.bottom_rows == 0 {
                0
            } else {
                cells.count() as u8
            }
        };
        let places = space.roles();
        let mut roles: Vec<usize> = (0..4).filter(|&role| places[role].1 != 0).collect();
        roles.sort_by_key(|&role| places[role].0);
        Some(ByRows {
            first_empty: list.iter().map(empty).collect(),
            roles,
        })
    }

    /// The values of a layer's afterstates, given the states one and two layers above.
    pub fn afterstates<V: StoredValue>(
        &self,
        game: &LayerSolver,
        set: &BoardSet,
        above: [Option<&Solved<V>>; 2],
    ) -> Vec<V> {
        let space = &**game.index.space();
        in_tasks(set, V::LOST, |words, _, found| {
            set.for_each_row_in(words, |block, row, first, words| {
                let spawns = Spawns::new(self, game, block, row, above);
                for_each_bit(words.iter().copied(), |bit| {
                    found.push(spawns.mean(space, first + bit));
                });
            });
        })
    }

    /// The values of a layer's states, given those of its afterstates.
    pub fn states<V: StoredValue>(
        &self,
        game: &LayerSolver,
        set: &BoardSet,
        afterstates: &BoardSet,
        values: &[V],
    ) -> Vec<V> {
        let space = &**game.index.space();
        in_tasks(set, V::LOST, |words, batch, found| {
            let mut moves: Vec<Moves<V>> = Vec::with_capacity(BATCH);
            set.for_each_row_in(words, |block, row, first, words| {
                let top = space.top(block, row);
                let Some(slides) = RowSlide::both(game, block, top, afterstates) else {
                    return;
                };
                let bottoms = space.bottom_group(block);
                for_each_bit(words.iter().copied(), |bit| {
                    let bottom = first + bit;
                    let board = space.board(top, bottoms[bottom]);
                    let mut known = Moves::new(board);
                    for slide in &slides {
                        let value = slide.value(game, bottom, board, afterstates, values);
                        value.into_iter().for_each(|value| known.push(value));
                    }
                    moves.push(known);
                    if moves.len() == BATCH {
                        finish(game, &mut moves, afterstates, values, batch, found);
                    }
                });
            });
            finish(game, &mut moves, afterstates, values, batch, found);
        })
    }
}

/// The values of a state's moves so far.
struct Moves<V> {
    board: Board,
    values: [V; 4],
    len: usize,
}

impl<V: StoredValue> Moves<V> {
    fn new(board: Board) -> Moves<V> {
        Moves {
            board,
            values: [V::LOST; 4],
            len: 0,
        }
    }

    fn push(&mut self, value: V) {
        self.values[self.len] = value;
        self.len += 1;
    }

    /// Whether no move can be better than one of those known.
    fn is_settled(&self) -> bool {
        V::BEST_POSSIBLE.is_some_and(|best| self.values[..self.len].contains(&best))
    }
}

/// Adds slides up and down to the moves of some states, and appends the values of the states.
fn finish<V: StoredValue>(
    game: &LayerSolver,
    states: &mut Vec<Moves<V>>,
    afterstates: &BoardSet,
    values: &[V],
    batch: &mut Batch,
    found: &mut Vec<V>,
) {
    batch.clear();
    let (slides, open) = (&mut batch.slides, &mut batch.open);
    slides.clear();
    open.clear();
    for (i, state) in states.iter().enumerate() {
        if state.is_settled() {
            continue;
        }
        let [up, down] = game.rules.vertical_slides(state.board);
        open.push(i);
        slides.push([up, down, up, down]);
        for after in [up, down] {
            let afterstate = after != state.board && !game.is_won(after);
            let position = afterstate.then(|| afterstates.index().position(after));
            batch.positions[0].push(position.flatten().unwrap_or(u64::MAX));
        }
    }
    batch.find_ranks(0, afterstates);
    // A loop of its own without a branch, so that cache misses overlap.
    let mut reached = [V::LOST; 2 * BATCH];
    for (reached, &rank) in reached.iter_mut().zip(&batch.ranks[0]) {
        *reached = value_at(values, rank);
    }
    for ((&i, slides), reached) in batch.open.iter().zip(&batch.slides).zip(reached.chunks(2)) {
        let state = &mut states[i];
        let moves = [Move::Up, Move::Down].into_iter().zip(slides);
        for ((m, &after), &value) in moves.zip(reached) {
            if after != state.board {
                state.push(game.move_value(state.board, m, after, value));
            }
        }
    }
    for state in states.drain(..) {
        let moves = state.values[..state.len].iter().copied();
        found.push(V::of_state(moves, game.tolerance));
    }
}

/// The rows that spawns on the boards of a row lead to.
struct Spawns<'a, V> {
    game: &'a LayerSolver,
    by_rows: &'a ByRows,
    /// Where the bottoms of the row begin in the list of all.
    group: usize,
    /// By exponent: the layer's values, if there is such a layer and such a tile.
    values: [Option<&'a [V]>; 2],
    /// By exponent: the row of the same top.
    bottom: [RankedRow<'a>; 2],
    /// By exponent and role: the rows of the tops with one tile more, the lowest cell first.
    tops: [[Vec<RankedRow<'a>>; 2]; 2],
    /// Empty cells of the top.
    top_empty: usize,
}

impl<'a, V: StoredValue> Spawns<'a, V> {
    fn new(
        by_rows: &'a ByRows,
        game: &'a LayerSolver,
        block: &Block,
        row: usize,
        above: [Option<&'a Solved<V>>; 2],
    ) -> Spawns<'a, V> {
        let space = &**game.index.space();
        let top = space.top(block, row);
        let cols = u32::from(game.rules.shape().cols());
        let mut spawns = Spawns {
            game,
            by_rows,
            group: space.bottoms.halves.group(block.bottom_units).start,
            values: [None; 2],
            bottom: [RankedRow::default(); 2],
            tops: Default::default(),
            top_empty: 0,
        };
        let cells = |role: usize| {
            let low = if role == 0 { 16 } else { 0 };
            (4 - cols..4).map(move |cell| low + 4 * cell)
        };
        for i in 0..2 {
            let above = above[i].filter(|_| game.probabilities[i] > 0.0);
            spawns.values[i] = above.map(|above| &above.values[..]);
            let Some(above) = above else { continue };
            spawns.bottom[i] = above.states.row(block.top_units, row);
            for role in 0..space.top_rows {
                for at in cells(role).filter(|at| top >> at & 15 == 0) {
                    let (a, b) = space.top_infos(top | (i as u32 + 1) << at);
                    let listed = a.count() > 0 && b.count() > 0;
                    let rank = || space.top_rank(a, b, false) as usize;
                    let child =
                        listed.then(|| above.states.row(block.top_units + (1 << i), rank()));
                    spawns.tops[i][role].push(child.unwrap_or_default());
                }
            }
        }
        let empty = |role: usize| cells(role).filter(|at| top >> at & 15 == 0).count();
        spawns.top_empty = (0..space.top_rows).map(empty).sum();
        spawns
    }

    /// The mean over the spawns on the board with a bottom.
    #[inline]
    fn mean(&self, space: &Space, bottom: usize) -> V {
        let bottoms = &space.bottoms;
        let mut sums = [V::Sum::default(); 2];
        let at = self.group + bottom;
        let mut cells = 0;
        for (i, sum) in sums.iter_mut().enumerate() {
            let drops = bottoms.first_drop[i][at] as usize..bottoms.first_drop[i][at + 1] as usize;
            if self.game.probabilities[i] == 0.0 {
                continue;
            }
            cells = self.top_empty + drops.len();
            let Some(values) = self.values[i] else {
                // No state above is live: all are lost.
                (0..cells).for_each(|_| V::add(sum, V::LOST));
                continue;
            };
            let drops = &bottoms.drops[i][drops];
            let (first, second) = drops.split_at(self.by_rows.first_empty[at].into());
            for &role in &self.by_rows.roles {
                match role {
                    0 | 1 => self.tops[i][role].iter().for_each(|row| {
                        V::add(sum, value_at(values, row.rank_or_none(bottom)));
                    }),
                    role => [first, second][role - 2].iter().rev().for_each(|&to| {
                        V::add(
                            sum,
                            value_at(values, self.bottom[i].rank_or_none(to as usize)),
                        );
                    }),
                }
            }
        }
        let [twos, fours] = sums;
        V::mean(twos, fours, self.game.probabilities, cells as f64)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;
    use std::sync::Arc;
    use tilebase_count::{CountOptions, count};
    use tilebase_game::{Objective, Variant};
    use tilebase_index::{Keep, Store};
    use tilebase_table::{ExpectedReturn, FastestWin, Probability};
    use tilebase_util::progress::Silent;

    /// Solves all layers with and without rows, and compares them bit by bit.
    fn compare<V: StoredValue>(name: &str, objective: Objective) {
        let variant: Variant = name.parse().unwrap();
        let mut store = Store::in_memory(&variant, Keep::Afterstates);
        count(
            &variant,
            &CountOptions::default(),
            Some(&mut store),
            &Silent,
        )
        .unwrap();
        let mut game = LayerSolver::new(&variant, objective, 1e-12).unwrap();
        let by_rows = game.by_rows.take();
        assert!(by_rows.is_some(), "{name}");
        let by_rows = by_rows.unwrap();
        let mut above: Vec<Solved<V>> = Vec::new();
        let mut compared = 0;
        for entry in store.manifest().layers.iter().rev() {
            let states = store.boards(&game.index, entry, Keep::States).unwrap();
            let after = store.boards(&game.index, entry, Keep::Afterstates).unwrap();
            let at = |sum: u32| above.iter().find(|layer| layer.states.index().sum() == sum);
            let two = [at(entry.sum + 2), at(entry.sum + 4)];
            let values = game.afterstates(&after, two);
            assert_eq!(values, by_rows.afterstates(&game, &after, two), "{name}");
            let found = by_rows.states(&game, &states, &after, &values);
            assert_eq!(game.states(&states, &after, &values), found, "{name}");
            compared += found.len();
            above.push(Solved {
                states: Arc::new(states),
                values: found,
            });
        }
        assert!(compared > 500, "{name} {compared}");
    }

    #[test]
    fn rows_give_the_same_bits_as_single_boards() {
        for name in [
            "3x3-to-32-walls-2-keep-ff",
            "3x3-to-16-walls-3-keep-ff+f00f-goal-f0",
            "2x4-to-32-walls-2-keep-ff-goal-f00",
            "4x3-to-16-walls-5-keep-ff0fff",
            "4x4-to-16-formation-L3",
            "4x4-to-16-formation-442",
        ] {
            compare::<Probability>(name, Objective::Win);
            compare::<ExpectedReturn>(name, Objective::Score);
            compare::<FastestWin>(name, Objective::Moves);
        }
    }
}
