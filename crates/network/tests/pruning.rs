//! What pruning keeps of a trained network.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use tilebase_network::patterns::WEIGHTS;
use tilebase_network::{NTupleNetwork, STAGES};

/// A network with these weights first, and the default weight for the rest.
fn network(first: &[f32], default_weight: f32) -> NTupleNetwork {
    let rest = std::iter::repeat_n(default_weight, STAGES * WEIGHTS - first.len());
    NTupleNetwork::from_weights(first.iter().copied().chain(rest), default_weight, 1.0).unwrap()
}

#[test]
fn rare_weights_are_coarse_and_unknown_ones_default() {
    let trained = [3003.0, 3003.0, 3003.0, 3003.0, -9000.0, 700.0, 5000.0];
    let first_lookups = [5000, 100, 1, 0, 0, 0, 0, 7];
    let mut lookups = vec![0; STAGES * WEIGHTS];
    lookups[..first_lookups.len()].copy_from_slice(&first_lookups);
    let pruned = network(&trained, 5000.0)
        .with_default_weight(1000.0)
        .unwrap()
        .pruned(&lookups, 10.0, 1000.0)
        .unwrap();
    let found: Vec<f32> = (0..8).map(|index| pruned.weight(index).0).collect();
    // Rounded to 10, 40 and 160 points. Without lookups, good weights are dropped and bad ones
    // rounded to 2,560.
    let expected = [
        3000.0, 3000.0, 3080.0, 1000.0, -9240.0, 1000.0, 1000.0, 1000.0,
    ];
    assert_eq!(found, expected);
    assert_eq!(pruned.stored(), 4);
}
