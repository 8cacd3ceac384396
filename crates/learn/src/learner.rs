//! The learner on the processor: the reference for the one on a graphics card.

use std::io;

use tilebase_expectimax::Pages;
use tilebase_expectimax::patterns::{LOOK_UPS, PATTERNS, STAGE, STAGES, places, stage};
use tilebase_game::{Board, Move, Rules};

use crate::course::{Course, Learn, Plan};
use crate::game::Game;

/// Errors and worths are counted in whole points of at most this size: 40 bits hold the sum of
/// as many as there can be in a step.
pub(crate) const LARGEST_ERROR: f32 = 524_288.0;
/// Bits of a weight's count of errors, below their sum.
pub(crate) const COUNT_BITS: u32 = 24;

/// How the errors of a weight went so far: their sum, and the sum of their sizes. As long
/// as all point one way the weight is far off and moves fast; when they cancel it is about
/// right and moves little (temporal coherence: Beal and Smith 1999, Jaśkowski 2016).
pub(crate) type Errors = [f32; 2];

/// Learns on one core.
pub struct Learner {
    rules: Rules,
    games: Vec<Game>,
    weights: Pages<f32>,
    errors: Pages<Errors>,
    /// The errors of this step: their sum and, in the low bits, their number. Whole numbers,
    /// so that their order does not matter.
    step: Pages<i64>,
    course: Course,
    /// Whether boards with a large tile have weights of their own.
    split: bool,
    plan: Plan,
}

impl Learner {
    /// A learner that knows nothing.
    pub fn new(rules: Rules, plan: Plan) -> io::Result<Learner> {
        let game = |place| Game::new(&rules, plan.seed, place);
        let mut weights = Pages::zeros(STAGES * STAGE)?;
        // Pages of zeros that nobody touches take no memory.
        if plan.first_weight() != 0.0 {
            weights.all_mut().fill(plan.first_weight());
        }
        Ok(Learner {
            rules,
            games: (0..u64::from(plan.games)).map(game).collect(),
            weights,
            errors: Pages::zeros(STAGES * STAGE)?,
            step: Pages::zeros(STAGES * STAGE)?,
            course: Course::default(),
            split: false,
            plan,
        })
    }

    /// Chooses a game's slide, and notes the error of the board before.
    fn look(&mut self, at: usize) {
        let game = &mut self.games[at];
        let split = self.split;
        let (board, weights) = (Board::from_bits(game.board), self.weights.all());
        let (mut most, mut value) = (f32::NEG_INFINITY, 0.0);
        (game.chosen, game.gain) = (0, 0);
        for (m, after) in Move::ALL.into_iter().zip(self.rules.slides(board)) {
            if after == board {
                continue;
            }
            let gain = self.rules.gain(board, m);
            let total = gain as f32 + worth(weights, &own_places(after, split));
            if total > most {
                (most, value) = (total, total);
                (game.chosen, game.gain) = (after.bits(), gain);
            }
        }
        if game.before == 0 {
            return;
        }
        let places = own_places(Board::from_bits(game.before), split);
        let error = note(value - worth(weights, &places));
        let target = note(value);
        let step = self.step.all_mut();
        for place in places {
            // A weight that is not known has no error: it learns what the board is worth.
            let unknown = weights[place as usize].is_nan();
            step[place as usize] += if unknown { target } else { error };
        }
    }

    /// Corrects the weights of a game's board before, each by the mean of its errors.
    fn correct(&mut self, at: usize) {
        let game = &self.games[at];
        if game.before == 0 {
            return;
        }
        let (weights, errors) = (self.weights.all_mut(), self.errors.all_mut());
        let step = self.step.all_mut();
        for place in own_places(Board::from_bits(game.before), self.split) {
            let place = place as usize;
            // Another game of this step may have corrected it already.
            let noted = std::mem::take(&mut step[place]);
            if noted == 0 {
                continue;
            }
            let count = (noted & ((1 << COUNT_BITS) - 1)) as f32;
            let sum = (noted >> COUNT_BITS) as f32;
            let [sums, sizes] = &mut errors[place];
            if weights[place].is_nan() {
                if *sizes == 0.0 {
                    weights[place] = sum / count / LOOK_UPS as f32;
                }
                continue;
            }
            let rate = if *sizes > 0.0 {
                sums.abs() / *sizes
            } else {
                1.0
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
            (0..self.games.len()).for_each(|at| self.look(at));
            (0..self.games.len()).for_each(|at| self.correct(at));
            for game in &mut self.games {
                self.course.note(game);
                game.go_on(&self.rules);
            }
        }
        Ok(())
    }

    fn split(&mut self) -> Result<(), String> {
        self.weights.all_mut().copy_within(..STAGE, STAGE);
        self.split = true;
        Ok(())
    }

    fn take(&mut self, weights: &[f32]) -> Result<(), String> {
        self.weights.all_mut().copy_from_slice(weights);
        let own = self.weights.all_mut().iter_mut();
        for (errors, weight) in self.errors.all_mut().iter_mut().zip(own) {
            (*weight, *errors) = self.plan.taken(*weight);
        }
        self.split = true;
        Ok(())
    }

    fn course(&mut self) -> Result<Course, String> {
        Ok(std::mem::take(&mut self.course))
    }

    fn weights(&mut self) -> Result<(Vec<f32>, Vec<f32>), String> {
        let sizes = self.errors.all().iter().map(|errors| errors[1]);
        let weights = self.weights.all().iter().zip(sizes.clone());
        let weights = weights.map(|(&weight, size)| known(weight, size));
        Ok((weights.collect(), sizes.collect()))
    }
}

/// The places of a board's weights.
fn own_places(board: Board, split: bool) -> [u32; LOOK_UPS] {
    places(board, if split { stage(board) } else { 0 })
}

/// Points as they are noted: a whole number above a count of one.
fn note(points: f32) -> i64 {
    let points = points
        .clamp(-LARGEST_ERROR, LARGEST_ERROR)
        .round_ties_even();
    ((points as i64) << COUNT_BITS) + 1
}

/// The worth of a board: the weights added up image by image and then in pairs, the order of
/// the kernels; those that are not known count as the mean of the others.
fn worth(weights: &[f32], places: &[u32; LOOK_UPS]) -> f32 {
    let mut sums = [0.0f32; 8];
    let mut known = 0;
    for (sum, places) in sums.iter_mut().zip(places.chunks_exact(PATTERNS)) {
        for &place in places {
            let weight = weights[place as usize];
            if !weight.is_nan() {
                *sum += weight;
                known += 1;
            }
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    let sum = ((a + b) + (c + d)) + ((e + f) + (g + h));
    match known {
        0 => 0.0,
        known => sum * (LOOK_UPS as f32 / known as f32),
    }
}

/// A weight as it is given away: 0 if it was never met.
pub(crate) fn known(weight: f32, size: f32) -> f32 {
    let met = !weight.is_nan() && size > 0.0 && size.is_finite();
    if met { weight } else { 0.0 }
}
