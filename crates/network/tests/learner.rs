//! The learner learns, always the same, and a GPU learns the same as the processor.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use tilebase_game::Rules;
use tilebase_network::STAGES;
use tilebase_network::patterns::{LOOK_UPS, WEIGHTS};
use tilebase_network::train::{Course, CudaLearner, Learn, Learner, Plan, State};

const PLAN: Plan = Plan {
    seed: 7,
    games: 32,
    hope: 0.0,
    rate: 0.0,
};

fn rules() -> Rules {
    Rules::new("4x4".parse().unwrap()).unwrap()
}

fn learner(plan: Plan) -> Learner {
    Learner::new(rules(), State::new(&rules(), plan).unwrap()).unwrap()
}

/// All that a learner knows, as bytes.
fn bytes(learner: &mut dyn Learn) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut write = |state: &mut State| state.write(&mut bytes).unwrap();
    learner.visit(&mut write).unwrap();
    bytes
}

/// The checksum of all that a learner knows.
fn sum(learner: &mut dyn Learn) -> [u8; 8] {
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
    let mut write = |state: &mut State| state.write(&mut last).unwrap();
    learner.visit(&mut write).unwrap();
    last.0
}

/// What a run comes to: how games went at first and at last, and all that is known.
fn run(learner: &mut dyn Learn) -> (Course, Course, [u8; 8]) {
    learner.step(4_000).unwrap();
    let first = learner.course().unwrap();
    learner.visit(&mut |state| state.split()).unwrap();
    learner.step(6_000).unwrap();
    learner.visit(&mut State::settle).unwrap();
    learner.step(2_000).unwrap();
    learner.course().unwrap();
    learner.step(4_000).unwrap();
    let last = learner.course().unwrap();
    (first, last, sum(learner))
}

#[test]
fn play_gets_better_and_is_the_same_on_a_gpu() {
    for (hope, rate) in [(0.0, 0.0), (1000.0, 0.25)] {
        let plan = Plan { hope, rate, ..PLAN };
        let (first, last, sum) = run(&mut learner(plan));
        let (before, after) = (first.mean().unwrap(), last.mean().unwrap());
        assert!(after > 1.2 * before, "from {before} to {after}");
        match CudaLearner::new(rules(), State::new(&rules(), plan).unwrap()) {
            Ok(mut gpu) => assert_eq!(run(&mut gpu), (first, last, sum)),
            Err(why) => eprintln!("SKIPPED on a GPU: {why}"),
        }
    }
}

#[test]
fn what_was_learned_is_a_beginning_for_more() {
    let mut before = learner(PLAN);
    before.step(6_000).unwrap();
    before.course().unwrap();
    before.step(2_000).unwrap();
    let before_mean = before.course().unwrap().mean().unwrap();
    let mut tuples = None;
    let mut keep = |state: &mut State| tuples = Some(state.tuples(1.0).unwrap());
    before.visit(&mut keep).unwrap();
    let tuples = tuples.unwrap();

    // Late boards are worth what boards with halved tiles are, as long as they are not split off.
    let listed = (0..STAGES * WEIGHTS).filter(|&place| tuples.weight(place).1);
    let (first, late): (Vec<usize>, Vec<usize>) = listed.partition(|&place| place < WEIGHTS);
    assert!(first.len() > 10_000);
    assert_eq!(first.len(), late.len());
    for (&first, &late) in first.iter().zip(&late) {
        assert_eq!(first + WEIGHTS, late);
        assert_eq!(tuples.weight(first), tuples.weight(late));
    }

    // Taken over it is the same to the bit, and weights of nothing known have the new hope.
    let hope = 640.0;
    let plan = Plan {
        hope,
        seed: 8,
        ..PLAN
    };
    let state = || {
        let mut state = State::new(&rules(), plan).unwrap();
        state.take_over(&tuples);
        state
    };
    let beginning = state();
    assert!(beginning.split);
    let taken = beginning.tuples(1.0).unwrap();
    for place in 0..STAGES * WEIGHTS {
        let (weight, listed) = tuples.weight(place);
        let expected = if listed {
            weight
        } else {
            hope / LOOK_UPS as f32
        };
        assert_eq!(taken.weight(place).0, expected, "{place}");
    }

    let mut more = Learner::new(rules(), beginning).unwrap();
    more.step(2_000).unwrap();
    let course = more.course().unwrap();
    let mean = course.mean().unwrap();
    assert!(mean > 0.7 * before_mean, "from {before_mean} to {mean}");
    if let Ok(mut gpu) = CudaLearner::new(rules(), state()) {
        gpu.step(2_000).unwrap();
        assert_eq!(gpu.course().unwrap(), course);
        assert_eq!(sum(&mut gpu), sum(&mut more));
    }
}

#[test]
fn a_written_state_goes_on_as_if_never_written_and_damage_is_told() {
    let plan = Plan {
        rate: 0.1,
        hope: 500.0,
        ..PLAN
    };
    let mut whole = learner(plan);
    whole.step(1_000).unwrap();
    let mut written = bytes(&mut whole);
    let state = State::read(&mut written.as_slice()).unwrap();
    assert_eq!((state.plan, state.steps), (plan, 1_000));
    let mut again = Learner::new(rules(), state).unwrap();
    whole.step(500).unwrap();
    again.step(500).unwrap();
    assert_eq!(sum(&mut whole), sum(&mut again));

    assert!(State::read(&mut &written[..written.len() - 1]).is_err());
    let middle = written.len() / 2;
    written[middle] ^= 4;
    let error = State::read(&mut written.as_slice()).err().unwrap();
    assert!(error.to_string().contains("checksum"), "{error}");
}
