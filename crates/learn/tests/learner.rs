//! The learner learns, always the same, and a card learns the same as the processor.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use tilebase_game::Rules;
use tilebase_learn::{Course, CudaLearner, Learn, Learner, Plan};

const PLAN: Plan = Plan {
    seed: 7,
    games: 32,
    hope: 0.0,
    neutral: false,
};

fn rules() -> Rules {
    Rules::new("4x4".parse().unwrap()).unwrap()
}

/// What a run comes to: how games went at first and at last, and a sum of the weights' bits.
fn run(learner: &mut dyn Learn) -> (Course, Course, u64) {
    learner.step(4_000).unwrap();
    let first = learner.course().unwrap();
    learner.split().unwrap();
    learner.step(8_000).unwrap();
    learner.course().unwrap();
    learner.step(4_000).unwrap();
    let last = learner.course().unwrap();
    let (weights, sizes) = learner.weights().unwrap();
    let bits = weights
        .iter()
        .zip(&sizes)
        .enumerate()
        .fold(0u64, |sum, (place, (w, s))| {
            let mixed = u64::from(w.to_bits()) << 32 | u64::from(s.to_bits());
            sum.wrapping_add(mixed.wrapping_mul(2 * place as u64 + 1))
        });
    (first, last, bits)
}

#[test]
fn play_gets_better_and_is_the_same_every_time() {
    for neutral in [false, true] {
        let plan = Plan { neutral, ..PLAN };
        let (first, last, bits) = run(&mut Learner::new(rules(), plan).unwrap());
        let (before, after) = (first.mean().unwrap(), last.mean().unwrap());
        assert!(after > 1.5 * before, "from {before} to {after}");
        let again = run(&mut Learner::new(rules(), plan).unwrap());
        assert_eq!(again, (first, last, bits));

        match CudaLearner::new(rules(), plan) {
            Ok(mut card) => assert_eq!(run(&mut card), (first, last, bits)),
            Err(why) => eprintln!("SKIPPED on a card: {why}"),
        }
    }
}

#[test]
fn weights_that_are_zero_stay_zero() {
    let mut learner = Learner::new(rules(), PLAN).unwrap();
    learner.step(2_000).unwrap();
    let (mut weights, _) = learner.weights().unwrap();
    // Every other weight is given up.
    weights
        .iter_mut()
        .step_by(2)
        .for_each(|weight| *weight = 0.0);
    let mut learner = Learner::new(rules(), PLAN).unwrap();
    learner.take(&weights).unwrap();
    learner.step(200).unwrap();
    let (after, _) = learner.weights().unwrap();
    assert!(after.iter().step_by(2).all(|&weight| weight == 0.0));
    assert!(after.iter().zip(&weights).any(|(a, b)| a != b));
}
