//! The learned evaluation that counts what it looks up.

use std::sync::atomic::{AtomicU32, Ordering};

use tilebase_expectimax::Evaluation;
use tilebase_game::Board;
use tilebase_network::patterns::WEIGHTS;
use tilebase_network::{NTupleNetwork, STAGES, staged_places};

/// Counts how often each weight is looked up, up to two billion times.
pub(crate) struct Counting {
    tuples: NTupleNetwork,
    counts: Vec<AtomicU32>,
}

impl Counting {
    pub fn new(tuples: NTupleNetwork) -> Counting {
        let counts = std::iter::repeat_with(AtomicU32::default);
        Counting {
            tuples,
            counts: counts.take(STAGES * WEIGHTS).collect(),
        }
    }

    /// The counts.
    pub fn into_counts(self) -> Vec<u32> {
        let counts = self.counts.into_iter().map(AtomicU32::into_inner);
        counts.collect()
    }
}

impl Evaluation for Counting {
    fn worth(&self, after: Board) -> f64 {
        for place in staged_places(after) {
            let count = &self.counts[place as usize];
            if count.load(Ordering::Relaxed) < u32::MAX / 2 {
                count.fetch_add(1, Ordering::Relaxed);
            }
        }
        self.tuples.worth(after)
    }

    fn lost(&self) -> f64 {
        self.tuples.lost()
    }

    fn margin(&self) -> f64 {
        self.tuples.margin()
    }

    fn crowd(&self) -> u8 {
        self.tuples.crowd()
    }
}
