//! One step of the backward pass: from the worth of the states above to the worth of the
//! afterstates, and from that to the worth of the states.

use rayon::prelude::*;
use tilebase_count::{BoardSet, LayerPlaces, Places};
use tilebase_game::{Board, Move, Rules, Variant};
use tilebase_table::{Objective, Worth};

/// Boards that a thread takes at a time.
const TASK: u32 = 1 << 13;

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
    probabilities: [f64; 2],
}

/// States of a layer and what they are worth.
pub struct Solved<W> {
    /// The states.
    pub states: BoardSet,
    /// Their worth by rank.
    pub worths: Vec<W>,
}

impl Game {
    /// Makes the tables of a game.
    pub fn new(
        variant: &Variant,
        objective: Objective,
        tolerance: f64,
    ) -> Result<Game, tilebase_count::CountError> {
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
    pub fn afterstates<W: Worth>(&self, set: &BoardSet, above: [Option<&Solved<W>>; 2]) -> Vec<W> {
        by_tasks(set, |_, board| self.afterstate(board, above))
    }

    #[inline]
    fn afterstate<W: Worth>(&self, board: Board, above: [Option<&Solved<W>>; 2]) -> W {
        let mut sums = [W::Sum::default(); 2];
        let empty = self.rules.empty_cells(board);
        for (i, sum) in sums.iter_mut().enumerate() {
            if self.probabilities[i] == 0.0 {
                continue;
            }
            let mut cells = empty;
            while cells != 0 {
                let at = cells.trailing_zeros();
                cells &= cells - 1;
                let child = Board::from_bits(board.bits() | (i as u64 + 1) << at);
                let worth = above[i].map_or(W::LOST, |above| self.state_worth(child, above));
                W::add(sum, worth);
            }
        }
        let [twos, fours] = sums;
        W::mean(
            twos,
            fours,
            self.probabilities,
            f64::from(empty.count_ones()),
        )
    }

    /// What a state is worth; those that are not listed are lost.
    #[inline]
    fn state_worth<W: Worth>(&self, board: Board, layer: &Solved<W>) -> W {
        match self.rank(layer.states.places(), &layer.states, board) {
            Some(rank) => layer.worths[rank as usize],
            None => W::LOST,
        }
    }

    #[inline]
    fn rank(&self, places: &LayerPlaces, set: &BoardSet, board: Board) -> Option<u32> {
        let position = places.position(self.rules.canonical(board))?;
        set.rank_at(position)
    }

    /// What the states of a layer are worth, given what its afterstates are.
    pub fn states<W: Worth>(&self, set: &BoardSet, afterstates: &BoardSet, worths: &[W]) -> Vec<W> {
        by_tasks(set, |_, board| {
            let mut found = [W::LOST; 4];
            let mut len = 0;
            self.moves(board, afterstates, worths, |_, _, worth| {
                found[len] = worth;
                len += 1;
            });
            W::of_state(&found[..len], self.tolerance)
        })
    }

    /// Calls `visit` with every legal move of an upright board, the board after it, and what
    /// the move is worth.
    #[inline]
    pub fn moves<W: Worth>(
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
            let gain = match self.objective {
                Objective::Score => self.rules.gain(board, m),
                _ => 0,
            };
            let worth = if self.is_won(after) {
                W::won(&self.objective)
            } else {
                match self.rank(afterstates.places(), afterstates, after) {
                    Some(rank) => worths[rank as usize],
                    None => W::LOST,
                }
            };
            visit(m, after, W::of_move(&self.objective, worth, gain));
        }
    }
}

/// Computes something for every board of a set, by rank, on all threads.
pub(crate) fn by_tasks<T: Send + Copy>(
    set: &BoardSet,
    compute: impl Fn(u64, Board) -> T + Sync,
) -> Vec<T> {
    let tasks = set.tasks(TASK);
    let parts: Vec<Vec<T>> = tasks
        .into_par_iter()
        .map(|(_, words)| {
            let mut part = Vec::with_capacity(TASK as usize + 64);
            set.for_each_in(words, |position, board| part.push(compute(position, board)));
            part
        })
        .collect();
    parts.concat()
}
