//! The network as an evaluation.

use tilebase_expectimax::Evaluation;
use tilebase_game::Board;

use crate::error::NetworkError;
use crate::pages::Pages;
use crate::patterns::{LOOKUPS, WEIGHTS};
use crate::stages::{STAGES, staged_indices};

/// An n-tuple network: the expected score still to come, as a sum of trained weights.
///
/// Each weight belongs to a [pattern](crate::patterns) of six cells, what stands on them, and a
/// [stage](staged_indices) of the game. Weights are quantized to 16 bits, as multiples of the
/// quantum above or below the default weight. Weights equal to the default are not stored in
/// files.
pub struct NTupleNetwork {
    /// Differences from the default weight, in quanta.
    pub(crate) differences: Pages<i16>,
    pub(crate) quantum: f64,
    pub(crate) default_weight: f32,
}

impl NTupleNetwork {
    /// A network with these weights, one for each entry of each pattern in each stage. They are
    /// rounded to the quantum, or to a larger one if 16 bits cannot hold the largest.
    pub fn from_weights(
        weights: impl Iterator<Item = f32> + Clone,
        default_weight: f32,
        quantum: f32,
    ) -> Result<NTupleNetwork, NetworkError> {
        let differences = || weights.clone().map(|weight| weight - default_weight);
        let largest = differences().fold(0.0f32, |m, w| m.max(w.abs()));
        let quantum = (largest / f32::from(i16::MAX)).max(quantum);
        let mut rounded = Pages::zeros(STAGES * WEIGHTS).map_err(NetworkError::Memory)?;
        for (entry, difference) in rounded.all_mut().iter_mut().zip(differences()) {
            let quanta = (difference / quantum).round() as i16;
            // Pages of zeros that nobody touches take no memory.
            if quanta != 0 {
                *entry = quanta;
            }
        }
        Ok(NTupleNetwork {
            differences: rounded,
            quantum: quantum.into(),
            default_weight,
        })
    }

    /// All weights, in quanta above or below the default weight.
    pub fn quanta(&self) -> &[i16] {
        self.differences.all()
    }

    /// What weights are multiples of, above or below the default weight.
    pub fn quantum(&self) -> f64 {
        self.quantum
    }

    /// The value of all weights that are not stored.
    pub fn default_weight(&self) -> f32 {
        self.default_weight
    }

    /// The same network with another default weight. Stored weights are rounded to the quantum
    /// from there.
    pub fn with_default_weight(&self, default_weight: f32) -> Result<NTupleNetwork, NetworkError> {
        let weights = self.weights(default_weight);
        NTupleNetwork::from_weights(weights, default_weight, self.quantum as f32)
    }

    /// All weights, with `default_weight` for those that are not stored.
    pub(crate) fn weights(&self, default_weight: f32) -> impl Iterator<Item = f32> + Clone {
        let all = self.differences.all().iter();
        all.map(move |&quanta| match quanta {
            0 => default_weight,
            quanta => (f64::from(quanta) * self.quantum) as f32 + self.default_weight,
        })
    }

    /// A weight by its index, and whether it is stored.
    pub fn weight(&self, index: usize) -> (f32, bool) {
        let quanta = self.differences.all()[index];
        (
            (f64::from(quanta) * self.quantum) as f32 + self.default_weight,
            quanta != 0,
        )
    }

    /// The number of stored weights: those that differ from the default weight.
    pub fn stored(&self) -> u64 {
        let stored = self.differences.all().iter().filter(|&&quanta| quanta != 0);
        stored.count() as u64
    }
}

impl Evaluation for NTupleNetwork {
    #[inline]
    fn value(&self, afterstate: Board) -> f64 {
        let differences = self.differences.all();
        let indices = staged_indices(afterstate).into_iter();
        let sum: i32 = indices
            .map(|index| i32::from(differences[index as usize]))
            .sum();
        f64::from(sum) * self.quantum + f64::from(self.default_weight) * LOOKUPS as f64
    }

    fn lost(&self) -> f64 {
        0.0
    }

    fn pruning_margin(&self) -> f64 {
        30_000.0
    }

    fn extend_above(&self) -> u8 {
        9
    }
}
