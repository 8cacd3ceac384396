//! One step of the backward pass: from the worth of the states above to the worth of the
//! afterstates, and from that to the worth of the states.

use std::sync::Arc;

use rayon::prelude::*;
use tilebase_game::{Board, Move, Rules, Variant};
use tilebase_index::{BoardSet, Imaging, Places};
use tilebase_table::{Objective, StoredValue};

/// Boards that a thread takes at a time.
const TASK: u32 = 1 << 10;
/// Boards that are looked up together.
const BATCH: usize = 32;

/// What a step needs to know of the game.
pub struct Game {
    /// The game.
    pub variant: Variant,
    /// What is to be achieved.
    pub objective: Objective,
    /// Moves that differ by at most this fraction are equally good.
    pub tolerance: f64,
    /// The places of the game's boards.
    pub places: Places,
    /// The rules of the shape that stands upright.
    pub rules: Rules,
    /// The exponent that wins: above the largest one of a state.
    target: u8,
    /// Probabilities of a 2 and a 4.
    pub(crate) probabilities: [f64; 2],
}

/// States of a layer and what they are worth.
pub struct Solved<W> {
    /// The states.
    pub states: Arc<BoardSet>,
    /// Their worth by rank.
    pub worths: Vec<W>,
}

impl Game {
    /// Makes the tables of a game.
    pub fn new(
        variant: &Variant,
        objective: Objective,
        tolerance: f64,
    ) -> Result<Game, tilebase_index::IndexError> {
        let places = Places::new(variant)?;
        let spawn = variant.spawn();
        Ok(Game {
            variant: *variant,
            objective,
            tolerance,
            rules: *places.rules(),
            target: variant.target().unwrap_or(u8::MAX),
            places,
            probabilities: [spawn.probability(1), spawn.probability(2)],
        })
    }

    /// Whether a board is won.
    #[inline]
    pub fn is_won(&self, board: Board) -> bool {
        self.target <= 15 && board.reaches(self.target)
    }

    /// What the afterstates of a layer are worth, given the states one and two steps above.
    ///
    /// In large layers every look-up waits for memory. So boards are taken in batches, and
    /// each step, finding positions, ranks and worths, is a loop of its own whose turns do
    /// not depend on each other: the processor waits for many of them at a time.
    pub fn afterstates<W: StoredValue>(
        &self,
        set: &BoardSet,
        above: [Option<&Solved<W>>; 2],
    ) -> Vec<W> {
        let imaging = Imaging::new(self.rules);
        by_batches(set, |boards, batch, found| {
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
                        let position = above.states.places().position(child);
                        batch.positions[i].push(position.unwrap_or(u64::MAX));
                    }
                }
            }
            for (i, above) in above.iter().enumerate() {
                if let Some(above) = above {
                    batch.look_up(i, &above.states);
                }
            }
            let mut at = [0; 2];
            for &board in boards {
                let cells = self.rules.empty_cells(board).count_ones() as usize;
                let mut sums = [W::Sum::default(); 2];
                for (i, above) in above.iter().enumerate() {
                    match above {
                        _ if self.probabilities[i] == 0.0 => (),
                        Some(above) => {
                            for &rank in &batch.ranks[i][at[i]..at[i] + cells] {
                                W::add(&mut sums[i], worth_at(&above.worths, rank));
                            }
                            at[i] += cells;
                        }
                        // No state above is live: all are lost.
                        None => (0..cells).for_each(|_| W::add(&mut sums[i], W::LOST)),
                    }
                }
                let [twos, fours] = sums;
                found.push(W::mean(twos, fours, self.probabilities, cells as f64));
            }
        })
    }

    /// What the states of a layer are worth, given what its afterstates are.
    ///
    /// In easy games nearly every state is a sure win, by nearly every move. So where a worth
    /// that cannot be surpassed exists and is common, the first moves are looked up alone, and
    /// only where that did not settle it the others.
    pub fn states<W: StoredValue>(
        &self,
        set: &BoardSet,
        afterstates: &BoardSet,
        worths: &[W],
    ) -> Vec<W> {
        let top = W::TOP.filter(|&top| is_common(top, worths));
        by_batches(set, |boards, batch, found: &mut Vec<W>| {
            let base = found.len();
            found.resize(base + boards.len(), W::LOST);
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
                    batch.look_up(0, afterstates);
                    for (i, found) in found[base..].iter_mut().enumerate() {
                        let worth = worth_at(worths, batch.ranks[0][i]);
                        if let Some((m, after)) = legal(i, batch) {
                            *found = self.move_worth(boards[i], m, after, worth);
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
            batch.look_up(0, afterstates);
            for (&i, ranks) in batch.open.iter().zip(batch.ranks[0].chunks(4)) {
                let slides = Move::ALL.into_iter().zip(batch.slides[i]).zip(ranks);
                let moves = slides.filter(|&((_, after), _)| after != boards[i]).map(
                    |((m, after), &rank)| {
                        self.move_worth(boards[i], m, after, worth_at(worths, rank))
                    },
                );
                found[base + i] = W::of_state(moves, self.tolerance);
            }
        })
    }

    /// The position of an afterstate, past all layers if there is none or it is won.
    #[inline]
    fn position(&self, afterstates: &BoardSet, after: Option<Board>) -> u64 {
        let after = after.filter(|&after| !self.is_won(after));
        let position = after.and_then(|after| afterstates.places().canonical_position(after));
        position.unwrap_or(u64::MAX)
    }

    /// What a move to an afterstate is worth.
    #[inline]
    fn move_worth<W: StoredValue>(&self, board: Board, m: Move, after: Board, worth: W) -> W {
        let gain = match self.objective {
            Objective::Score => self.rules.gain(board, m),
            _ => 0,
        };
        let worth = if self.is_won(after) {
            W::won(&self.objective)
        } else {
            worth
        };
        W::of_move(&self.objective, worth, gain)
    }

    /// Calls `visit` with every legal move of an upright board, the board after it, and what
    /// the move is worth.
    #[inline]
    pub fn moves<W: StoredValue>(
        &self,
        board: Board,
        afterstates: &BoardSet,
        worths: &[W],
        mut visit: impl FnMut(Move, Board, W),
    ) {
        for (m, after) in Move::ALL.into_iter().zip(self.rules.slides(board)) {
            if after == board {
                continue;
            }
            let worth = match self.rank(afterstates, after) {
                Some(rank) => worths[rank as usize],
                None => W::LOST,
            };
            visit(m, after, self.move_worth(board, m, after, worth));
        }
    }

    /// The first of the best moves of an upright board.
    pub fn best_move<W: StoredValue>(
        &self,
        board: Board,
        afterstates: &BoardSet,
        worths: &[W],
    ) -> Option<(Move, Board)> {
        let mut moves: Vec<(Move, Board, W)> = Vec::with_capacity(4);
        self.moves(board, afterstates, worths, |m, after, worth| {
            moves.push((m, after, worth));
        });
        let worths: Vec<W> = moves.iter().map(|&(_, _, worth)| worth).collect();
        let state = W::of_state(worths.iter().copied(), self.tolerance);
        let best = |&&(_, _, worth): &&(Move, Board, W)| worth.is_best(state, self.tolerance);
        moves.iter().find(best).map(|&(m, after, _)| (m, after))
    }

    /// The rank of a board's canonical form in a set.
    #[inline]
    pub fn rank(&self, set: &BoardSet, board: Board) -> Option<u32> {
        if board.reaches(self.places.largest() + 1) {
            return None;
        }
        let position = set.places().canonical_position(board)?;
        set.rank_at(position)
    }
}

/// Whether at least half of some worths are a given one, by a sample.
fn is_common<W: StoredValue>(worth: W, worths: &[W]) -> bool {
    let step = (worths.len() / 1024).max(1);
    let sample = || worths.iter().step_by(step);
    2 * sample().filter(|&&other| other == worth).count() >= sample().count()
}

/// The worth with a rank; what has none is lost.
#[inline]
fn worth_at<W: StoredValue>(worths: &[W], rank: u32) -> W {
    worths.get(rank as usize).copied().unwrap_or(W::LOST)
}

/// Look-ups that are made together.
#[derive(Default)]
struct Batch {
    slides: Vec<[Board; 4]>,
    /// Boards that are not settled yet.
    open: Vec<usize>,
    positions: [Vec<u64>; 2],
    ranks: [Vec<u32>; 2],
}

impl Batch {
    fn clear(&mut self) {
        self.positions.iter_mut().for_each(Vec::clear);
    }

    fn look_up(&mut self, i: usize, set: &BoardSet) {
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
    compute: impl Fn(&[Board], &mut Batch, &mut Vec<T>) + Sync,
) -> Vec<T> {
    let parts: Vec<Vec<T>> = set
        .tasks(TASK)
        .into_par_iter()
        .map_init(Batch::default, |batch, (_, words)| {
            let mut found = Vec::with_capacity(TASK as usize + 64);
            let mut boards = Vec::with_capacity(BATCH);
            set.for_each_in(words, |_, board| {
                boards.push(board);
                if boards.len() == BATCH {
                    compute(&boards, batch, &mut found);
                    boards.clear();
                }
            });
            compute(&boards, batch, &mut found);
            found
        })
        .collect();
    parts.concat()
}

/// Computes something for every board of a set, by rank, on all threads.
pub(crate) fn for_all<T: Send + Sync + Copy>(
    set: &BoardSet,
    compute: impl Fn(Board) -> T + Sync,
) -> Vec<T> {
    by_batches(set, |boards, _, found| {
        found.extend(boards.iter().map(|&board| compute(board)))
    })
}
