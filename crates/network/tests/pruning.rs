//! What thinning keeps of learned weights.

#![allow(
    clippy::unwrap_used,
    reason = "a test may stop at what it did not expect"
)]

use tilebase_network::patterns::WEIGHTS;
use tilebase_network::{NTupleNetwork, STAGES};

/// Weights at the first places, and `others` at the rest.
fn tuples(first: &[f32], others: f32) -> NTupleNetwork {
    let rest = std::iter::repeat_n(others, STAGES * WEIGHTS - first.len());
    NTupleNetwork::from_weights(first.iter().copied().chain(rest), others, 1.0).unwrap()
}

#[test]
fn rare_weights_are_coarse_and_unknown_ones_low() {
    let learned = [3003.0, 3003.0, 3003.0, 3003.0, -9000.0, 700.0, 5000.0];
    let met = [5000, 100, 1, 0, 0, 0, 0, 7];
    let mut looked_up = vec![0; STAGES * WEIGHTS];
    looked_up[..met.len()].copy_from_slice(&met);
    let thinned = tuples(&learned, 5000.0)
        .with_others(1000.0)
        .unwrap()
        .thinned(&looked_up, 10.0, 1000.0)
        .unwrap();
    let found: Vec<f32> = (0..8).map(|place| thinned.weight(place).0).collect();
    // To 10 points, to 40 and to 160. Of those that were not looked up the good are forgotten,
    // and the bad are rounded to 2,560.
    let expected = [
        3000.0, 3000.0, 3080.0, 1000.0, -9240.0, 1000.0, 1000.0, 1000.0,
    ];
    assert_eq!(found, expected);
    assert_eq!(thinned.listed(), 4);
}
