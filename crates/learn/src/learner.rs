//! Temporal-difference learning by self-play.

use std::io;

use tilebase_expectimax::Pages;
use tilebase_expectimax::patterns::{FILLINGS, LOOK_UPS, PATTERNS, places};
use tilebase_game::{Board, Move, Rng, Rules, Shape, Spawn, TooLarge};


/// Games shorter than this are not gone back into.
const SHORT: usize = 100;

/// What became of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// The score, from where the game began.
    pub score: u64,
    /// Moves made.
    pub moves: u64,
    /// Exponent of the largest tile.
    pub largest: u8,
    /// Whether it began with the start tiles and not in the middle of another game.
    pub whole: bool,
}

/// How the errors of a weight went so far: their sum, and the sum of their sizes. As long
/// as all point one way the weight is far off and moves fast; when they cancel it is about
/// right and moves little (temporal coherence: Beal and Smith 1999, Jaśkowski 2016).
type Errors = [f32; 2];

/// Learns the worth of afterstates, the score still to come, from its own games.
pub struct Learner {
    rules: Rules,
    rng: Rng,
    weights: Pages<f32>,
    errors: Pages<Errors>,
    /// States of the game under way.
    path: Vec<Board>,
    /// Where the next game begins, if not at the beginning.
    restart: Option<Board>,
}

impl Learner {
    /// A learner that knows nothing, with the dice of a seed.
    pub fn new(seed: u64) -> io::Result<Learner> {
        let shape = Shape::new(4, 4).ok_or(io::ErrorKind::InvalidInput)?;
        let rules = Rules::new(shape).map_err(|TooLarge(_)| io::ErrorKind::InvalidInput)?;
        Ok(Learner {
            rules,
            rng: Rng::new(seed),
            weights: Pages::zeros(PATTERNS * FILLINGS)?,
            errors: Pages::zeros(PATTERNS * FILLINGS)?,
            path: Vec::new(),
            restart: None,
        })
    }

    /// Plays a game and learns from every move of it.
    pub fn play(&mut self) -> Played {
        let whole = self.restart.is_none();
        let mut board = match self.restart.take() {
            Some(board) => board,
            None => {
                let one = self.drop_tile(Board::EMPTY);
                self.drop_tile(one)
            }
        };
        self.path.clear();
        let mut score = 0;
        let mut before: Option<([u32; LOOK_UPS], f32)> = None;
        while let Some(best) = self.best(board) {
            self.path.push(board);
            score += u64::from(best.gain);
            if let Some((places, value)) = before {
                self.correct(&places, best.gain as f32 + best.value - value);
            }
            // The value after the correction, which may have touched the same weights.
            let value = self.sum(&best.places);
            before = Some((best.places, value));
            board = self.drop_tile(best.after);
        }
        if let Some((places, value)) = before {
            self.correct(&places, -value);
        }
        // The end of a game is where there is most to learn, and it is short beside the
        // way there: the next game goes on from the middle of this one.
        if self.path.len() > SHORT {
            self.restart = self.path.get(self.path.len() / 2).copied();
        }
        Played {
            score,
            moves: self.path.len() as u64,
            largest: board.max_exponent(),
            whole,
        }
    }

    /// The weights, pattern by pattern.
    pub fn weights(&self) -> &[f32] {
        self.weights.all()
    }

    /// How much a weight was ever moved by: 0 for one that was never met.
    pub fn experience(&self, place: usize) -> f32 {
        self.errors.all().get(place).map_or(0.0, |errors| errors[1])
    }

    fn best(&self, board: Board) -> Option<Choice> {
        let mut best: Option<Choice> = None;
        for (m, after) in Move::ALL.into_iter().zip(self.rules.slides(board)) {
            if after == board {
                continue;
            }
            let gain = self.rules.gain(board, m);
            let places = places(after);
            let value = self.sum(&places);
            let total = gain as f32 + value;
            if best.as_ref().is_none_or(|best| total > best.total) {
                best = Some(Choice {
                    after,
                    gain,
                    places,
                    value,
                    total,
                });
            }
        }
        best
    }

    #[inline]
    fn sum(&self, places: &[u32; LOOK_UPS]) -> f32 {
        let weights: &[f32] = self.weights.all();
        places.iter().map(|&place| weights[place as usize]).sum()
    }

    #[inline]
    fn correct(&mut self, places: &[u32; LOOK_UPS], error: f32) {
        let step = error / LOOK_UPS as f32;
        let weights: &mut [f32] = self.weights.all_mut();
        let errors: &mut [Errors] = self.errors.all_mut();
        for &place in places {
            let [sum, size] = &mut errors[place as usize];
            let rate = if *size > 0.0 { sum.abs() / *size } else { 1.0 };
            weights[place as usize] += rate * step;
            *sum += error;
            *size += error.abs();
        }
    }

    fn drop_tile(&mut self, board: Board) -> Board {
        let mut empty = self.rules.empty_cells(board);
        for _ in 0..self.rng.below(empty.count_ones()) {
            empty &= empty - 1;
        }
        let exponent = 1 + u64::from(self.rng.below(10) == 0);
        debug_assert_eq!(Spawn::STANDARD.probability(2), 0.1);
        Board::from_bits(board.bits() | (empty & empty.wrapping_neg()) * exponent)
    }
}

/// A move, and what it leads to.
struct Choice {
    after: Board,
    gain: u32,
    places: [u32; LOOK_UPS],
    value: f32,
    total: f32,
}
