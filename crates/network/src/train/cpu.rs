//! Training on the CPU: the reference for training on a GPU.

use crate::patterns::{LOOKUPS, PATTERNS, WEIGHTS};
use crate::{Pages, STAGES};
use tilebase_game::{Board, Move, Rules};

use crate::train::Trainer;
use crate::train::error::TrainError;
use crate::train::stage::indices_at;
use crate::train::state::TrainingState;
use crate::train::stats::EpisodeStats;

/// Errors are clamped to this many points and rounded to integers: 40 bits then hold the sum of
/// all errors of a step.
const LARGEST_ERROR: f32 = 524_288.0;
/// Bits for the number of a weight's errors, below their sum.
const COUNT_BITS: u32 = 24;

/// Trains on one core.
pub struct CpuTrainer {
    rules: Rules,
    state: TrainingState,
    /// The errors of this step for each weight: their sum and, in the low bits, their number.
    /// Integers, so that the order of additions does not matter.
    errors: Pages<i64>,
    stats: EpisodeStats,
}

impl CpuTrainer {
    /// A trainer that continues from this state.
    pub fn new(rules: Rules, state: TrainingState) -> Result<CpuTrainer, TrainError> {
        Ok(CpuTrainer {
            rules,
            state,
            errors: Pages::zeros(STAGES * WEIGHTS).map_err(TrainError::Memory)?,
            stats: EpisodeStats::default(),
        })
    }

    /// Chooses a game's slide, and adds up the TD error of the afterstate before.
    fn choose(&mut self, at: usize) {
        let game = &mut self.state.games[at];
        let staged = self.state.staged;
        let (board, weights) = (Board::from_bits(game.board), self.state.weights.all());
        let (mut most, mut value) = (f32::NEG_INFINITY, 0.0);
        (game.chosen, game.reward) = (0, 0);
        for (m, afterstate) in Move::ALL.into_iter().zip(self.rules.slides(board)) {
            if afterstate == board {
                continue;
            }
            let reward = self.rules.score(board, m);
            let total = reward as f32 + output(weights, &indices_at(staged, afterstate));
            if total > most {
                (most, value) = (total, total);
                (game.chosen, game.reward) = (afterstate.bits(), reward);
            }
        }
        if game.before == 0 {
            return;
        }
        let indices = indices_at(staged, Board::from_bits(game.before));
        let error = counted(value - output(weights, &indices));
        let errors = self.errors.all_mut();
        for index in indices {
            errors[index as usize] += error;
        }
    }

    /// Updates the weights of a game's afterstate before, each by the mean of its errors.
    fn update(&mut self, at: usize) {
        let fixed = self.state.learning_rate();
        let game = &self.state.games[at];
        if game.before == 0 {
            return;
        }
        let weights = self.state.weights.all_mut();
        let coherence = self.state.coherence.all_mut();
        let errors = self.errors.all_mut();
        for index in indices_at(self.state.staged, Board::from_bits(game.before)) {
            let index = index as usize;
            // Another game of this step may have updated it already.
            let counted = std::mem::take(&mut errors[index]);
            if counted == 0 {
                continue;
            }
            let count = (counted & ((1 << COUNT_BITS) - 1)) as f32;
            let sum = (counted >> COUNT_BITS) as f32;
            let [sums, sizes] = &mut coherence[index];
            let rate = match (fixed > 0.0, *sizes > 0.0) {
                (true, _) => fixed,
                (false, true) => sums.abs() / *sizes,
                (false, false) => 1.0,
            };
            // As far as this many small updates in a row would go: never past the mean.
            weights[index] += (rate * count).min(1.0) * (sum / count / LOOKUPS as f32);
            *sums += sum;
            // The sum of the errors' sizes, if about as many are above 0 as below.
            *sizes += sum.abs() * count.sqrt();
        }
    }
}

impl Trainer for CpuTrainer {
    fn step(&mut self, steps: u64) -> Result<(), TrainError> {
        for _ in 0..steps {
            (0..self.state.games.len()).for_each(|at| self.choose(at));
            (0..self.state.games.len()).for_each(|at| self.update(at));
            for game in &mut self.state.games {
                self.stats.add_if_over(game);
                game.advance(&self.rules);
            }
        }
        self.state.steps += steps;
        Ok(())
    }

    fn visit_state(
        &mut self,
        visitor: &mut dyn FnMut(&mut TrainingState),
    ) -> Result<(), TrainError> {
        visitor(&mut self.state);
        Ok(())
    }

    fn take_stats(&mut self) -> Result<EpisodeStats, TrainError> {
        Ok(std::mem::take(&mut self.stats))
    }
}

/// An error as it is added up: an integer, above a count of one.
fn counted(error: f32) -> i64 {
    let error = error.clamp(-LARGEST_ERROR, LARGEST_ERROR).round_ties_even();
    ((error as i64) << COUNT_BITS) + 1
}

/// The network's output for a board: the weights added up image by image and then in pairs, in
/// the order of the kernels.
fn output(weights: &[f32], indices: &[u32; LOOKUPS]) -> f32 {
    let mut sums = [0.0f32; 8];
    for (sum, indices) in sums.iter_mut().zip(indices.chunks_exact(PATTERNS)) {
        for &index in indices {
            *sum += weights[index as usize];
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}
