//! The probability of each number of moves, from the start on.

use tilebase_util::progress::{Progress, Unit};

use crate::lower_bound::chain::{BATCH, Chain, Transition};
use crate::lower_bound::goal::BoundError;

/// [`LowerBound::distribution`](crate::lower_bound::LowerBound::distribution) leaves out what is less
/// likely than this.
pub const LEAST_LISTED: f64 = 1e-270;

/// Smaller probabilities are not followed: soon they would have few digits left. There are
/// fewer than 10^13 pairs of a bag and a number of moves, so all that is dropped is
/// too little to be seen in anything listed.
const LEAST_FOLLOWED: f64 = 1e-300;

/// The probabilities of a bag after so many moves, for a range of moves.
#[derive(Clone, Debug, Default)]
struct Window {
    first: u32,
    probabilities: Vec<f64>,
}

impl Window {
    /// Adds a multiple of another window, `moves` later.
    fn add(&mut self, other: &Window, moves: u32, factor: f64) {
        let first = other.first + moves;
        if self.probabilities.is_empty() {
            self.first = first;
        }
        if first < self.first {
            let gap = (self.first - first) as usize;
            self.probabilities
                .splice(0..0, std::iter::repeat_n(0.0, gap));
            self.first = first;
        }
        let skip = (first - self.first) as usize;
        let end = skip + other.probabilities.len();
        if self.probabilities.len() < end {
            self.probabilities.resize(end, 0.0);
        }
        for (own, others) in self.probabilities[skip..]
            .iter_mut()
            .zip(&other.probabilities)
        {
            *own += factor * others;
        }
    }

    /// Drops both ends where they are below the least probability.
    fn trim(&mut self, least: f64) {
        let likely = |&p: &f64| p >= least;
        let end = self.probabilities.iter().rposition(likely);
        self.probabilities.truncate(end.map_or(0, |end| end + 1));
        let start = self.probabilities.iter().position(likely).unwrap_or(0);
        self.probabilities.drain(..start);
        self.first += start as u32;
    }
}

/// The probability of each number of moves, in order.
pub(crate) fn distribution(
    chain: &Chain,
    progress: &dyn Progress,
) -> Result<Vec<(u32, f64)>, BoundError> {
    progress.begin(Unit::States, Some(chain.steps().len() as u64));
    let spawn = chain.goal().spawn();
    let [two, four] = [1, 2].map(|exponent| spawn.probability(exponent));
    let mut windows = vec![Window::default(); chain.steps().len()];
    let mut won = Window::default();
    if let Some(start) = windows.first_mut() {
        start.probabilities.push(1.0);
    }
    for (at, step) in chain.steps().iter().enumerate() {
        // All that leads here has been added. Taking it keeps few windows at a time.
        let mut window = std::mem::take(&mut windows[at]);
        window.trim(LEAST_FOLLOWED);
        let mut fall = |[after_two, after_four]: [u32; 2], moves| {
            for (next, factor) in [(after_two, two), (after_four, four)] {
                if factor > 0.0 {
                    windows[next as usize].add(&window, moves, factor);
                }
            }
        };
        match *step {
            Transition::Start(next) => fall(next, 0),
            Transition::Move(next) => fall(next, 1),
            Transition::Win => won.add(&window, 1, 1.0),
        }
        if (at + 1) % BATCH == 0 {
            if progress.interrupted() {
                return Err(BoundError::Interrupted);
            }
            progress.advance(BATCH as u64);
        }
    }
    // 0.9 and 0.1 are not binary fractions: their errors, alike in all moves, cancel here.
    let total: f64 = won.probabilities.iter().sum();
    won.trim(LEAST_LISTED);
    let probabilities = won.probabilities.into_iter().map(|p| p / total);
    Ok((won.first..).zip(probabilities).collect())
}
