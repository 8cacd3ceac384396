//! The state of a training run.

use std::io;

use tilebase_game::Rules;

use crate::patterns::{LOOKUPS, WEIGHTS};
use crate::train::game::Game;
use crate::{NTupleNetwork, NetworkError, Pages, STAGES};

/// The temporal coherence of a weight: the sum of its errors, and the sum of their sizes. While
/// all errors point one way the weight is far off and moves fast; when they cancel it is about
/// right and moves little (TC learning: Beal and Smith 1999, Jaśkowski 2017).
pub(crate) type Coherence = [f32; 2];

/// The coherence of a weight promoted from the first stage: next to nothing, so that it moves
/// fast at first.
const PROMOTED: Coherence = [1e-3, 1e-3];

/// The coherence of a weight trained before: many errors that cancelled, so that it moves slowly
/// until new ones outweigh them.
const TRAINED: Coherence = [0.0, 10_000.0];

/// What determines a training run, to the last bit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainingConfig {
    /// The seed of all random numbers.
    pub seed: u64,
    /// Games that run in lockstep.
    pub games: u32,
    /// The optimistic initial value: the network's output for a board before any training. Above
    /// what can be reached it makes the player explore; 0 makes it avoid the unknown.
    pub initial_value: f32,
    /// The learning rate: the share of its error that a board is corrected by. With 0 each
    /// weight has its own rate (TC learning) from the start.
    pub learning_rate: f32,
}

impl TrainingConfig {
    /// The initial value of all weights.
    fn initial_weight(self) -> f32 {
        self.initial_value / LOOKUPS as f32
    }
}

/// The weights, the running games and everything else that training depends on.
pub struct TrainingState {
    /// The configuration of the run.
    pub config: TrainingConfig,
    /// Steps done.
    pub steps: u64,
    /// Whether boards with a 16384 have weights of their own.
    pub staged: bool,
    /// Whether TC learning is on: each weight has its own learning rate.
    pub tc: bool,
    pub(crate) games: Vec<Game>,
    pub(crate) weights: Pages<f32>,
    pub(crate) coherence: Pages<Coherence>,
}

impl TrainingState {
    /// An untrained state.
    pub fn new(rules: &Rules, config: TrainingConfig) -> io::Result<TrainingState> {
        let initial = config.initial_weight();
        let mut weights = Pages::zeros(STAGES * WEIGHTS)?;
        // Pages of zeros that nobody touches take no memory.
        if initial != 0.0 {
            weights.all_mut().fill(initial);
        }
        Ok(TrainingState {
            config,
            steps: 0,
            staged: false,
            tc: config.learning_rate == 0.0,
            games: (0..u64::from(config.games))
                .map(|slot| Game::new(rules, config.seed, slot))
                .collect(),
            weights,
            coherence: Pages::zeros(STAGES * WEIGHTS)?,
        })
    }

    /// Takes over the stored weights of a trained network, both stages. All other weights keep
    /// their initial value.
    pub fn start_from(&mut self, network: &NTupleNetwork) {
        let own = self.weights.all_mut().iter_mut();
        let own = own.zip(self.coherence.all_mut()).enumerate();
        for (index, (own, coherence)) in own {
            let (weight, stored) = network.weight(index);
            if stored {
                (*own, *coherence) = (weight, TRAINED);
            }
        }
        self.staged = true;
    }

    /// The fixed learning rate, or 0 with TC learning.
    pub(crate) fn learning_rate(&self) -> f32 {
        if self.tc {
            0.0
        } else {
            self.config.learning_rate
        }
    }

    /// Gives boards with a 16384 weights of their own from now on, looked up by halved tiles.
    /// They start as the weights of boards with these halved tiles (weight promotion).
    pub fn add_stage(&mut self) {
        let (first, second) = self.weights.all_mut().split_at_mut(WEIGHTS);
        second.copy_from_slice(first);
        let (first, second) = self.coherence.all_mut().split_at_mut(WEIGHTS);
        for (second, first) in second.iter_mut().zip(first) {
            *second = if is_trained(first) {
                PROMOTED
            } else {
                [0.0; 2]
            };
        }
        self.staged = true;
    }

    /// Switches to TC learning: each weight has its own learning rate, by its errors from now on.
    pub fn start_tc(&mut self) {
        self.coherence.all_mut().fill([0.0; 2]);
        self.tc = true;
    }

    /// The trained network, its weights rounded to the quantum. Without a second stage, boards
    /// with a 16384 get the weights of those with halved tiles.
    pub fn network(&self, quantum: f32) -> Result<NTupleNetwork, NetworkError> {
        let (first, second) = self.weights.all().split_at(WEIGHTS);
        let second = if self.staged { second } else { first };
        let weights = first.iter().chain(second).copied();
        NTupleNetwork::from_weights(weights, self.config.initial_weight(), quantum)
    }
}

/// Whether a weight was ever updated.
fn is_trained(coherence: &Coherence) -> bool {
    coherence[1] > 0.0
}
