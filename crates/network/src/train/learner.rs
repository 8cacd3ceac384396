//! The learner on the processor: the reference for the one on a GPU.

use std::io;

use crate::patterns::{LOOK_UPS, PATTERNS, WEIGHTS};
use crate::{Pages, STAGES};
use tilebase_game::{Board, Move, Rules};

use crate::train::course::{Course, Learn};
use crate::train::stage::places_while;
use crate::train::state::State;

/// Errors are counted in whole points of at most this size: 40 bits hold the sum of as many
/// as there can be in a step.
const LARGEST_ERROR: f32 = 524_288.0;
/// Bits of a weight's count of errors, below their sum.
const COUNT_BITS: u32 = 24;

/// Learns on one core.
pub struct Learner {
    rules: Rules,
    state: State,
    /// The errors of this step: their sum and, in the low bits, their number. Whole numbers,
    /// so that their order does not matter.
    step: Pages<i64>,
    course: Course,
}

impl Learner {
    /// A learner that goes on from here.
    pub fn new(rules: Rules, state: State) -> io::Result<Learner> {
        Ok(Learner {
            rules,
            state,
            step: Pages::zeros(STAGES * WEIGHTS)?,
            course: Course::default(),
        })
    }

    /// Chooses a game's slide, and notes the error of the board before.
    fn look(&mut self, at: usize) {
        let game = &mut self.state.games[at];
        let split = self.state.split;
        let (board, weights) = (Board::from_bits(game.board), self.state.weights.all());
        let (mut most, mut value) = (f32::NEG_INFINITY, 0.0);
        (game.chosen, game.gain) = (0, 0);
        for (m, after) in Move::ALL.into_iter().zip(self.rules.slides(board)) {
            if after == board {
                continue;
            }
            let gain = self.rules.gain(board, m);
            let total = gain as f32 + worth(weights, &places_while(split, after));
            if total > most {
                (most, value) = (total, total);
                (game.chosen, game.gain) = (after.bits(), gain);
            }
        }
        if game.before == 0 {
            return;
        }
        let places = places_while(split, Board::from_bits(game.before));
        let error = note(value - worth(weights, &places));
        let step = self.step.all_mut();
        for place in places {
            step[place as usize] += error;
        }
    }

    /// Corrects the weights of a game's board before, each by the mean of its errors.
    fn correct(&mut self, at: usize) {
        let fixed = self.state.rate();
        let game = &self.state.games[at];
        if game.before == 0 {
            return;
        }
        let weights = self.state.weights.all_mut();
        let errors = self.state.errors.all_mut();
        let step = self.step.all_mut();
        for place in places_while(self.state.split, Board::from_bits(game.before)) {
            let place = place as usize;
            // Another game of this step may have corrected it already.
            let noted = std::mem::take(&mut step[place]);
            if noted == 0 {
                continue;
            }
            let count = (noted & ((1 << COUNT_BITS) - 1)) as f32;
            let sum = (noted >> COUNT_BITS) as f32;
            let [sums, sizes] = &mut errors[place];
            let rate = match (fixed > 0.0, *sizes > 0.0) {
                (true, _) => fixed,
                (false, true) => sums.abs() / *sizes,
                (false, false) => 1.0,
            };
            // As many small steps one after the other would go: never past the mean.
            weights[place] += (rate * count).min(1.0) * (sum / count / LOOK_UPS as f32);
            *sums += sum;
            // The errors' sizes together, if they are about as often above as below 0.
            *sizes += sum.abs() * count.sqrt();
        }
    }
}

impl Learn for Learner {
    fn step(&mut self, steps: u64) -> Result<(), String> {
        for _ in 0..steps {
            (0..self.state.games.len()).for_each(|at| self.look(at));
            (0..self.state.games.len()).for_each(|at| self.correct(at));
            for game in &mut self.state.games {
                self.course.note(game);
                game.go_on(&self.rules);
            }
        }
        self.state.steps += steps;
        Ok(())
    }

    fn visit(&mut self, visitor: &mut dyn FnMut(&mut State)) -> Result<(), String> {
        visitor(&mut self.state);
        Ok(())
    }

    fn course(&mut self) -> Result<Course, String> {
        Ok(std::mem::take(&mut self.course))
    }
}

/// An error as it is noted: a whole number above a count of one.
fn note(error: f32) -> i64 {
    let error = error.clamp(-LARGEST_ERROR, LARGEST_ERROR).round_ties_even();
    ((error as i64) << COUNT_BITS) + 1
}

/// The worth of a board: the weights added up image by image and then in pairs, the order of
/// the kernels.
fn worth(weights: &[f32], places: &[u32; LOOK_UPS]) -> f32 {
    let mut sums = [0.0f32; 8];
    for (sum, places) in sums.iter_mut().zip(places.chunks_exact(PATTERNS)) {
        for &place in places {
            *sum += weights[place as usize];
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}
