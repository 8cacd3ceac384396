//! Training improves play, is deterministic, and gives the same on a CPU and a GPU.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use tilebase_game::Rules;
use tilebase_network::STAGES;
use tilebase_network::patterns::{LOOKUPS, WEIGHTS};
use tilebase_network::train::{
    CpuTrainer, EpisodeStats, GpuTrainer, Trainer, TrainingConfig, TrainingState,
};

const CONFIG: TrainingConfig = TrainingConfig {
    seed: 7,
    games: 32,
    initial_value: 0.0,
    learning_rate: 0.0,
};

fn rules() -> Rules {
    Rules::new("4x4".parse().unwrap()).unwrap()
}

fn trainer(config: TrainingConfig) -> CpuTrainer {
    CpuTrainer::new(rules(), TrainingState::new(&rules(), config).unwrap()).unwrap()
}

/// The checkpoint of a trainer.
fn bytes(trainer: &mut dyn Trainer) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut write = |state: &mut TrainingState| state.write(&mut bytes).unwrap();
    trainer.visit_state(&mut write).unwrap();
    bytes
}

/// The checksum of a trainer's checkpoint.
fn sum(trainer: &mut dyn Trainer) -> [u8; 8] {
    /// Keeps the last bytes that are written.
    struct Last([u8; 8]);
    impl std::io::Write for Last {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            if let Some(last) = bytes.last_chunk() {
                self.0 = *last;
            }
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut last = Last([0; 8]);
    let mut write = |state: &mut TrainingState| state.write(&mut last).unwrap();
    trainer.visit_state(&mut write).unwrap();
    last.0
}

/// A run with all phases: statistics of its first and last games, and its checksum.
fn run(trainer: &mut dyn Trainer) -> (EpisodeStats, EpisodeStats, [u8; 8]) {
    trainer.step(4_000).unwrap();
    let first = trainer.take_stats().unwrap();
    trainer.visit_state(&mut |state| state.add_stage()).unwrap();
    trainer.step(6_000).unwrap();
    trainer.visit_state(&mut TrainingState::start_tc).unwrap();
    trainer.step(2_000).unwrap();
    trainer.take_stats().unwrap();
    trainer.step(4_000).unwrap();
    let last = trainer.take_stats().unwrap();
    (first, last, sum(trainer))
}

#[test]
fn play_gets_better_and_is_the_same_on_a_gpu() {
    for (initial_value, learning_rate) in [(0.0, 0.0), (1000.0, 0.25)] {
        let config = TrainingConfig {
            initial_value,
            learning_rate,
            ..CONFIG
        };
        let (first, last, sum) = run(&mut trainer(config));
        let (before, after) = (first.mean_score().unwrap(), last.mean_score().unwrap());
        assert!(after > 1.2 * before, "from {before} to {after}");
        match GpuTrainer::new(rules(), TrainingState::new(&rules(), config).unwrap()) {
            Ok(mut gpu) => assert_eq!(run(&mut gpu), (first, last, sum)),
            Err(why) => eprintln!("SKIPPED on a GPU: {why}"),
        }
    }
}

#[test]
fn training_continues_from_a_network() {
    let mut before = trainer(CONFIG);
    before.step(6_000).unwrap();
    before.take_stats().unwrap();
    before.step(2_000).unwrap();
    let before_mean = before.take_stats().unwrap().mean_score().unwrap();
    let mut network = None;
    let mut keep = |state: &mut TrainingState| network = Some(state.network(1.0).unwrap());
    before.visit_state(&mut keep).unwrap();
    let network = network.unwrap();

    // Without a second stage, late boards have the weights of boards with halved tiles.
    let stored = (0..STAGES * WEIGHTS).filter(|&index| network.weight(index).1);
    let (first, late): (Vec<usize>, Vec<usize>) = stored.partition(|&index| index < WEIGHTS);
    assert!(first.len() > 10_000);
    assert_eq!(first.len(), late.len());
    for (&first, &late) in first.iter().zip(&late) {
        assert_eq!(first + WEIGHTS, late);
        assert_eq!(network.weight(first), network.weight(late));
    }

    // Stored weights are taken over to the bit, and all others have the new initial value.
    let initial_value = 640.0;
    let config = TrainingConfig {
        initial_value,
        seed: 8,
        ..CONFIG
    };
    let state = || {
        let mut state = TrainingState::new(&rules(), config).unwrap();
        state.start_from(&network);
        state
    };
    let beginning = state();
    assert!(beginning.staged);
    let taken = beginning.network(1.0).unwrap();
    for index in 0..STAGES * WEIGHTS {
        let (weight, stored) = network.weight(index);
        let expected = if stored {
            weight
        } else {
            initial_value / LOOKUPS as f32
        };
        assert_eq!(taken.weight(index).0, expected, "{index}");
    }

    let mut more = CpuTrainer::new(rules(), beginning).unwrap();
    more.step(2_000).unwrap();
    let stats = more.take_stats().unwrap();
    let mean = stats.mean_score().unwrap();
    assert!(mean > 0.7 * before_mean, "from {before_mean} to {mean}");
    if let Ok(mut gpu) = GpuTrainer::new(rules(), state()) {
        gpu.step(2_000).unwrap();
        assert_eq!(gpu.take_stats().unwrap(), stats);
        assert_eq!(sum(&mut gpu), sum(&mut more));
    }
}

#[test]
fn a_checkpoint_resumes_bit_by_bit_and_damage_is_detected() {
    let config = TrainingConfig {
        learning_rate: 0.1,
        initial_value: 500.0,
        ..CONFIG
    };
    let mut whole = trainer(config);
    whole.step(1_000).unwrap();
    let mut written = bytes(&mut whole);
    let state = TrainingState::read(&mut written.as_slice()).unwrap();
    assert_eq!((state.config, state.steps), (config, 1_000));
    let mut again = CpuTrainer::new(rules(), state).unwrap();
    whole.step(500).unwrap();
    again.step(500).unwrap();
    assert_eq!(sum(&mut whole), sum(&mut again));

    assert!(TrainingState::read(&mut &written[..written.len() - 1]).is_err());
    let middle = written.len() / 2;
    written[middle] ^= 4;
    let error = TrainingState::read(&mut written.as_slice()).err().unwrap();
    assert!(error.to_string().contains("checksum"), "{error}");
}
