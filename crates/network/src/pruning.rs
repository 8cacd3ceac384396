//! Pruning and quantization: a small file of a trained network.

use crate::error::NetworkError;
use crate::network::NTupleNetwork;

impl NTupleNetwork {
    /// Prunes and quantizes the network by how often play looked each weight up.
    ///
    /// Weights with lookups are rounded, the coarser the fewer lookups they had. Of the others
    /// only those below the default weight are kept, rounded very coarsely: most of what they
    /// say is that a position is bad. All that are dropped become `default_weight`.
    pub fn pruned(
        &self,
        lookups: &[u32],
        quantum: f32,
        default_weight: f32,
    ) -> Result<NTupleNetwork, NetworkError> {
        let weights = self.weights(default_weight).zip(lookups);
        let kept = weights.map(|(weight, &number)| {
            let step = quantum * f32::from(quanta_per_step(number));
            let steps = ((weight - default_weight) / step).round();
            let kept = if number == 0 { steps.min(0.0) } else { steps };
            default_weight + kept * step
        });
        NTupleNetwork::from_weights(kept, default_weight, quantum)
    }
}

/// The rounding step, in quanta, of a weight with this many lookups. An error does harm as often
/// as the weight is looked up, so a quarter of the lookups allows twice the error.
fn quanta_per_step(lookups: u32) -> u16 {
    match lookups {
        0 => 256,
        1..=16 => 16,
        17..=64 => 8,
        65..=256 => 4,
        257..=1024 => 2,
        _ => 1,
    }
}
