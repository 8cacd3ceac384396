//! One step of the backward pass: from the values of the states above to the values of a layer's
//! afterstates, and from those to the values of its states.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use tilebase_game::{Board, Move, Reward, Rules, Variant};
use tilebase_index::{BoardIndex, BoardSet, Imaging};
use tilebase_table::{Objective, StoredValue, Table};

use crate::by_rows::ByRows;

/// Boards that a thread takes at a time.
const TASK: u32 = 1 << 10;
/// Boards that are looked up together.
pub(crate) const BATCH: usize = 32;

/// Solves a layer of a game, given the two above it.
pub struct LayerSolver {
    /// The game.
    pub variant: Variant,
    /// What is optimized.
    pub objective: Objective,
    /// Moves whose values differ by at most this fraction are ties.
    pub tolerance: f64,
    /// The positions of boards in layers.
    pub index: BoardIndex,
    /// The rules of the shape, turned upright.
    pub rules: Rules,
    /// The game with its boards upright.
    upright: Variant,
    /// How the pass goes by whole rows, in games without symmetry.
    pub(crate) by_rows: Option<ByRows>,
    /// Probabilities of a 2 and a 4.
    pub(crate) probabilities: [f64; 2],
}

/// The states of a layer with their values.
pub struct Solved<V> {
    /// The states.
    pub states: Arc<BoardSet>,
    /// Their values by rank.
    pub values: Vec<V>,
}

impl LayerSolver {
    /// Makes a solver, with an index of the game's boards of its own.
    pub fn new(
        variant: &Variant,
        objective: Objective,
        tolerance: f64,
    ) -> Result<LayerSolver, tilebase_index::IndexError> {
        let index = BoardIndex::new(variant)?;
        Ok(LayerSolver::with_index(
            variant, objective, tolerance, index,
        ))
    }

    /// A solver for the game of a table.
    pub fn of_table(table: &Table) -> LayerSolver {
        let tolerance = table.manifest().tie_tolerance;
        let index = table.index().clone();
        LayerSolver::with_index(table.variant(), table.objective(), tolerance, index)
    }

    /// A solver that shares the index of the game's boards.
    pub(crate) fn with_index(
        variant: &Variant,
        objective: Objective,
        tolerance: f64,
        index: BoardIndex,
    ) -> LayerSolver {
        let spawn = variant.spawn();
        LayerSolver {
            variant: *variant,
            objective,
            tolerance,
            rules: *index.rules(),
            upright: index.space().cut.variant,
            by_rows: ByRows::new(index.space()),
            index,
            probabilities: [spawn.probability(1), spawn.probability(2)],
        }
    }

    /// Whether an upright board is won.
    #[inline]
    pub fn is_won(&self, board: Board) -> bool {
        self.upright.is_won(board)
    }

    /// The values of a layer's afterstates, given the states one and two layers above.
    ///
    /// In large layers every lookup is a cache miss. So boards are taken in batches, and finding
    /// positions, ranks and values are loops of their own whose iterations are independent: the
    /// processor overlaps many misses.
    pub fn afterstates<V: StoredValue>(
        &self,
        set: &BoardSet,
        above: [Option<&Solved<V>>; 2],
    ) -> Vec<V> {
        if let Some(by_rows) = &self.by_rows {
            return by_rows.afterstates(self, set, above);
        }
        let imaging = Imaging::new(self.rules);
        by_batches(set, V::LOST, |boards, batch, found| {
            batch.clear();
            for &board in boards {
                let images = imaging.images(board);
                for (i, above) in above.iter().enumerate() {
                    let Some(above) = above.filter(|_| self.probabilities[i] > 0.0) else {
                        continue;
                    };
                    let mut cells = self.rules.empty_cells(board);
                    while cells != 0 {
                        let child =
                            imaging.canonical(&images, cells.trailing_zeros(), i as u64 + 1);
                        cells &= cells - 1;
                        let position = above.states.index().position(child);
                        batch.positions[i].push(position.unwrap_or(u64::MAX));
                    }
                }
            }
            for (i, above) in above.iter().enumerate() {
                if let Some(above) = above {
                    batch.find_ranks(i, &above.states);
                }
            }
            let mut at = [0; 2];
            for &board in boards {
                let cells = self.rules.empty_cells(board).count_ones() as usize;
                let mut sums = [V::Sum::default(); 2];
                for (i, above) in above.iter().enumerate() {
                    match above {
                        _ if self.probabilities[i] == 0.0 => (),
                        Some(above) => {
                            for &rank in &batch.ranks[i][at[i]..at[i] + cells] {
                                V::add(&mut sums[i], value_at(&above.values, rank));
                            }
                            at[i] += cells;
                        }
                        // No state above is live: all are lost.
                        None => (0..cells).for_each(|_| V::add(&mut sums[i], V::LOST)),
                    }
                }
                let [twos, fours] = sums;
                found.push(V::mean(twos, fours, self.probabilities, cells as f64));
            }
        })
    }

    /// The values of a layer's states, given those of its afterstates.
    ///
    /// In easy games nearly every state is a sure win, by nearly every move. So if a value that
    /// cannot be surpassed is common, the first move of each state is looked up alone, and the
    /// others only where that does not decide.
    pub fn states<V: StoredValue>(
        &self,
        set: &BoardSet,
        afterstates: &BoardSet,
        values: &[V],
    ) -> Vec<V> {
        if let Some(by_rows) = &self.by_rows {
            return by_rows.states(self, set, afterstates, values);
        }
        let top = V::BEST_POSSIBLE.filter(|&top| is_common(top, values));
        by_batches(set, V::LOST, |boards, batch, found: &mut Vec<V>| {
            let base = found.len();
            found.resize(base + boards.len(), V::LOST);
            batch.slides.clear();
            batch
                .slides
                .extend(boards.iter().map(|&board| self.rules.slides(board)));
            batch.open.clear();
            match top {
                None => batch.open.extend(0..boards.len()),
                Some(top) => {
                    let legal = |i: usize, batch: &Batch| {
                        let mut slides = Move::ALL.into_iter().zip(batch.slides[i]);
                        slides.find(|&(_, after)| after != boards[i])
                    };
                    batch.clear();
                    for i in 0..boards.len() {
                        let after = legal(i, batch).map(|(_, after)| after);
                        batch.positions[0].push(self.position(afterstates, after));
                    }
                    batch.find_ranks(0, afterstates);
                    for (i, found) in found[base..].iter_mut().enumerate() {
                        let value = value_at(values, batch.ranks[0][i]);
                        if let Some((m, after)) = legal(i, batch) {
                            *found = self.move_value(boards[i], m, after, value);
                        }
                        if *found != top {
                            batch.open.push(i);
                        }
                    }
                }
            }
            batch.clear();
            for &i in &batch.open {
                for after in batch.slides[i] {
                    let legal = Some(after).filter(|&after| after != boards[i]);
                    batch.positions[0].push(self.position(afterstates, legal));
                }
            }
            batch.find_ranks(0, afterstates);
            for (&i, ranks) in batch.open.iter().zip(batch.ranks[0].chunks(4)) {
                let slides = Move::ALL.into_iter().zip(batch.slides[i]).zip(ranks);
                let moves = slides.filter(|&((_, after), _)| after != boards[i]).map(
                    |((m, after), &rank)| {
                        self.move_value(boards[i], m, after, value_at(values, rank))
                    },
                );
                found[base + i] = V::of_state(moves, self.tolerance);
            }
        })
    }

    /// The position of an afterstate, past all layers if there is none or it is won.
    #[inline]
    fn position(&self, afterstates: &BoardSet, after: Option<Board>) -> u64 {
        let after = after.filter(|&after| !self.is_won(after));
        let position = after.and_then(|after| afterstates.index().canonical_position(after));
        position.unwrap_or(u64::MAX)
    }

    /// The value of a move to an afterstate.
    #[inline]
    pub(crate) fn move_value<V: StoredValue>(
        &self,
        board: Board,
        m: Move,
        after: Board,
        value: V,
    ) -> V {
        let value = if self.is_won(after) {
            V::won(&self.objective)
        } else {
            value
        };
        self.rewarded(board, m, value)
    }

    /// The value of a move to an afterstate with a value, or to a win.
    #[inline]
    pub(crate) fn rewarded<V: StoredValue>(&self, board: Board, m: Move, value: V) -> V {
        let score = match self.objective.reward() {
            Reward::Score => self.rules.score(board, m),
            Reward::Nothing | Reward::Move => 0,
        };
        V::of_move(&self.objective, value, score)
    }

    /// The value of one move of an upright board, if it is legal.
    pub(crate) fn value_of_move<V: StoredValue>(
        &self,
        board: Board,
        m: Move,
        afterstates: &BoardSet,
        values: &[V],
    ) -> Option<V> {
        let after = self.rules.slide(board, m);
        (after != board).then(|| {
            let rank = self.rank(afterstates, after);
            let value = value_at(values, rank.unwrap_or(BoardSet::NONE));
            self.move_value(board, m, after, value)
        })
    }

    /// Calls `visit` with every legal move of an upright board, the board after it, and the value
    /// of the move.
    #[inline]
    pub fn moves<V: StoredValue>(
        &self,
        board: Board,
        afterstates: &BoardSet,
        values: &[V],
        mut visit: impl FnMut(Move, Board, V),
    ) {
        for (m, after) in Move::ALL.into_iter().zip(self.rules.slides(board)) {
            if let Some(value) = self.value_of_move(board, m, afterstates, values) {
                visit(m, after, value);
            }
        }
    }

    /// The first of the best moves of an upright board.
    pub fn best_move<V: StoredValue>(
        &self,
        board: Board,
        afterstates: &BoardSet,
        values: &[V],
    ) -> Option<(Move, Board)> {
        let best = self.best(board, afterstates, values);
        best.map(|(m, after, _)| (m, after))
    }

    /// The first of the best moves of an upright board, the board after it, and the value of the board.
    pub(crate) fn best<V: StoredValue>(
        &self,
        board: Board,
        afterstates: &BoardSet,
        values: &[V],
    ) -> Option<(Move, Board, V)> {
        let mut moves: Vec<(Move, Board, V)> = Vec::with_capacity(4);
        self.moves(board, afterstates, values, |m, after, value| {
            moves.push((m, after, value));
        });
        let values: Vec<V> = moves.iter().map(|&(_, _, value)| value).collect();
        let state = V::of_state(values.iter().copied(), self.tolerance);
        let best = |&&(_, _, value): &&(Move, Board, V)| value.is_best(state, self.tolerance);
        let best = moves.iter().find(best);
        best.map(|&(m, after, _)| (m, after, state))
    }

    /// The rank of a board's canonical form in a set.
    #[inline]
    pub fn rank(&self, set: &BoardSet, board: Board) -> Option<u32> {
        if !self.index.space().cut.has_room_for(board) {
            return None;
        }
        let position = set.index().canonical_position(board)?;
        set.rank_at(position)
    }
}

/// Whether at least half of some values equal a given one, by a sample.
fn is_common<V: StoredValue>(value: V, values: &[V]) -> bool {
    let step = (values.len() / 1024).max(1);
    let sample = || values.iter().step_by(step);
    2 * sample().filter(|&&other| other == value).count() >= sample().count()
}

/// The value with a rank; a board without one is lost.
#[inline]
pub(crate) fn value_at<V: StoredValue>(values: &[V], rank: u32) -> V {
    values.get(rank as usize).copied().unwrap_or(V::LOST)
}

/// Lookups that are made together.
#[derive(Default)]
pub(crate) struct Batch {
    pub slides: Vec<[Board; 4]>,
    /// Boards that are not decided yet.
    pub open: Vec<usize>,
    pub positions: [Vec<u64>; 2],
    pub ranks: [Vec<u32>; 2],
}

impl Batch {
    pub fn clear(&mut self) {
        self.positions.iter_mut().for_each(Vec::clear);
    }

    pub fn find_ranks(&mut self, i: usize, set: &BoardSet) {
        self.ranks[i].clear();
        let ranks = self.positions[i]
            .iter()
            .map(|&position| set.rank_or_none(position));
        self.ranks[i].extend(ranks);
    }
}

/// Computes something for every board of a set, by rank, on all threads: `compute` appends
/// the results of a few boards at a time.
fn by_batches<T: Send + Sync + Copy>(
    set: &BoardSet,
    blank: T,
    compute: impl Fn(&[Board], &mut Batch, &mut Vec<T>) + Sync,
) -> Vec<T> {
    in_tasks(set, blank, |words, batch, found| {
        let mut boards = Vec::with_capacity(BATCH);
        set.for_each_in(words, |_, board| {
            boards.push(board);
            if boards.len() == BATCH {
                compute(&boards, batch, found);
                boards.clear();
            }
        });
        compute(&boards, batch, found);
    })
}

/// Computes something for every board of a set, by rank, on all threads: `compute` appends the
/// results of the boards in a range of words. `blank` is any value.
pub(crate) fn in_tasks<T: Send + Sync + Copy>(
    set: &BoardSet,
    blank: T,
    compute: impl Fn(Range<usize>, &mut Batch, &mut Vec<T>) + Sync,
) -> Vec<T> {
    let tasks = set.tasks(TASK);
    let ends = tasks[1.min(tasks.len())..]
        .iter()
        .map(|&(first, _)| first as usize);
    let ends: Vec<usize> = ends.chain([set.len() as usize]).collect();
    let mut all = vec![blank; set.len() as usize];
    let mut rest = &mut all[..];
    let mut parts = Vec::with_capacity(tasks.len());
    for ((first, words), end) in tasks.into_iter().zip(ends) {
        let (part, after) = rest.split_at_mut(end - first as usize);
        rest = after;
        parts.push((words, part));
    }
    let scratch = || (Batch::default(), Vec::with_capacity(TASK as usize + 64));
    parts
        .into_par_iter()
        .for_each_init(scratch, |(batch, found), (words, part)| {
            found.clear();
            compute(words, batch, found);
            part.copy_from_slice(found);
        });
    all
}

/// Computes something for every board of a set, by rank, on all threads.
pub(crate) fn for_all<T: Send + Sync + Copy>(
    set: &BoardSet,
    blank: T,
    compute: impl Fn(Board) -> T + Sync,
) -> Vec<T> {
    by_batches(set, blank, |boards, _, found| {
        found.extend(boards.iter().map(|&board| compute(board)))
    })
}
