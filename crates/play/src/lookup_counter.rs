//! A network that counts its lookups: what pruning needs to know.

use std::sync::atomic::{AtomicU32, Ordering};

use tilebase_expectimax::Evaluation;
use tilebase_game::Board;
use tilebase_network::patterns::WEIGHTS;
use tilebase_network::{NTupleNetwork, STAGES, staged_indices};

/// Counts how often each weight is looked up, up to two billion times.
pub(crate) struct LookupCounter {
    network: NTupleNetwork,
    counts: Vec<AtomicU32>,
}

impl LookupCounter {
    pub fn new(network: NTupleNetwork) -> LookupCounter {
        let counts = std::iter::repeat_with(AtomicU32::default);
        LookupCounter {
            network,
            counts: counts.take(STAGES * WEIGHTS).collect(),
        }
    }

    /// The counts by weight.
    pub fn into_counts(self) -> Vec<u32> {
        let counts = self.counts.into_iter().map(AtomicU32::into_inner);
        counts.collect()
    }
}

impl Evaluation for LookupCounter {
    fn value(&self, afterstate: Board) -> f64 {
        for index in staged_indices(afterstate) {
            let count = &self.counts[index as usize];
            if count.load(Ordering::Relaxed) < u32::MAX / 2 {
                count.fetch_add(1, Ordering::Relaxed);
            }
        }
        self.network.value(afterstate)
    }

    fn lost(&self) -> f64 {
        self.network.lost()
    }

    fn pruning_margin(&self) -> f64 {
        self.network.pruning_margin()
    }

    fn extend_above(&self) -> u8 {
        self.network.extend_above()
    }
}
